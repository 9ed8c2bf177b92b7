#include "output.h"

#include <stdexcept>

#include "json-text.h"

namespace {

constexpr int format_version = 1;

const char * name_of(FailureCode code) {
    switch (code) {
        case FailureCode::invalid_trial:       return "invalid-trial";
        case FailureCode::too_many_threads:    return "too-many-threads";
        case FailureCode::device_not_found:    return "device-not-found";
        case FailureCode::model_not_loaded:    return "model-not-loaded";
        case FailureCode::context_not_created: return "context-not-created";
        case FailureCode::setting_not_taken:   return "setting-not-taken";
        case FailureCode::decode_failed:       return "decode-failed";
        case FailureCode::invalid_logits:      return "invalid-logits";
    }
    return "";
}

std::string json_buffers(const std::vector<Buffer> & buffers) {
    std::vector<std::string> elements;
    for (const Buffer & buffer : buffers) {
        elements.push_back(json_object({
            { "name",      json_string(buffer.name)      },
            { "mebibytes", json_number(buffer.mebibytes) },
        }));
    }
    return json_array(elements);
}

std::string json_applied(const Applied & applied) {
    return json_object({
        { "threads",         json_number(applied.threads)                          },
        { "threadsBatch",    json_number(applied.threads_batch)                    },
        { "contextSize",     json_number(applied.context_size)                     },
        { "batch",           json_number(applied.batch)                            },
        { "ubatch",          json_number(applied.ubatch)                           },
        { "flashAttention",  json_string(applied.flash_attention ? "on" : "off")   },
        { "layersOffloaded", json_number(applied.layers_offloaded)                 },
        { "layersTotal",     json_number(applied.layers_total)                     },
        { "modelBuffers",    json_buffers(applied.model_buffers)                   },
        { "kvBuffers",       json_buffers(applied.kv_buffers)                      },
        { "computeBuffers",  json_buffers(applied.compute_buffers)                 },
        { "cpus",            json_cpus(applied.cpus)                               },
    });
}

template <typename Number> std::string json_number_or_null(const std::optional<Number> & value) {
    return value ? json_number(*value) : "null";
}

}  // namespace

void Output::write_line(const std::string & line) {
    const bool written = std::fputs((line + "\n").c_str(), channel_) >= 0 && std::fflush(channel_) == 0;
    if (!written) throw std::runtime_error("cannot write the results");
}

void Output::write_load(const Trial & trial, uint64_t load_ns, uint64_t context_ns, const Applied & applied,
                        std::optional<double> clock_ns) {
    write_line(json_object({
        { "type",          json_string("load")             },
        { "formatVersion", json_number(format_version)     },
        { "modelSha256",   json_string(trial.model_sha256) },
        { "loadNs",        json_number(load_ns)            },
        { "contextNs",     json_number(context_ns)         },
        { "clockNs",       json_number_or_null(clock_ns)   },
        { "applied",       json_applied(applied)           },
    }));
}

void Output::write_repetition(int index, const Repetition & repetition) {
    std::vector<JsonMember> members = {
        { "type",      json_string("repetition")           },
        { "index",     json_number(index)                  },
        { "wallNs",    json_number(repetition.wall_ns)     },
        { "prepareNs", json_number(repetition.prepare_ns)  },
    };
    if (repetition.steps) {
        std::vector<std::string> step_ns;
        for (const uint64_t ns : repetition.steps->step_ns) step_ns.push_back(json_number(ns));
        members.push_back({ "prefillNs", json_number_or_null(repetition.steps->prefill_ns) });
        members.push_back({ "stepNs", json_array(step_ns) });
    }
    write_line(json_object(members));
}

void Output::write_end(int repetitions, std::optional<uint64_t> peak_resident_bytes) {
    write_line(json_object({
        { "type",              json_string("end")                        },
        { "repetitions",       json_number(repetitions)                  },
        { "peakResidentBytes", json_number_or_null(peak_resident_bytes)  },
    }));
}

void Output::write_failure(const Failure & failure) {
    write_line(json_object({
        { "type",    json_string("failure")             },
        { "code",    json_string(name_of(failure.code)) },
        { "message", json_string(failure.what())        },
    }));
}
