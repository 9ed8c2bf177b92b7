// Token ids from a seed, the same on every machine.
#pragma once

#include "llama.h"

#include <cstdint>
#include <vector>

// count ids, uniform in [0, vocabulary_size).
std::vector<llama_token> generate_tokens(uint32_t seed, int count, int vocabulary_size);
