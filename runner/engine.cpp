#include "engine.h"

#include "failure.h"
#include "ggml-backend.h"
#include "log.h"

#include <algorithm>
#include <vector>

namespace {

// The main device is the first, and only, of the trial's list when nothing is split.
constexpr int first_device = 0;

ggml_backend_reg_t cpu_backend() {
    ggml_backend_dev_t cpu = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
    if (cpu == nullptr) throw Failure(FailureCode::device_not_found, "no CPU backend was found among the libraries");
    return ggml_backend_dev_backend_reg(cpu);
}

template <typename Function> Function * cpu_function(const char * name) {
    auto * function = reinterpret_cast<Function *>(ggml_backend_reg_get_proc_address(cpu_backend(), name));
    if (function == nullptr) {
        throw Failure(FailureCode::setting_not_taken, std::string("this CPU backend has no ") + name);
    }
    return function;
}

ggml_backend_dev_t find_device(const std::string & name) {
    ggml_backend_dev_t device = ggml_backend_dev_by_name(name.c_str());
    if (device != nullptr && ggml_backend_dev_type(device) != GGML_BACKEND_DEVICE_TYPE_CPU) return device;

    std::string found;
    for (size_t index = 0; index < ggml_backend_dev_count(); index++) {
        found += (found.empty() ? "" : ", ") + std::string(ggml_backend_dev_name(ggml_backend_dev_get(index)));
    }
    throw Failure(FailureCode::device_not_found, "no device \"" + name + "\"; there are: " + found);
}

// A list that ends with a null pointer; without a device no GPU is used.
std::vector<ggml_backend_dev_t> find_devices(const Trial & trial) {
    std::vector<ggml_backend_dev_t> devices;
    if (!trial.uses_cpu_only()) {
        for (const std::string & name : trial.devices) devices.push_back(find_device(name));
    }
    devices.push_back(nullptr);
    return devices;
}

}  // namespace

void load_backends(const std::string & libraries) {
    ggml_backend_load_all_from_path(libraries.c_str());
    cpu_backend();
    llama_backend_init();
}

void set_numa(const Trial & trial) {
    llama_numa_init(trial.numa);
    if (trial.numa == GGML_NUMA_STRATEGY_DISABLED) return;
    if (!cpu_function<decltype(ggml_is_numa)>("ggml_backend_cpu_is_numa")()) {
        throw Failure(FailureCode::setting_not_taken, "numa: asked for a strategy, but there is one memory node");
    }
}

// Left at llama.cpp's defaults, because none of them changes the cost of a trial:
// tensor_buft_overrides, kv_overrides and tensor_split (none: the split follows free memory),
// progress callbacks (loading is not timed; the default prints dots to the log), vocab_only and
// no_alloc (off), load_mtp (the models of a trial have no such layers).
Model load_model(const Trial & trial) {
    std::vector<ggml_backend_dev_t> devices = find_devices(trial);

    llama_model_params params = llama_model_default_params();
    params.devices            = devices.data();
    params.n_gpu_layers       = trial.gpu_layers;
    params.split_mode         = trial.split_mode;
    params.main_gpu           = first_device;
    params.load_mode          = trial.load_mode;
    params.lazy_mode          = trial.lazy_mode;
    params.check_tensors      = trial.check_tensors;
    params.use_extra_bufts    = trial.extra_buffer_types;
    params.no_host            = !trial.host_buffers;

    Model model(llama_model_load_from_file(trial.model_path.c_str(), params));
    if (!model) throw Failure(FailureCode::model_not_loaded, trial.model_path + ": " + kept_log_errors());
    // Decoding before anything was encoded ends the process inside llama.cpp.
    if (llama_model_has_encoder(model.get())) {
        throw Failure(FailureCode::context_not_created,
                      "this model decodes only what an encoder or another model read before: that is not measured");
    }
    return model;
}

// Left at llama.cpp's defaults, because none of them changes the cost of a trial: one sequence
// (n_seq_max 1, n_rs_seq 0), outputs (only a batch's last token has any: n_outputs_max reserves
// memory, no time), RoPE and YaRN (from the model), pooling and attention type (from the model),
// embeddings (off), samplers (none), callbacks (none; cb_eval only in the untimed probe), ctx_type,
// ctx_other, defrag_thold (deprecated).
llama_context_params context_params(const Trial & trial) {
    llama_context_params params = llama_context_default_params();
    params.n_ctx                = trial.context_size;
    params.n_batch              = trial.batch;
    params.n_ubatch             = trial.ubatch;
    params.n_threads            = trial.threads;
    params.n_threads_batch      = trial.threads_batch;
    params.flash_attn_type = trial.flash_attention ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
    params.type_k          = trial.kv_type_k;
    params.type_v          = trial.kv_type_v;
    params.offload_kqv     = trial.kv_offload;
    params.no_perf         = !trial.internal_timers;
    params.op_offload      = trial.op_offload;
    params.swa_full        = trial.swa_full;
    params.kv_unified      = trial.kv_unified;
    return params;
}

Context create_context(llama_model * model, const llama_context_params & params) {
    Context context(llama_init_from_model(model, params));
    if (!context) throw Failure(FailureCode::context_not_created, kept_log_errors());
    if (llama_get_memory(context.get()) == nullptr) {
        throw Failure(FailureCode::context_not_created,
                      "this model keeps nothing from one decode to the next (an encoder?): that is not measured");
    }
    return context;
}

ThreadPools::ThreadPools(const Trial & trial)
    : free_pool_(cpu_function<decltype(ggml_threadpool_free)>("ggml_threadpool_free")) {
    auto * new_pool = cpu_function<decltype(ggml_threadpool_new)>("ggml_threadpool_new");

    ggml_threadpool_params params = ggml_threadpool_params_default(trial.threads);
    params.prio                   = trial.thread_pool_priority;
    params.poll                   = trial.thread_pool_poll;
    params.strict_cpu             = trial.thread_pool_strict_cpu;
    if (trial.thread_pool_strict_cpu) {
        for (const int cpu : trial.affinity) params.cpumask[cpu] = true;
    }
    if (trial.needs_batch_pool()) {
        ggml_threadpool_params batch_params = params;
        batch_params.n_threads              = trial.threads_batch;
        batch_pool_                         = new_pool(&batch_params);
        params.paused                       = true;  // as llama.cpp does: one pool works at a time
    }
    pool_ = new_pool(&params);
    if (pool_ == nullptr || (trial.needs_batch_pool() && batch_pool_ == nullptr)) {
        throw Failure(FailureCode::setting_not_taken, "ggml did not create the thread pool");
    }
}

ThreadPools::~ThreadPools() {
    free_pool_(pool_);
    if (batch_pool_ != nullptr) free_pool_(batch_pool_);
}

void ThreadPools::attach(llama_context * context) const {
    llama_attach_threadpool(context, pool_, batch_pool_);
}
