#include "trial.h"

#include "failure.h"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

using nlohmann::json;

namespace {

// The limits are those of the trial format (src/formats/trial.ts).
constexpr int64_t max_tokens       = 1 << 20;
constexpr int64_t max_context      = 1 << 24;
constexpr int64_t max_decode_steps = 1 << 20;
constexpr int64_t max_repetitions  = 20000;
constexpr int64_t max_layers       = 4097;
constexpr int64_t max_cpu          = 4095;
constexpr int64_t max_threads      = GGML_MAX_N_THREADS;
constexpr int64_t max_milliseconds = 3600000;
constexpr int64_t last_version     = knows_treatments ? 2 : 1;

// Reads fields and collects faults; a faulty field yields a value that is never used.
class Fields {
  public:
    // `what` is the kind of object; `prefix` stands before the names of its fields in faults.
    explicit Fields(const json & object, std::string what = "a trial", std::string prefix = "")
        : object_(object), what_(std::move(what)), prefix_(std::move(prefix)) {}

    std::string text(const char * name) {
        const json * value = find(name);
        if (value == nullptr) return "";
        if (!value->is_string() || value->get_ref<const std::string &>().empty()) {
            return fault(name, "must be a string that is not empty"), "";
        }
        return *value;
    }

    bool flag(const char * name) {
        const json * value = find(name);
        if (value == nullptr) return false;
        if (!value->is_boolean()) return fault(name, "must be true or false"), false;
        return *value;
    }

    int64_t integer(const char * name, int64_t minimum, int64_t maximum) {
        const json * value = find(name);
        if (value == nullptr) return minimum;
        const auto result = as_integer(*value, minimum, maximum);
        if (!result.first) {
            fault(name, "must be an integer from " + std::to_string(minimum) + " to " + std::to_string(maximum));
        }
        return result.second;
    }

    template <typename T>
    T choice(const char * name, std::initializer_list<std::pair<const char *, T>> choices) {
        const json * value = find(name);
        std::string  known;
        for (const auto & [word, meaning] : choices) {
            if (value != nullptr && value->is_string() && *value == word) return meaning;
            known += (known.empty() ? "" : ", ") + std::string(word);
        }
        if (value != nullptr) fault(name, "must be one of " + known);
        return choices.begin()->second;
    }

    std::vector<std::string> names(const char * name) {
        const json *             value = find(name);
        std::vector<std::string> result;
        if (value == nullptr) return result;
        const bool is_list = value->is_array() && !value->empty() &&
                             std::all_of(value->begin(), value->end(), [](const json & element) {
                                 return element.is_string() && !element.get_ref<const std::string &>().empty();
                             });
        if (!is_list) return fault(name, "must be a list of names that is not empty"), result;
        result = value->get<std::vector<std::string>>();
        if (std::set<std::string>(result.begin(), result.end()).size() != result.size()) {
            fault(name, "names a device twice");
        }
        return result;
    }

    // "default" is the empty list.
    std::vector<int> cpus(const char * name) {
        const json *     value = find(name);
        std::vector<int> result;
        if (value == nullptr || *value == "default") return result;
        bool valid = value->is_array() && !value->empty();
        if (valid) {
            for (const json & element : *value) {
                const auto cpu = as_integer(element, 0, max_cpu);
                valid          = valid && cpu.first;
                result.push_back(static_cast<int>(cpu.second));
            }
            std::sort(result.begin(), result.end());
            valid = valid && std::adjacent_find(result.begin(), result.end()) == result.end();
        }
        if (!valid) fault(name, "must be \"default\" or a list of different CPU numbers");
        return result;
    }

    // An object inside; nothing, and a fault, where it is none. With `may_be_null`, nothing for null.
    const json * object(const char * name, bool may_be_null = false) {
        const json * value = find(name);
        if (value == nullptr || (may_be_null && value->is_null())) return nullptr;
        if (value->is_object()) return value;
        fault(name, may_be_null ? "must be an object or null" : "must be an object");
        return nullptr;
    }

