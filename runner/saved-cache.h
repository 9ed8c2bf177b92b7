// A copy of the cache's tokens in main memory, to go back to.
#pragma once

#include "llama.h"

#include <cstdint>
#include <vector>

// Why a copy, and not llama_memory_seq_rm back to the prepared length: that is right for a plain KV
// cache alone. In a sliding window the timed tokens have overwritten cells that the last prepared
// tokens still need, and seq_rm says true all the same; a recurrent state cannot go back at all
// (seq_rm says false). The state of a sequence is defined for every kind of memory, and llama-bench
// restores the same way. Of a sliding window it holds what the next token can see. The same tokens then
// lie in other cells than after computing, so sums differ by roundings, and the cells behind the window
// are empty, so the first timed tokens may pass over fewer masked cells.
class SavedCache {
  public:
    // Saves the only sequence. Throws Failure setting_not_taken.
    explicit SavedCache(llama_context * context);

    // Into a cleared cache. Throws Failure setting_not_taken.
    void restore(llama_context * context) const;

  private:
    std::vector<uint8_t> state_;
};
