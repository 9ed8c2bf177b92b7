#include "probe.h"

#include "failure.h"
#include "ggml-backend.h"

#include <algorithm>
#include <cstdio>

namespace {

// Small, so that it costs milliseconds; what is observed does not depend on it.
constexpr int probe_context_size = 256;
// More than one token, so that the batch threads run; below the batch sizes from which backends copy
// weights to a GPU (op offload), so that weights are seen where they lie.
constexpr int probe_batch = 2;

// The device whose own memory holds the buffer, or null for main memory, pinned memory included.
ggml_backend_dev_t device_of(ggml_backend_buffer_t buffer) {
    ggml_backend_buffer_type_t type   = ggml_backend_buffer_get_type(buffer);
    ggml_backend_dev_t         device = ggml_backend_buft_get_device(type);
    if (device == nullptr || ggml_backend_buft_is_host(type)) return nullptr;
    switch (ggml_backend_dev_type(device)) {
        case GGML_BACKEND_DEVICE_TYPE_CPU:
        case GGML_BACKEND_DEVICE_TYPE_ACCEL: return nullptr;
        default:                             return device;
    }
}

void observe_weight(const ggml_tensor * weight, const ggml_tensor * operation, Observed & observed) {
    ggml_backend_buffer_type_t type   = ggml_backend_buffer_get_type(weight->buffer);
    ggml_backend_dev_t         device = device_of(weight->buffer);
    if (device != nullptr) {
        observed.devices.insert(ggml_backend_dev_name(device));
    } else if (!ggml_backend_buft_is_host(type)) {
        observed.extra_buffer_types.insert(ggml_backend_buft_name(type));
    }

    int layer;
    if (std::sscanf(weight->name, "blk.%d.", &layer) == 1) {
        (device != nullptr ? observed.layers_on_device : observed.layers_off_device).insert(layer);
    } else if (operation->op == GGML_OP_MUL_MAT) {
        observed.output_on_device = device != nullptr;  // the output, or the embedding where they are tied
    }
}

// `kind`: k or v of attention, r or s (convolution, state) of a recurrent layer.
void observe_cache(const ggml_tensor * cache, char kind, int layer, Observed & observed) {
    if (kind == 'k') observed.kv_types_k.insert(ggml_type_name(cache->type));
    if (kind == 'v') observed.kv_types_v.insert(ggml_type_name(cache->type));
    observed.cached_layers.insert(layer);
    (device_of(cache->buffer) != nullptr ? observed.cache_on_device : observed.cache_on_host) = true;
}

void observe_tensor(const ggml_tensor * tensor, const ggml_tensor * operation, Observed & observed) {
    const ggml_tensor * root = tensor->view_src != nullptr ? tensor->view_src : tensor;
    if (root->buffer == nullptr) return;
    char kind[2];
    int  layer;
    if (std::sscanf(root->name, "cache_%1[kvrs]_l%d", kind, &layer) == 2) {
        observe_cache(root, kind[0], layer, observed);
    } else if (ggml_backend_buffer_get_usage(root->buffer) == GGML_BACKEND_BUFFER_USAGE_WEIGHTS) {
        observe_weight(root, operation, observed);
    }
}

// Operations that move or compute nothing, or that llama.cpp always leaves to the CPU: the rows of the
// token embedding.
bool belongs_anywhere(ggml_op operation) {
    switch (operation) {
        case GGML_OP_NONE:
        case GGML_OP_RESHAPE:
        case GGML_OP_VIEW:
        case GGML_OP_PERMUTE:
        case GGML_OP_TRANSPOSE:
        case GGML_OP_GET_ROWS: return true;
        default:               return false;
    }
}

void observe_place(const ggml_tensor * operation, Observed & observed) {
    const ggml_tensor * root = operation->view_src != nullptr ? operation->view_src : operation;
    if (belongs_anywhere(operation->op) || root->buffer == nullptr) return;
    if (device_of(root->buffer) == nullptr) observed.operations_off_device.insert(ggml_op_name(operation->op));
}

// ggml's evaluation callback. Answering false to every question lets the graph run in one piece.
bool observe_operation(ggml_tensor * operation, bool, void * user_data) {
    Observed & observed = *static_cast<Observed *>(user_data);
    if (operation->op == GGML_OP_FLASH_ATTN_EXT) observed.flash_attention = true;
    observe_place(operation, observed);
    observe_tensor(operation, operation, observed);
    for (const ggml_tensor * source : operation->src) {
        if (source != nullptr) observe_tensor(source, operation, observed);
    }
    return false;
}

void run_tokens(llama_context * context, int count) {
    std::vector<llama_token> tokens(count, 0);
    if (llama_decode(context, llama_batch_get_one(tokens.data(), count)) != 0) {
        throw Failure(FailureCode::decode_failed, "llama_decode failed in the untimed look at the graph");
    }
    llama_synchronize(context);
}

}  // namespace

int Observed::layers_offloaded() const {
    const auto whole = std::count_if(layers_on_device.begin(), layers_on_device.end(),
                                     [this](int layer) { return layers_off_device.count(layer) == 0; });
    return static_cast<int>(whole) + (output_on_device ? 1 : 0);
}

Observed observe_graph(llama_model * model, const Trial & trial, const ThreadPools & pools) {
    Observed             observed;
    llama_context_params params = context_params(trial);
    params.n_ctx                = std::min(trial.context_size, probe_context_size);
    params.cb_eval              = observe_operation;
    params.cb_eval_user_data    = &observed;

    const Context context = create_context(model, params);
    pools.attach(context.get());
    if (trial.batch >= probe_batch && trial.context_size > probe_batch) run_tokens(context.get(), probe_batch);
    llama_memory_clear(llama_get_memory(context.get()), false);
    run_tokens(context.get(), 1);
    return observed;
}
