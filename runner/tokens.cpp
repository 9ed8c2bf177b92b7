#include "tokens.h"

namespace {

// splitmix64 (Steele, Lea & Flood 2014, doi:10.1145/2714064.2660195); its constants are the paper's.
uint64_t next_splitmix64(uint64_t & state) {
    state += 0x9e3779b97f4a7c15;
    uint64_t z = state;
    z          = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z          = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

}  // namespace

std::vector<llama_token> generate_tokens(uint32_t seed, int count, int vocabulary_size) {
    const uint64_t bound = static_cast<uint64_t>(vocabulary_size);
    const uint64_t limit = UINT64_MAX - UINT64_MAX % bound;  // rejection: no id is more likely than another
    uint64_t       state = seed;

    std::vector<llama_token> tokens;
    tokens.reserve(count);
    while (static_cast<int>(tokens.size()) < count) {
        const uint64_t value = next_splitmix64(state);
        if (value < limit) tokens.push_back(static_cast<llama_token>(value % bound));
    }
    return tokens;
}
