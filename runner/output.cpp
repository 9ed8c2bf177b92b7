#include "output.h"

#include "nlohmann/json.hpp"

using nlohmann::json;

namespace {

constexpr int format_version = 1;

// Text of libraries need not be valid UTF-8.
std::string to_line(const json & value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

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

json to_json(const std::vector<Buffer> & buffers) {
    json list = json::array();
    for (const Buffer & buffer : buffers) list.push_back({ { "name", buffer.name }, { "mebibytes", buffer.mebibytes } });
    return list;
}

template <typename T> json or_null(const std::optional<T> & value) {
    return value ? json(*value) : json(nullptr);
}

}  // namespace

void Output::write_line(const std::string & line) {
    std::fputs((line + "\n").c_str(), channel_);
    std::fflush(channel_);
}

void Output::write_load(const Trial & trial, uint64_t load_ns, uint64_t context_ns, const Applied & applied) {
    write_line(to_line({
        { "type",          "load"             },
        { "formatVersion", format_version     },
        { "modelSha256",   trial.model_sha256 },
        { "loadNs",        load_ns            },
        { "contextNs",     context_ns         },
        { "applied",
         {
              { "threads", applied.threads },
              { "threadsBatch", applied.threads_batch },
              { "contextSize", applied.context_size },
              { "batch", applied.batch },
              { "ubatch", applied.ubatch },
              { "flashAttention", applied.flash_attention ? "on" : "off" },
              { "layersOffloaded", applied.layers_offloaded },
              { "layersTotal", applied.layers_total },
              { "modelBuffers", to_json(applied.model_buffers) },
              { "kvBuffers", to_json(applied.kv_buffers) },
              { "computeBuffers", to_json(applied.compute_buffers) },
              { "cpus", or_null(applied.cpus) },
          }                                   },
    }));
}

void Output::write_repetition(int index, uint64_t wall_ns, uint64_t prepare_ns) {
    write_line(to_line({
        { "type",      "repetition" },
        { "index",     index        },
        { "wallNs",    wall_ns      },
        { "prepareNs", prepare_ns   },
    }));
}

void Output::write_end(int repetitions, std::optional<uint64_t> peak_resident_bytes) {
    write_line(to_line({
        { "type",              "end"                        },
        { "repetitions",       repetitions                  },
        { "peakResidentBytes", or_null(peak_resident_bytes) },
    }));
}

void Output::write_failure(const Failure & failure) {
    write_line(to_line({
        { "type",    "failure"             },
        { "code",    name_of(failure.code) },
        { "message", failure.what()        },
    }));
}
