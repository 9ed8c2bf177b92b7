#include "verification.h"

#include "failure.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace {

std::string list_cpus(const CpuList & cpus) {
    std::string text;
    for (const int cpu : cpus) text += (text.empty() ? "" : ",") + std::to_string(cpu);
    return text;
}

std::string list_names(const std::set<std::string> & names) {
    std::string text;
    for (const std::string & name : names) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
}

Failure not_taken(const std::string & setting, const std::string & asked, const std::string & got) {
    return Failure(FailureCode::setting_not_taken, setting + ": asked " + asked + ", got " + got);
}

// Collects what differs between asked and got.
class Differences {
  public:
    void compare(const char * setting, int asked, int got) {
        if (asked != got) add(setting, std::to_string(asked), std::to_string(got));
    }
    void compare(const char * setting, const std::string & asked, const std::string & got) {
        if (asked != got) add(setting, asked, got);
    }
    void add(const std::string & setting, const std::string & asked, const std::string & got) {
        message_ += (message_.empty() ? "" : "; ") + setting + ": asked " + asked + ", got " + got;
    }
    void throw_if_any() const {
        if (!message_.empty()) throw Failure(FailureCode::setting_not_taken, message_);
    }

  private:
    std::string message_;
};

// Lines such as "load_tensors:   CPU_Mapped model buffer size =    12.50 MiB".
std::vector<Buffer> find_buffers(const std::string & log, const std::string & kind) {
    const std::string   words = " " + kind + " buffer size =";
    std::vector<Buffer> buffers;
    for (size_t at = log.find(words); at != std::string::npos; at = log.find(words, at + 1)) {
        const size_t name = log.find_last_of(" \n", at - 1) + 1;
        buffers.push_back({ log.substr(name, at - name), std::atof(log.c_str() + at + words.size()) });
    }
    return buffers;
}

// "load_tensors: offloaded 3/4 layers to GPU"; nothing where there is no GPU.
std::optional<int> find_offloaded_layers(const std::string & log) {
    const std::string word = "offloaded ";
    const size_t      at   = log.find(word);
    if (at == std::string::npos) return std::nullopt;
    return std::atoi(log.c_str() + at + word.size());
}

bool contains(const std::string & text, const char * part) {
    return text.find(part) != std::string::npos;
}

void compare_load_mode(const Trial & trial, const std::string & log, const std::vector<Buffer> & buffers,
                       Differences & differences) {
    const bool asked_mapping = trial.load_mode == LLAMA_LOAD_MODE_MMAP || trial.load_mode == LLAMA_LOAD_MODE_MMAP_MLOCK;
    const bool got_mapping   = std::any_of(buffers.begin(), buffers.end(), [](const Buffer & buffer) {
        return contains(buffer.name, "_Mapped");
    });
    // Reading rows on demand maps the file whatever the load mode.
    if (asked_mapping != got_mapping && trial.lazy_mode != LLAMA_LAZY_MODE_ON) {
        differences.add("loadMode", asked_mapping ? "a mapped file" : "no mapped file",
                        got_mapping ? "a mapped file" : "no mapped file");
    }
    if (contains(log, "failed to mlock") || contains(log, "mlock not supported")) {
        differences.add("loadMode", "locked memory", "memory that is not locked");
    }
    if (contains(log, "Falling back to buffered I/O")) differences.add("loadMode", "direct I/O", "buffered I/O");
}

std::string read_metadata(const llama_model * model, const std::string & key) {
    char value[128];
    return llama_model_meta_val_str(model, key.c_str(), value, sizeof(value)) < 0 ? "" : value;
}

// 0 where the file does not say.
int read_count(const llama_model * model, const std::string & name) {
    return std::atoi(read_metadata(model, read_metadata(model, "general.architecture") + "." + name).c_str());
}

