#include "saved-cache.h"

#include "failure.h"

#include <string>

namespace {

constexpr llama_seq_id only_sequence = 0;

void check_size(const char * done, size_t asked, size_t got) {
    if (got == asked && asked > 0) return;
    throw Failure(FailureCode::setting_not_taken, "cachePreparation: asked restore, got " + std::to_string(got) + " of " +
                                                      std::to_string(asked) + " bytes " + done);
}

}  // namespace

SavedCache::SavedCache(llama_context * context) : state_(llama_state_seq_get_size(context, only_sequence)) {
    check_size("saved", state_.size(), llama_state_seq_get_data(context, state_.data(), state_.size(), only_sequence));
}

void SavedCache::restore(llama_context * context) const {
    check_size("restored", state_.size(),
               llama_state_seq_set_data(context, state_.data(), state_.size(), only_sequence));
    llama_synchronize(context);  // nothing of it may reach into the timer
}
