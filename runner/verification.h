// Whether llama.cpp took every setting of the trial.
#pragma once

#include "output.h"
#include "platform.h"
#include "probe.h"
#include "trial.h"

// Refuses more threads than CPUs: threads that spin for one another on one CPU are hundreds of times slower.
void check_thread_count(const Trial & trial);

// Restricts the process to the trial's CPUs; before any thread is started.
void apply_affinity(const Trial & trial);

// Once every thread exists and has worked. `process_cpus`: those of the process before that.
void check_threads(const Trial & trial, const std::optional<CpuList> & process_cpus);

// What a treatment asks of the machine and of the model. Throws Failure setting_not_taken.
void check_treatment(const Trial & trial, const llama_model * model);

// Compares the trial with what the graph showed, the context reports and the load log says.
// Throws Failure setting_not_taken that names every difference.
Applied check_settings(const Trial & trial, llama_context * context, const Observed & observed, const std::string & log,
                       const std::optional<CpuList> & process_cpus);
