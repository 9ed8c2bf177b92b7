#include "phases.h"

#include "clock.h"
#include "failure.h"
#include "platform.h"
#include "tokens.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

// What the timer holds. Calls of functions with names, so that their instructions can be counted
// (bench/instructions.ts).
#if defined(_MSC_VER)
#    define TIMED __declspec(noinline)
#else
#    define TIMED __attribute__((noinline))
#endif

namespace timed {

// Stops at the first failure and returns its status.
TIMED int decode_all(llama_context * context, const std::vector<llama_batch> & batches) {
    for (const llama_batch & batch : batches) {
        const int status = llama_decode(context, batch);
        if (status != 0) return status;
    }
    llama_synchronize(context);
    return 0;
}

TIMED int decode_each(llama_context * context, const std::vector<llama_batch> & batches) {
    for (const llama_batch & batch : batches) {
        const int status = llama_decode(context, batch);
        if (status != 0) return status;
        llama_synchronize(context);
    }
    return 0;
}

// Notes when each ended. `ends` has a place for every batch.
TIMED int decode_each_timed(llama_context * context, const std::vector<llama_batch> & batches, std::vector<uint64_t> & ends) {
    for (size_t index = 0; index < batches.size(); index++) {
        const int status = llama_decode(context, batches[index]);
        if (status != 0) return status;
        llama_synchronize(context);
        ends[index] = now_ns();
    }
    return 0;
}

}  // namespace timed

namespace {

int vocabulary_size(llama_context * context) {
    return llama_vocab_n_tokens(llama_model_get_vocab(llama_get_model(context)));
}

void throw_decode_failed(int status, const char * where) {
    throw Failure(FailureCode::decode_failed,
                  std::string("llama_decode returned ") + std::to_string(status) + " in " + where);
}

std::vector<llama_batch> split(llama_token * tokens, int count, int batch) {
    std::vector<llama_batch> batches;
    for (int at = 0; at < count; at += batch) {
        batches.push_back(llama_batch_get_one(tokens + at, std::min(batch, count - at)));
    }
    return batches;
}

std::vector<uint64_t> differences(uint64_t start, const std::vector<uint64_t> & ends) {
    std::vector<uint64_t> result;
    for (const uint64_t end : ends) {
        result.push_back(end - start);
        start = end;
    }
    return result;
}

// llama.cpp keeps the graph of its last call and builds another when the next one has another shape. In a trial
// whose cache is computed a prefill stands before the first timed step, whose graph is built inside the timer. Behind
// an activity's steps it would be there already, about 1 % of a short repetition: a call of two tokens forgets it.
// A prefill that reuses its own graph from one repetition to the next builds it anew behind steps: nothing cheap undoes
// that.
bool needs_other_graph_last(const Trial & trial) {
    const int in_last_batch = (trial.prepared_tokens() - 1) % trial.batch + 1;
    const int in_last_call  = (in_last_batch - 1) % trial.ubatch + 1;
    return trial.phase == Phase::decode && trial.cache_preparation == CachePreparation::compute &&
           trial.prepared_tokens() > 0 && in_last_call > 1 && trial.decode_steps > 1 && trial.ubatch > 1;
}

// -1: wherever the system puts it.
void place_main_thread(int cpu) {
    if (cpu < 0 || restrict_this_thread(cpu)) return;
    throw Failure(FailureCode::setting_not_taken,
                  "treatment.mainThread: the system refused CPU " + std::to_string(cpu));
}

}  // namespace

TimedPhase::TimedPhase(const Trial & trial, llama_context * context, Readings * readings)
    : trial_(trial),
      context_(context),
      tokens_(generate_tokens(trial.token_seed, trial.prepared_tokens() + trial.timed_tokens(),
                              vocabulary_size(context))),
      prepared_(split(tokens_.data(), trial.prepared_tokens(), trial.batch)),
      timed_(split(tokens_.data() + trial.prepared_tokens(), trial.timed_tokens(),
                   trial.phase == Phase::prefill ? trial.batch : 1)),
      step_ends_(trial.step_times ? trial.timed_tokens() : 0),
      readings_(readings),
      spare_(split(tokens_.data() + trial.prepared_tokens(), trial.timed_tokens(), 1)) {
    if (needs_other_graph_last(trial)) last_spare_ = llama_batch_get_one(tokens_.data() + trial.prepared_tokens(), 2);
}

