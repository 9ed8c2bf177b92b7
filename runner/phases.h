// The two things that are timed.
#pragma once

#include "llama.h"
#include "trial.h"

#include <cstdint>
#include <vector>

struct Repetition {
    uint64_t wall_ns;
    uint64_t prepare_ns;
};

class TimedPhase {
  public:
    TimedPhase(const Trial & trial, llama_context * context);

    // Throws Failure decode_failed.
    Repetition run();

  private:
    const Trial &            trial_;
    llama_context *          context_;
    std::vector<llama_token> tokens_;   // S tokens, then one for each decode step
    std::vector<llama_batch> prompt_;   // the S tokens in batches
    std::vector<llama_batch> steps_;    // the decode steps, one token each
};

// Throws Failure invalid_logits when one of the last token's logits is not a finite number.
void check_logits(llama_context * context);