// The log's count is the asked one; where the graph disagrees, both differ. More than there are means all.
// Of n layers on a device the output is the first, the model's last layer the second. The last ones may guess
// further tokens: llama.cpp counts them, and no graph of a trial has them.
void compare_devices(const Trial & trial, const Observed & observed, const llama_model * model, const std::string & log,
                     Differences & differences) {
    const int layers   = std::min(trial.gpu_layers, read_count(model, "block_count") + 1);
    const int guessing = std::min(read_count(model, "nextn_predict_layers"), std::max(layers - 1, 0));
    differences.compare("gpuLayers", layers, observed.layers_offloaded() + guessing);
    const auto logged = find_offloaded_layers(log);
    if (logged) differences.compare("gpuLayers in the load log", layers, *logged);

    const std::set<std::string> asked(trial.devices.begin(), trial.devices.end());
    // A split by rows or tensors shows as one device of its own, with another name.
    const bool shows_names = trial.split_mode == LLAMA_SPLIT_MODE_NONE || trial.split_mode == LLAMA_SPLIT_MODE_LAYER;
    const bool uses_all    = trial.gpu_layers >= static_cast<int>(asked.size());
    if (shows_names && !trial.uses_cpu_only() && uses_all && observed.devices != asked) {
        differences.add("devices", list_names(asked), list_names(observed.devices));
    }
    // With every layer and the cache on devices, an operation elsewhere is one that the backend lacks.
    const bool all_on_device = !trial.uses_cpu_only() && trial.kv_offload && observed.layers_off_device.empty() &&
                               observed.output_on_device;
    if (all_on_device && !observed.operations_off_device.empty()) {
        differences.add("gpuLayers", "every operation on the device",
                        "on the CPU: " + list_names(observed.operations_off_device));
    }
    if (!trial.extra_buffer_types && !observed.extra_buffer_types.empty()) {
        differences.add("extraBufferTypes", "none", list_names(observed.extra_buffer_types));
    }
}

// F16 where nobody asked for anything, so that no effect of it is no difference.
void compare_types_without_attention(const Trial & trial, Differences & differences) {
    const char * none = "none, as this model has no attention";
    if (trial.kv_type_k != GGML_TYPE_F16) differences.add("kvTypeK", ggml_type_name(trial.kv_type_k), none);
    if (trial.kv_type_v != GGML_TYPE_F16) differences.add("kvTypeV", ggml_type_name(trial.kv_type_v), none);
}

bool share_a_layer(const std::set<int> & some, const std::set<int> & others) {
    return std::any_of(some.begin(), some.end(), [&](int layer) { return others.count(layer) != 0; });
}

void compare_cache(const Trial & trial, const Observed & observed, bool recurrent, Differences & differences) {
    if (recurrent && !observed.has_attention()) {
        compare_types_without_attention(trial, differences);
    } else {
        differences.compare("kvTypeK", ggml_type_name(trial.kv_type_k), list_names(observed.kv_types_k));
        // Families with latent attention keep K alone, and llama.cpp takes the same type for V or refuses.
        if (!observed.kv_types_v.empty()) {
            differences.compare("kvTypeV", ggml_type_name(trial.kv_type_v), list_names(observed.kv_types_v));
        }
    }
    // A layer's cache lies where the layer lies, or in main memory when it is not offloaded; some layers have none.
    const bool asked_on_device = trial.kv_offload && share_a_layer(observed.cached_layers, observed.layers_on_device);
    const bool asked_on_host   = !trial.kv_offload || share_a_layer(observed.cached_layers, observed.layers_off_device);
    if (observed.cache_on_device != asked_on_device || observed.cache_on_host != asked_on_host) {
        differences.add("kvOffload", trial.kv_offload ? "on" : "off",
                        std::string("a cache on the device: ") + (observed.cache_on_device ? "yes" : "no") +
                            ", in main memory: " + (observed.cache_on_host ? "yes" : "no"));
    }
}

const char * describe_flash_attention(const Observed & observed, bool recurrent) {
    if (observed.flash_attention) return "on";
    return recurrent && !observed.has_attention() ? "off, as this model has no attention" : "off";
}

}  // namespace

void check_thread_count(const Trial & trial) {
    const auto   allowed = allowed_cpus();
    const size_t cpus    = !trial.affinity.empty() ? trial.affinity.size() :
                           allowed                 ? allowed->size() :
                                                     std::thread::hardware_concurrency();
    const size_t threads = std::max(trial.threads, trial.threads_batch);
    if (threads > cpus) {
        throw Failure(FailureCode::too_many_threads,
                      std::to_string(threads) + " threads on " + std::to_string(cpus) +
                          (cpus == 1 ? " allowed CPU" : " allowed CPUs") + " would wait for each other at every step");
    }
}

void apply_affinity(const Trial & trial) {
    if (trial.affinity.empty()) return;
    const bool accepted = restrict_to_cpus(trial.affinity);
    const auto got      = allowed_cpus();
    if (!accepted || !got || *got != trial.affinity) {
        throw not_taken("affinity", "CPUs " + list_cpus(trial.affinity),
                        got ? "CPUs " + list_cpus(*got) : "a system that binds no process to CPUs");
    }
}

