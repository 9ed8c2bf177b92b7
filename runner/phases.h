// The two things that are timed.
#pragma once

#include "activity.h"
#include "llama.h"
#include "readings.h"
#include "saved-cache.h"
#include "trial.h"

#include <cstdint>
#include <optional>
#include <vector>

struct Steps {
    std::vector<uint64_t>   step_ns;     // one for each step; they add up to wall_ns
    std::optional<uint64_t> prefill_ns;  // nothing when no cache was computed before these steps
};

struct Repetition {
    uint64_t             wall_ns;
    uint64_t             prepare_ns;
    std::optional<Steps> steps;  // when the trial asks for the time of each

    std::optional<Counters>     counters;  // when it asks for any reading
    std::optional<ActivityDone> activity;
};

class TimedPhase {
  public:
    // `readings` must outlive it; nullptr where none is asked for and nothing is done.
    TimedPhase(const Trial & trial, llama_context * context, Readings * readings);

    // Throws Failure decode_failed, setting_not_taken.
    Repetition run();

  private:
    const Trial &              trial_;
    llama_context *            context_;
    std::vector<llama_token>   tokens_;     // in the order in which the model sees them
    std::vector<llama_batch>   prepared_;   // those before the timer starts, in batches
    std::vector<llama_batch>   timed_;      // the others: in batches, or one token each in decode
    std::vector<uint64_t>      step_ends_;  // a place for each step, so that the timer sees no allocation
    std::optional<SavedCache>  saved_;      // once computed, when it is to be restored
    Readings *                 readings_;
    std::vector<llama_batch>   spare_;      // steps of an activity that decodes, one token each
    size_t                     spare_used_ = 0;
    std::optional<llama_batch> last_spare_;  // of another shape, where one is due behind the steps

    // Returns the time of computing, or nothing when nothing was computed.
    std::optional<uint64_t> prepare();
    uint64_t                compute_prepared();

    ActivityDone do_wished_activity();
    void         decode_spare(const llama_batch & batch);
    void         decode_spare_step();
    void         take_back_spare_steps();
    void         end_spare_steps();
};

// Throws Failure setting_not_taken when the sequence does not end where the trial's does: then the
// timed tokens did not follow the prepared ones.
void check_positions(const Trial & trial, llama_context * context);

// Throws Failure invalid_logits when one of the last token's logits is not a finite number.
void check_logits(llama_context * context);
