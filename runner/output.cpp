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

std::string json_numbers(const std::vector<uint64_t> & values) {
    std::vector<std::string> elements;
    for (const uint64_t value : values) elements.push_back(json_number(value));
    return json_array(elements);
}

std::string json_counters(const Counters & counters) {
    std::vector<JsonMember> members;
    const auto              add = [&](const char * name, const std::optional<uint64_t> & value) {
        if (value) members.push_back({ name, json_number(*value) });
    };
    add("mainCpuNs", counters.main_cpu_ns);
    add("processCpuNs", counters.process_cpu_ns);
    add("startCpu", counters.start_cpu);
    add("endCpu", counters.end_cpu);
    add("migrations", counters.migrations);
    add("voluntarySwitches", counters.voluntary_switches);
    add("involuntarySwitches", counters.involuntary_switches);
    add("minorFaults", counters.minor_faults);
    add("majorFaults", counters.major_faults);
    add("schedulerWaitNs", counters.scheduler_wait_ns);
    add("aperf", counters.aperf);
    add("mperf", counters.mperf);
    return json_object(members);
}

std::string json_activity(const ActivityDone & done) {
    std::vector<JsonMember> members = { { "elapsedNs", json_number(done.elapsed_ns) } };
    if (done.steps) members.push_back({ "steps", json_number(*done.steps) });
    if (done.slices) {
        members.push_back({ "sliceNs", json_numbers(done.slices->ns) });
        members.push_back({ "sliceOperations", json_numbers(done.slices->operations) });
        if (!done.slices->aperf.empty()) {
            members.push_back({ "sliceAperf", json_numbers(done.slices->aperf) });
            members.push_back({ "sliceMperf", json_numbers(done.slices->mperf) });
        }
    }
    return json_object(members);
}

std::string json_treatment(const TreatmentReport & report) {
    std::vector<JsonMember> readings;
    for (const Availability & one : report.readings) {
        const char * key = one.is_measured ? "source" : "notMeasured";
        readings.push_back({ one.name.c_str(), json_object({ { key, json_string(one.words) } }) });
    }
    return json_object({
        { "readings",      json_object(readings)                        },
        { "mperfHertz",    json_number_or_null(report.mperf_hertz)      },
        { "residentShare", json_number_or_null(report.resident_share)   },
    });
}

}  // namespace

void Output::write_line(const std::string & line) {
    const bool written = std::fputs((line + "\n").c_str(), channel_) >= 0 && std::fflush(channel_) == 0;
    if (!written) throw std::runtime_error("cannot write the results");
}

void Output::write_load(const Trial & trial, uint64_t load_ns, uint64_t context_ns, const Applied & applied,
                        std::optional<double> clock_ns, const std::optional<TreatmentReport> & treatment) {
    std::vector<JsonMember> members = {
        { "type",          json_string("load")             },
        { "formatVersion", json_number(format_version)     },
        { "modelSha256",   json_string(trial.model_sha256) },
        { "loadNs",        json_number(load_ns)            },
        { "contextNs",     json_number(context_ns)         },
        { "clockNs",       json_number_or_null(clock_ns)   },
        { "applied",       json_applied(applied)           },
    };
    if (treatment) members.push_back({ "treatment", json_treatment(*treatment) });
    write_line(json_object(members));
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
    if (repetition.counters) members.push_back({ "counters", json_counters(*repetition.counters) });
    if (repetition.activity) members.push_back({ "activity", json_activity(*repetition.activity) });
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