void check_threads(const Trial & trial, const std::optional<CpuList> & process_cpus) {
    if (!this_thread_has_priority(trial.thread_pool_priority)) {
        throw not_taken("threadPoolPriority", "another priority", "the usual one (is it permitted?)");
    }
    const auto threads = cpus_of_threads();
    if (!threads || !process_cpus) return;
    // Strict placement and memory nodes give each thread a part of the CPUs.
    const bool parts = trial.thread_pool_strict_cpu || trial.numa != GGML_NUMA_STRATEGY_DISABLED;
    for (const CpuList & cpus : *threads) {
        const bool as_asked =
            parts ? std::includes(process_cpus->begin(), process_cpus->end(), cpus.begin(), cpus.end()) :
                    cpus == *process_cpus;
        if (!as_asked) {
            throw not_taken("affinity", "CPUs " + list_cpus(*process_cpus) + " for every thread",
                            "a thread on CPUs " + list_cpus(cpus));
        }
    }
}

// Not compared, because they are permissions that llama.cpp may leave unused: hostBuffers true,
// extraBufferTypes true, opOffload, lazyMode auto, swaFull (for models with a sliding window).
Applied check_settings(const Trial & trial, llama_context * context, const Observed & observed, const std::string & log,
                       const std::optional<CpuList> & process_cpus) {
    Applied applied;
    applied.threads          = llama_n_threads(context);
    applied.threads_batch    = llama_n_threads_batch(context);
    applied.context_size     = static_cast<int>(llama_n_ctx(context));
    applied.batch            = static_cast<int>(llama_n_batch(context));
    applied.ubatch           = static_cast<int>(llama_n_ubatch(context));
    applied.flash_attention  = observed.flash_attention;
    applied.layers_offloaded = observed.layers_offloaded();
    applied.layers_total     = llama_model_n_layer(llama_get_model(context)) + 1;
    applied.model_buffers    = find_buffers(log, "model");
    applied.kv_buffers       = find_buffers(log, "KV");
    applied.compute_buffers  = find_buffers(log, "compute");
    applied.cpus             = process_cpus;

    Differences differences;
    differences.compare("threads", trial.threads, applied.threads);
    differences.compare("threadsBatch", trial.threads_batch, applied.threads_batch);
    // llama.cpp rounds the context up, and cuts batches to the context that was asked for.
    if (applied.context_size < trial.context_size) {
        differences.compare("contextSize", trial.context_size, applied.context_size);
    }
    differences.compare("batch", std::min(trial.batch, trial.context_size), applied.batch);
    differences.compare("ubatch", std::min(trial.ubatch, trial.context_size), applied.ubatch);
    const llama_model * model     = llama_get_model(context);
    const bool          recurrent = llama_model_is_recurrent(model);
    if (trial.flash_attention != observed.flash_attention) {
        differences.add("flashAttention", trial.flash_attention ? "on" : "off",
                        describe_flash_attention(observed, recurrent));
    }
    compare_devices(trial, observed, model, log, differences);
    compare_cache(trial, observed, recurrent, differences);
    compare_load_mode(trial, log, applied.model_buffers, differences);
    const char * other_kv_unified = trial.kv_unified ? "kv_unified            = false" : "kv_unified            = true";
    if (contains(log, other_kv_unified)) {
        differences.add("kvUnified", trial.kv_unified ? "true" : "false", trial.kv_unified ? "false" : "true");
    }
    differences.throw_if_any();
    return applied;
}

void check_treatment(const Trial & trial, const llama_model * model) {
    const MainThreadWish & main_thread = trial.treatment.main_thread;
    const ActivityWish &   activity    = trial.treatment.activity;
    const auto             cpus        = allowed_cpus();
    for (const int cpu : { main_thread.prepare_on, main_thread.time_on }) {
        if (!main_thread.is_given()) break;
        if (!cpus) throw Failure(FailureCode::setting_not_taken, "treatment.mainThread: this system moves no single thread");
        if (std::find(cpus->begin(), cpus->end(), cpu) == cpus->end()) {
            throw Failure(FailureCode::setting_not_taken, "treatment.mainThread: CPU " + std::to_string(cpu) +
                                                              " is offline or not allowed; allowed: " + list_cpus(*cpus));
        }
    }
    // see saved-cache.h: only of a plain KV cache can the last tokens be taken back
    const bool is_plain = llama_model_n_swa(model) == 0 && !llama_model_is_recurrent(model) && !llama_model_is_hybrid(model);
    if (activity.milliseconds > 0 && activity.kind == ActivityKind::decode && !is_plain) {
        throw Failure(FailureCode::setting_not_taken,
                      "treatment.activity: a decode cannot be taken back out of this model's cache, which is no plain one");
    }
}