    template <typename T>
    std::vector<T> choices(const char * name, const char * kind,
                           std::initializer_list<std::pair<const char *, T>> known) {
        const json *   value = find(name);
        std::vector<T> result;
        bool           valid = value == nullptr || value->is_array();
        for (const json & element : value != nullptr && valid ? *value : json::array()) {
            const auto found = std::find_if(known.begin(), known.end(), [&](const auto & one) {
                return element.is_string() && element == one.first;
            });
            valid            = valid && found != known.end() &&
                    std::find(result.begin(), result.end(), found->second) == result.end();
            if (!valid) break;
            result.push_back(found->second);
        }
        if (!valid) fault(name, std::string("must be a list of different ") + kind);
        return result;
    }

    void fault(const std::string & name, const std::string & what) {
        faults_.push_back(prefix_ + name + ": " + what);
    }

    // Of an object inside, once all of its fields are read.
    void take_faults(Fields & inner) {
        inner.find_unknown();
        faults_.insert(faults_.end(), inner.faults_.begin(), inner.faults_.end());
    }

    bool has_faults() const { return !faults_.empty(); }

    void throw_faults() {
        find_unknown();
        if (faults_.empty()) return;
        std::string message = std::to_string(faults_.size()) + (faults_.size() == 1 ? " fault" : " faults");
        for (const std::string & one : faults_) message += "; " + one;
        throw Failure(FailureCode::invalid_trial, message);
    }

  private:
    const json &             object_;
    std::string              what_;
    std::string              prefix_;
    std::set<std::string>    known_;
    std::vector<std::string> faults_;

    void find_unknown() {
        for (const auto & member : object_.items()) {
            if (known_.count(member.key()) == 0) fault(member.key(), "is not a field of " + what_);
        }
    }

    const json * find(const char * name) {
        known_.insert(name);
        const auto found = object_.find(name);
        if (found == object_.end()) return fault(name, "is missing"), nullptr;
        return &*found;
    }

    static std::pair<bool, int64_t> as_integer(const json & value, int64_t minimum, int64_t maximum) {
        if (!value.is_number_integer()) return { false, minimum };
        if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(maximum)) {
            return { false, minimum };
        }
        const int64_t number = value;
        return { number >= minimum && number <= maximum, number };
    }
};

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

MainThreadWish read_main_thread(Fields & outer) {
    MainThreadWish wish;
    const json *   object = outer.object("mainThread", true);
    if (object == nullptr) return wish;
    Fields fields(*object, "mainThread", "treatment.mainThread.");
    wish.prepare_on = fields.integer("prepareOn", 0, max_cpu);
    wish.time_on    = fields.integer("timeOn", 0, max_cpu);
    outer.take_faults(fields);
    return wish;
}

ActivityWish read_activity(Fields & outer) {
    ActivityWish wish;
    const json * object = outer.object("activity", true);
    if (object == nullptr) return wish;
    Fields fields(*object, "an activity", "treatment.activity.");
    wish.kind         = fields.choice<ActivityKind>("kind", {
                                                                { "sleep",        ActivityKind::sleep        },
                                                                { "integer-work", ActivityKind::integer_work },
                                                                { "decode",       ActivityKind::decode       },
                                                            });
    wish.milliseconds = fields.integer("milliseconds", 1, max_milliseconds);
    outer.take_faults(fields);
    return wish;
}

Treatment read_treatment(Fields & outer) {
    Treatment    treatment;
    const json * object = outer.object("treatment");
    if (object == nullptr) return treatment;
    Fields fields(*object, "a treatment", "treatment.");
    treatment.is_given    = true;
    treatment.readings    = fields.choices<Reading>("readings", "readings",
                                                    {
                                                     { name_of(Reading::cpu_time),         Reading::cpu_time         },
                                                     { name_of(Reading::placement),        Reading::placement        },
                                                     { name_of(Reading::context_switches), Reading::context_switches },
                                                     { name_of(Reading::page_faults),      Reading::page_faults      },
                                                     { name_of(Reading::scheduler_wait),   Reading::scheduler_wait   },
                                                     { name_of(Reading::frequency),        Reading::frequency        },
                                                 });
    treatment.main_thread = read_main_thread(fields);
    treatment.activity    = read_activity(fields);
    treatment.page_cache  = fields.choice<PageCache>("pageCache", {
                                                                     { "as-is",   PageCache::as_is   },
                                                                     { "dropped", PageCache::dropped },
                                                                     { "warm",    PageCache::warm    },
                                                                 });
    outer.take_faults(fields);
    return treatment;
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
