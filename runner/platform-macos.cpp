#if defined(__APPLE__)

#include "platform.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

void end_with_parent() {}  // macOS has no such call

// macOS has no call that binds a thread to a CPU.
std::optional<CpuList> allowed_cpus() {
    return std::nullopt;
}

bool restrict_to_cpus(const CpuList &) {
    return false;
}

bool restrict_this_thread(int) {
    return false;
}

std::optional<std::vector<CpuList>> cpus_of_threads() {
    return std::nullopt;
}

bool this_thread_has_priority(ggml_sched_priority priority) {
    if (priority == GGML_SCHED_PRIO_NORMAL) return true;  // ggml keeps what was inherited
    if (priority == GGML_SCHED_PRIO_LOW) return false;    // ggml has no lower one here
    int         policy;
    sched_param parameters;
    return pthread_getschedparam(pthread_self(), &policy, &parameters) == 0 && policy == SCHED_FIFO;
}

std::optional<uint64_t> peak_resident_bytes() {
    rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return std::nullopt;
    return static_cast<uint64_t>(usage.ru_maxrss);  // bytes on macOS
}

#endif
