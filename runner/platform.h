// What differs by operating system.
#pragma once

#include "ggml.h"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

using CpuList = std::vector<int>;  // in ascending order

// Asks the system to end this process when the one that started it dies, so that a harness that is
// killed leaves nothing behind that would disturb the next trial. Nothing where there is no such call.
void end_with_parent();

// Standard output under a private name; the usual one leads to standard error from then on, so that
// no library can print into the results.
FILE * take_standard_output();

// Standard error, and what was redirected to it, lead to the null device from then on.
void discard_standard_error();

// CPUs that this process may run on; nothing where the system has no such call.
std::optional<CpuList> allowed_cpus();

// False when the system refuses or has no such call.
bool restrict_to_cpus(const CpuList & cpus);

// The calling thread alone. False when the system refuses or has no such call.
bool restrict_this_thread(int cpu);

// The CPUs of each thread of this process; nothing where the system has no such call.
std::optional<std::vector<CpuList>> cpus_of_threads();

// Whether ggml's change of priority has taken effect on the calling thread.
bool this_thread_has_priority(ggml_sched_priority priority);

std::optional<uint64_t> peak_resident_bytes();

// System and processor family, such as "Linux x86_64".
std::string operating_system();