ActivityDone TimedPhase::do_wished_activity() {
    return do_activity(
        trial_.treatment.activity, *readings_, [this] { decode_spare_step(); }, [this] { end_spare_steps(); });
}

void TimedPhase::decode_spare(const llama_batch & batch) {
    const int status = llama_decode(context_, batch);
    if (status != 0) throw_decode_failed(status, "the activity before the timer");
    llama_synchronize(context_);
}

void TimedPhase::decode_spare_step() {
    if (spare_used_ == spare_.size()) take_back_spare_steps();
    decode_spare(spare_[spare_used_]);
    spare_used_ += 1;
}

void TimedPhase::take_back_spare_steps() {
    const llama_memory_t memory = llama_get_memory(context_);
    if (trial_.prepared_tokens() == 0) {
        llama_memory_clear(memory, false);
    } else if (!llama_memory_seq_rm(memory, 0, trial_.prepared_tokens(), -1)) {
        throw Failure(FailureCode::setting_not_taken, "treatment.activity: the steps of the decode cannot be taken back");
    }
    spare_used_ = 0;
}

void TimedPhase::end_spare_steps() {
    take_back_spare_steps();
    if (!last_spare_) return;
    decode_spare(*last_spare_);
    take_back_spare_steps();
}

uint64_t TimedPhase::compute_prepared() {
    const uint64_t start  = now_ns();
    const int      status = timed::decode_all(context_, prepared_);
    if (status != 0) {
        throw_decode_failed(status, trial_.phase == Phase::prefill ? "the depth before prefill" :
                                                                     "the prefill before decode");
    }
    return now_ns() - start;
}

std::optional<uint64_t> TimedPhase::prepare() {
    const llama_memory_t memory = llama_get_memory(context_);
    llama_memory_clear(memory, false);
    if (prepared_.empty()) return std::nullopt;
    if (trial_.cache_preparation == CachePreparation::compute) return compute_prepared();

    std::optional<uint64_t> computed_ns;
    if (!saved_) {
        computed_ns = compute_prepared();
        saved_.emplace(context_);
        llama_memory_clear(memory, false);  // so that the first repetition starts like the others
    }
    saved_->restore(context_);
    return computed_ns;
}

Repetition TimedPhase::run() {
    const uint64_t before     = now_ns();
    const bool     is_treated = knows_treatments && readings_ != nullptr;
    if (is_treated) place_main_thread(trial_.treatment.main_thread.prepare_on);
    const auto                  prefill_ns = prepare();
    std::optional<ActivityDone> activity;
    if (is_treated) {
        place_main_thread(trial_.treatment.main_thread.time_on);
        if (trial_.treatment.activity.milliseconds > 0) activity = do_wished_activity();
        readings_->begin();
    }

    int      status;
    uint64_t start;
    uint64_t end;
    if (trial_.step_times) {
        start  = now_ns();
        status = timed::decode_each_timed(context_, timed_, step_ends_);
        end    = step_ends_.back();
    } else {
        start = now_ns();
        if (trial_.phase == Phase::prefill) {
            status = timed::decode_all(context_, timed_);
        } else {
            status = timed::decode_each(context_, timed_);
        }
        end = now_ns();
    }

    if (is_treated) readings_->end();
    if (status != 0) throw_decode_failed(status, "the timed region");
    Repetition repetition{ end - start, start - before, std::nullopt, std::nullopt, std::move(activity) };
    if (trial_.step_times) repetition.steps = Steps{ differences(start, step_ends_), prefill_ns };
    if (is_treated) repetition.counters = readings_->counters();
    return repetition;
}

void check_positions(const Trial & trial, llama_context * context) {
    const int asked = trial.prepared_tokens() + trial.timed_tokens();
    const int got   = llama_memory_seq_pos_max(llama_get_memory(context), 0) + 1;
    if (asked != got) {
        throw Failure(FailureCode::setting_not_taken, "tokens in the cache after a repetition: asked " +
                                                          std::to_string(asked) + ", got " + std::to_string(got));
    }
}

void check_logits(llama_context * context) {
    const float * logits = llama_get_logits_ith(context, -1);
    if (logits == nullptr) throw Failure(FailureCode::invalid_logits, "there are no logits for the last token");
    for (int token = 0; token < vocabulary_size(context); token++) {
        if (!std::isfinite(logits[token])) {
            throw Failure(FailureCode::invalid_logits, "the logit of token " + std::to_string(token) + " is not finite");
        }
    }
}
