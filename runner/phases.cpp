#include "phases.h"

#include "clock.h"
#include "failure.h"
#include "tokens.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace {

int vocabulary_size(llama_context * context) {
    return llama_vocab_n_tokens(llama_model_get_vocab(llama_get_model(context)));
}

void throw_decode_failed(int status, const char * where) {
    throw Failure(FailureCode::decode_failed,
                  std::string("llama_decode returned ") + std::to_string(status) + " in " + where);
}

// Stops at the first failure and returns its status.
int decode_all(llama_context * context, const std::vector<llama_batch> & batches) {
    for (const llama_batch & batch : batches) {
        const int status = llama_decode(context, batch);
        if (status != 0) return status;
    }
    llama_synchronize(context);
    return 0;
}

int decode_each(llama_context * context, const std::vector<llama_batch> & batches) {
    for (const llama_batch & batch : batches) {
        const int status = llama_decode(context, batch);
        if (status != 0) return status;
        llama_synchronize(context);
    }
    return 0;
}

}  // namespace

TimedPhase::TimedPhase(const Trial & trial, llama_context * context)
    : trial_(trial),
      context_(context),
      tokens_(generate_tokens(trial.token_seed, trial.sequence_length + trial.decode_steps, vocabulary_size(context))) {
    for (int at = 0; at < trial.sequence_length; at += trial.batch) {
        const int count = std::min(trial.batch, trial.sequence_length - at);
        prompt_.push_back(llama_batch_get_one(tokens_.data() + at, count));
    }
    for (int step = 0; step < trial.decode_steps; step++) {
        steps_.push_back(llama_batch_get_one(tokens_.data() + trial.sequence_length + step, 1));
    }
}

Repetition TimedPhase::run() {
    const uint64_t before = now_ns();
    llama_memory_clear(llama_get_memory(context_), false);
    if (trial_.phase == Phase::decode) {
        const int status = decode_all(context_, prompt_);
        if (status != 0) throw_decode_failed(status, "the prefill before decode");
    }

    int            status;
    const uint64_t start = now_ns();
    if (trial_.phase == Phase::prefill) {
        status = decode_all(context_, prompt_);
    } else {
        status = decode_each(context_, steps_);
    }
    const uint64_t end = now_ns();

    if (status != 0) throw_decode_failed(status, "the timed region");
    return { end - start, start - before };
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
