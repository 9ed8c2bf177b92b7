// Stands before llama.cpp (LD_PRELOAD) and does something else than what it is asked: what LIE names.
// The tests use it to see that the runner finds out.
#include "llama.h"

#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

bool lie_is(const char * name) {
    const char * lie = std::getenv("LIE");
    return lie != nullptr && std::strcmp(lie, name) == 0;
}

template <typename Function> Function * next(const char * name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void llama_backend_init() {
    if (lie_is("prints")) {
        std::puts("{\"type\":\"repetition\",\"index\":0,\"wallNs\":1,\"prepareNs\":1}");
        std::fflush(stdout);
    }
    next<decltype(llama_backend_init)>("llama_backend_init")();
}

llama_model * llama_model_load_from_file(const char * path, llama_model_params params) {
    if (lie_is("load mode")) params.load_mode = LLAMA_LOAD_MODE_NONE;
    if (lie_is("extra buffers")) params.use_extra_bufts = true;
    return next<decltype(llama_model_load_from_file)>("llama_model_load_from_file")(path, params);
}

llama_context * llama_init_from_model(llama_model * model, llama_context_params params) {
    if (lie_is("flash attention")) params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_ENABLED;
    if (lie_is("cache in main memory")) params.offload_kqv = false;
    if (lie_is("cache type")) params.type_k = GGML_TYPE_Q8_0;
    if (lie_is("batch sizes")) params.n_batch = params.n_ubatch = 2;
    if (lie_is("threads")) params.n_threads = 2;
    if (lie_is("unified")) params.kv_unified = !params.kv_unified;
    return next<decltype(llama_init_from_model)>("llama_init_from_model")(model, params);
}

int32_t llama_decode(llama_context * context, llama_batch batch) {
    static int calls = 0;
    // The untimed look takes two calls, a repetition of the test's trial five.
    if (lie_is("decode") && ++calls > 2 + 5) return 1;
    return next<decltype(llama_decode)>("llama_decode")(context, batch);
}

size_t llama_state_seq_get_data(llama_context * context, uint8_t * target, size_t size, llama_seq_id sequence) {
    if (lie_is("saves nothing")) return 0;
    return next<decltype(llama_state_seq_get_data)>("llama_state_seq_get_data")(context, target, size, sequence);
}

size_t llama_state_seq_set_data(llama_context * context, const uint8_t * source, size_t size, llama_seq_id sequence) {
    if (lie_is("refuses to restore")) return 0;
    if (lie_is("restores nothing")) return size;
    return next<decltype(llama_state_seq_set_data)>("llama_state_seq_set_data")(context, source, size, sequence);
}

float * llama_get_logits_ith(llama_context * context, int32_t index) {
    float * logits = next<decltype(llama_get_logits_ith)>("llama_get_logits_ith")(context, index);
    if (lie_is("logits")) logits[5] = std::nanf("");
    return logits;
}
