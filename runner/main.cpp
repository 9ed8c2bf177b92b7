// Rooflaw's runner: executes one trial and does nothing else. One JSON trial on standard input, its
// results as one JSON object a line on standard output, llama.cpp's log on standard error.
//
//   runner --libraries DIR < trial.json
//   runner --libraries DIR --describe
//
// Exit status: 0 done; 1 a defect of the runner; 2 invalid trial or command line; 3 too many threads,
// or no such device, model or context; 4 llama.cpp did not take a setting; 5 a decode failed or its
// result is invalid. With 2 to 5 the last line of the output says why, except for the command line.

#include "clock.h"
#include "description.h"
#include "engine.h"
#include "failure.h"
#include "log.h"
#include "output.h"
#include "page-cache.h"
#include "phases.h"
#include "platform.h"
#include "probe.h"
#include "readings.h"
#include "trial.h"
#include "verification.h"

#include <cstring>
#include <exception>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>

namespace {

constexpr int status_defect       = 1;
constexpr int status_invalid      = 2;
constexpr int status_environment  = 3;
constexpr int status_not_taken    = 4;
constexpr int status_not_computed = 5;

int exit_status_of(FailureCode code) {
    switch (code) {
        case FailureCode::invalid_trial:       return status_invalid;
        case FailureCode::too_many_threads:
        case FailureCode::device_not_found:
        case FailureCode::model_not_loaded:
        case FailureCode::context_not_created: return status_environment;
        case FailureCode::setting_not_taken:   return status_not_taken;
        case FailureCode::decode_failed:
        case FailureCode::invalid_logits:      return status_not_computed;
    }
    return status_defect;
}

std::string read_standard_input() {
    return std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
}

// Returns the share of it that lies in the page cache then.
std::optional<double> treat_model_file(const Trial & trial) {
    if (!trial.treatment.is_given) return std::nullopt;
    prepare_page_cache(trial.model_path, trial.treatment.page_cache);
    return resident_share(trial.model_path);
}

// nullptr without a treatment.
std::unique_ptr<Readings> start_readings(const Trial & trial, const llama_model * model) {
    if (!trial.treatment.is_given) return nullptr;
    check_treatment(trial, model);
    return std::make_unique<Readings>(trial.treatment);
}

std::optional<TreatmentReport> describe_treatment(const Readings * readings, std::optional<double> resident) {
    if (readings == nullptr) return std::nullopt;
    return TreatmentReport{ readings->availability(), readings->mperf_hertz(), resident };
}

void run_trial(const Trial & trial, const std::string & libraries, uint64_t process_start, Output & output) {
    if (trial.log_sink == LogSink::null) discard_standard_error();
    start_log(trial.log_sink);

    check_thread_count(trial);
    apply_affinity(trial);
    const auto cpus = allowed_cpus();

    load_backends(libraries);
    set_numa(trial);
    const uint64_t    treat_start = now_ns();
    const auto        resident    = treat_model_file(trial);
    const uint64_t    treat_ns    = now_ns() - treat_start;  // reading a file is no part of loading it
    const Model       model       = load_model(trial);
    const uint64_t    load_ns     = now_ns() - process_start - treat_ns;
    const std::string model_log   = take_kept_log();

    const uint64_t    pools_start = now_ns();
    const ThreadPools pools(trial);
    const uint64_t    pools_ns = now_ns() - pools_start;

    const Observed observed = observe_graph(model.get(), trial, pools);
    check_threads(trial, cpus);
    take_kept_log();  // of the context that was only looked at

    const uint64_t context_start = now_ns();
    const Context  context       = create_context(model.get(), context_params(trial));
    pools.attach(context.get());
    const uint64_t context_ns = now_ns() - context_start + pools_ns;

    const Applied applied = check_settings(trial, context.get(), observed, model_log + take_kept_log(), cpus);
    stop_keeping_log();
    const auto readings = start_readings(trial, model.get());
    output.write_load(trial, load_ns, context_ns, applied,
                      trial.step_times ? std::optional<double>(measure_clock_ns()) : std::nullopt,
                      describe_treatment(readings.get(), resident));

    TimedPhase phase(trial, context.get(), readings.get());
    for (int index = 0; index < trial.repetitions; index++) {
        output.write_repetition(index, phase.run());
        if (index == 0) {
            check_positions(trial, context.get());
            check_logits(context.get());
        }
    }
    output.write_end(trial.repetitions, peak_resident_bytes());
}

int serve(const std::string & libraries, bool describes, uint64_t process_start) {
    Output output(take_standard_output());
    try {
        if (describes) {
            load_backends(libraries);
            output.write_line(describe_runner());
        } else {
            run_trial(parse_trial(read_standard_input()), libraries, process_start, output);
        }
        return 0;
    } catch (const Failure & failure) {
        output.write_failure(failure);
        return exit_status_of(failure.code);
    }
}

}  // namespace

int main(int argument_count, char ** arguments) {
    const uint64_t process_start = now_ns();
    const bool     describes     = argument_count == 4 && std::strcmp(arguments[3], "--describe") == 0;
    if (!(argument_count == 3 || describes) || std::strcmp(arguments[1], "--libraries") != 0) {
        std::cerr << "usage: runner --libraries DIR [--describe]\n";
        return status_invalid;
    }
    end_with_parent();
    try {
        return serve(arguments[2], describes, process_start);
    } catch (const std::exception & error) {
        std::cerr << "runner: " << error.what() << "\n";
        return status_defect;
    }
}
