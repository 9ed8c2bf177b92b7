#include "trial.h"

#include "failure.h"
#include "fields.h"
#include "treatment-fields.h"

#include <algorithm>
#include <map>
#include <set>

using nlohmann::json;

namespace {

// The limits are those of the trial format (src/formats/trial.ts).
constexpr int64_t max_tokens       = 1 << 20;
constexpr int64_t max_context      = 1 << 24;
constexpr int64_t max_decode_steps = 1 << 20;
constexpr int64_t max_repetitions  = 20000;
constexpr int64_t max_layers       = 4097;
constexpr int64_t max_threads      = GGML_MAX_N_THREADS;
constexpr int64_t last_version     = knows_treatments ? 2 : 1;

ggml_type read_kv_type(Fields & fields, const char * name) {
    return fields.choice<ggml_type>(name, {
                                              { "F32",  GGML_TYPE_F32  },
                                              { "F16",  GGML_TYPE_F16  },
                                              { "BF16", GGML_TYPE_BF16 },
                                              { "Q8_0", GGML_TYPE_Q8_0 },
                                              { "Q5_1", GGML_TYPE_Q5_1 },
                                              { "Q5_0", GGML_TYPE_Q5_0 },
                                              { "Q4_1", GGML_TYPE_Q4_1 },
                                              { "Q4_0", GGML_TYPE_Q4_0 },
                                          });
}

// What no single field can say. Only asked once every field is sound.
void check_together(const Trial & trial, Fields & fields) {
    if (trial.phase == Phase::prefill) {
        if (trial.sequence_length == 0) fields.fault("sequenceLength", "must be at least 1 in prefill");
        if (trial.step_times) fields.fault("stepTimes", "must be false in prefill, which has no steps");
    } else if (trial.depth != 0) {
        fields.fault("depth", "must be 0 in decode, where sequenceLength is the depth");
    }
    const int tokens = trial.prepared_tokens() + trial.timed_tokens();
    if (trial.context_size < tokens) {
        fields.fault("contextSize", "must hold the " + std::to_string(tokens) + " tokens of the phase");
    }
    if (trial.ubatch > trial.batch) fields.fault("ubatch", "must not be larger than batch");
    if (trial.devices.size() > 1) {
        if (trial.split_mode == LLAMA_SPLIT_MODE_NONE) {
            fields.fault("devices", "must be exactly one when splitMode is none");
        }
        if (std::find(trial.devices.begin(), trial.devices.end(), "CPU") != trial.devices.end()) {
            fields.fault("devices", "must not name the CPU beside another device");
        }
    }
    if (trial.treatment.main_thread.is_given() && trial.thread_pool_strict_cpu) {
        fields.fault("treatment.mainThread", "cannot move a thread that threadPoolStrictCpu binds");
    }
    // ggml sets the main thread's CPUs anew in every graph then
    if (trial.treatment.main_thread.is_given() && trial.numa != GGML_NUMA_STRATEGY_DISABLED) {
        fields.fault("treatment.mainThread", "cannot move a thread that numa binds");
    }
    if (trial.thread_pool_strict_cpu && trial.affinity.empty()) {
        fields.fault("threadPoolStrictCpu", "needs a list of CPUs in affinity");
    }
    if (trial.thread_pool_strict_cpu && !trial.affinity.empty() && trial.affinity.back() >= GGML_MAX_N_THREADS) {
        fields.fault("affinity", "must name CPUs below " + std::to_string(GGML_MAX_N_THREADS) +
                                     " when threadPoolStrictCpu is true");
    }
}

bool is_sha256(const std::string & text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

Trial parse_trial(const std::string & text) {
    std::set<std::string>                repeated;
    std::map<int, std::set<std::string>> names;  // of the object that is being read at each depth
    const auto note_name = [&](int depth, json::parse_event_t event, json & parsed) {
        if (event == json::parse_event_t::object_start) names[depth + 1].clear();
        const bool is_field = event == json::parse_event_t::key;
        if (is_field && !names[depth].insert(parsed).second) repeated.insert(parsed);
        return true;
    };
    const json object = json::parse(text, note_name, /* allow_exceptions = */ false);
    if (!object.is_object()) {
        throw Failure(FailureCode::invalid_trial, "standard input must hold one JSON object");
    }

    Fields fields(object);
    for (const std::string & name : repeated) fields.fault(name, "stands here twice");
    fields.choice<int>("format", { { "rooflaw-trial", 0 } });
    const int64_t version = fields.integer("formatVersion", 1, last_version);

    Trial trial;
    if (version == 2) trial.treatment = read_treatment(fields);
    trial.model_path      = fields.text("modelPath");
    trial.model_sha256    = fields.text("modelSha256");
    trial.phase           = fields.choice<Phase>("phase", { { "prefill", Phase::prefill }, { "decode", Phase::decode } });
    trial.sequence_length = fields.integer("sequenceLength", 0, max_tokens);
    trial.depth           = fields.integer("depth", 0, max_tokens);
    trial.decode_steps    = fields.integer("decodeSteps", 1, max_decode_steps);
    trial.repetitions     = fields.integer("repetitions", 1, max_repetitions);
    trial.cache_preparation =
        fields.choice<CachePreparation>("cachePreparation", {
                                                                { "compute", CachePreparation::compute },
                                                                { "restore", CachePreparation::restore },
                                                            });
    trial.step_times = fields.flag("stepTimes");
    trial.token_seed = fields.integer("tokenSeed", 0, UINT32_MAX);

    trial.devices    = fields.names("devices");
    trial.gpu_layers = fields.integer("gpuLayers", 0, max_layers);
    trial.split_mode = fields.choice<llama_split_mode>("splitMode", {
                                                                        { "none",   LLAMA_SPLIT_MODE_NONE   },
                                                                        { "layer",  LLAMA_SPLIT_MODE_LAYER  },
                                                                        { "row",    LLAMA_SPLIT_MODE_ROW    },
                                                                        { "tensor", LLAMA_SPLIT_MODE_TENSOR },
                                                                    });

    trial.context_size    = fields.integer("contextSize", 1, max_context);
    trial.batch           = fields.integer("batch", 1, max_tokens);
    trial.ubatch          = fields.integer("ubatch", 1, max_tokens);
    trial.flash_attention = fields.choice<bool>("flashAttention", { { "off", false }, { "on", true } });

    trial.kv_type_k  = read_kv_type(fields, "kvTypeK");
    trial.kv_type_v  = read_kv_type(fields, "kvTypeV");
    trial.kv_offload = fields.flag("kvOffload");
    trial.kv_unified = fields.flag("kvUnified");
    trial.swa_full   = fields.flag("swaFull");

    trial.threads              = fields.integer("threads", 1, max_threads);
    trial.threads_batch        = fields.integer("threadsBatch", 1, max_threads);
    trial.thread_pool_poll     = fields.integer("threadPoolPoll", 0, 100);
    trial.thread_pool_priority = fields.choice<ggml_sched_priority>("threadPoolPriority",
                                                                    {
                                                                        { "low",      GGML_SCHED_PRIO_LOW      },
                                                                        { "normal",   GGML_SCHED_PRIO_NORMAL   },
                                                                        { "medium",   GGML_SCHED_PRIO_MEDIUM   },
                                                                        { "high",     GGML_SCHED_PRIO_HIGH     },
                                                                        { "realtime", GGML_SCHED_PRIO_REALTIME },
                                                                    });
    trial.thread_pool_strict_cpu = fields.flag("threadPoolStrictCpu");
    trial.numa                   = fields.choice<ggml_numa_strategy>("numa",
                                                                     {
                                                       { "disabled",   GGML_NUMA_STRATEGY_DISABLED   },
                                                       { "distribute", GGML_NUMA_STRATEGY_DISTRIBUTE },
                                                       { "isolate",    GGML_NUMA_STRATEGY_ISOLATE    },
                                                       { "numactl",    GGML_NUMA_STRATEGY_NUMACTL    },
                                                       { "mirror",     GGML_NUMA_STRATEGY_MIRROR     },
                                                   });
    trial.affinity               = fields.cpus("affinity");

    trial.load_mode = fields.choice<llama_load_mode>("loadMode", {
                                                                     { "none",       LLAMA_LOAD_MODE_NONE       },
                                                                     { "mmap",       LLAMA_LOAD_MODE_MMAP       },
                                                                     { "mlock",      LLAMA_LOAD_MODE_MLOCK      },
                                                                     { "mmap-mlock", LLAMA_LOAD_MODE_MMAP_MLOCK },
                                                                     { "direct-io",  LLAMA_LOAD_MODE_DIRECT_IO  },
                                                                 });
    trial.lazy_mode = fields.choice<llama_lazy_mode>("lazyMode", {
                                                                     { "off",  LLAMA_LAZY_MODE_OFF  },
                                                                     { "auto", LLAMA_LAZY_MODE_AUTO },
                                                                     { "on",   LLAMA_LAZY_MODE_ON   },
                                                                 });
    trial.check_tensors      = fields.flag("checkTensors");
    trial.extra_buffer_types = fields.flag("extraBufferTypes");
    trial.host_buffers       = fields.flag("hostBuffers");
    trial.op_offload         = fields.flag("opOffload");
    trial.internal_timers    = fields.flag("internalTimers");
    trial.log_sink           = fields.choice<LogSink>(
        "logSink", { { "file", LogSink::file }, { "null", LogSink::null }, { "off", LogSink::off } });

    if (!trial.model_sha256.empty() && !is_sha256(trial.model_sha256)) {
        fields.fault("modelSha256", "must be 64 lower-case hexadecimal digits");
    }
    if (!fields.has_faults()) check_together(trial, fields);
    fields.throw_faults();
    return trial;
}
