// Stands before llama.cpp (LD_PRELOAD) and writes what it computes into the file that RECORD names: one
// JSON object for each call of llama_decode, with its tokens, how long the sequence is after it, and of
// the last token's logits the first one and a hash of every bit.
#include "llama.h"

#include <dlfcn.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

// FNV-1a, 64 bits.
uint64_t hash_bytes(const void * bytes, size_t count) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t at = 0; at < count; at++) {
        hash = (hash ^ static_cast<const uint8_t *>(bytes)[at]) * 0x100000001b3;
    }
    return hash;
}

void record(llama_context * context, const llama_batch & batch) {
    static FILE * file = std::fopen(std::getenv("RECORD"), "w");

    std::string tokens;
    for (int at = 0; at < batch.n_tokens; at++) tokens += (at == 0 ? "" : ",") + std::to_string(batch.token[at]);
    const int     length     = llama_memory_seq_pos_max(llama_get_memory(context), 0) + 1;
    const int     vocabulary = llama_vocab_n_tokens(llama_model_get_vocab(llama_get_model(context)));
    const float * logits     = llama_get_logits_ith(context, -1);
    std::fprintf(file, "{\"tokens\":[%s],\"length\":%d,\"logit\":%.9g,\"logits\":\"%016" PRIx64 "\"}\n", tokens.c_str(),
                 length, logits[0], hash_bytes(logits, vocabulary * sizeof(float)));
    std::fflush(file);
}

}  // namespace

int32_t llama_decode(llama_context * context, llama_batch batch) {
    static auto * next   = reinterpret_cast<decltype(llama_decode) *>(dlsym(RTLD_NEXT, "llama_decode"));
    const int     status = next(context, batch);
    if (status == 0) record(context, batch);
    return status;
}
