#if defined(__linux__)

#include "platform.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

namespace {

constexpr int cpu_limit = 4096;  // the trial format's largest CPU number and one more

struct FreeCpuSet {
    void operator()(cpu_set_t * set) const { CPU_FREE(set); }
};
using CpuSet = std::unique_ptr<cpu_set_t, FreeCpuSet>;

const size_t cpu_set_bytes = CPU_ALLOC_SIZE(cpu_limit);

CpuSet empty_cpu_set() {
    CpuSet set(CPU_ALLOC(cpu_limit));
    if (!set) throw std::bad_alloc();
    CPU_ZERO_S(cpu_set_bytes, set.get());
    return set;
}

std::optional<CpuList> cpus_of(pid_t thread) {
    const CpuSet set = empty_cpu_set();
    if (sched_getaffinity(thread, cpu_set_bytes, set.get()) != 0) return std::nullopt;
    CpuList cpus;
    for (int cpu = 0; cpu < cpu_limit; cpu++) {
        if (CPU_ISSET_S(cpu, cpu_set_bytes, set.get())) cpus.push_back(cpu);
    }
    return cpus;
}

}  // namespace

// The harness may have died before the call, after it had asked for the trial: it says which process
// it is. --describe is asked for without; an empty name is that of a program in between, such as a profiler.
void end_with_parent() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const char * harness = std::getenv("ROOFLAW_HARNESS");
    if (harness != nullptr && *harness != '\0' && getppid() != std::strtol(harness, nullptr, 10)) raise(SIGKILL);
}

std::optional<CpuList> allowed_cpus() {
    return cpus_of(0);
}

bool restrict_to_cpus(const CpuList & cpus) {
    const CpuSet set = empty_cpu_set();
    for (const int cpu : cpus) CPU_SET_S(cpu, cpu_set_bytes, set.get());
    return sched_setaffinity(0, cpu_set_bytes, set.get()) == 0;
}

// sched_setaffinity's 0 is the calling thread.
bool restrict_this_thread(int cpu) {
    return restrict_to_cpus({ cpu });
}

std::optional<std::vector<CpuList>> cpus_of_threads() {
    std::vector<CpuList> result;
    std::error_code      error;
    for (const auto & entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
        const auto cpus = cpus_of(static_cast<pid_t>(std::atol(entry.path().filename().c_str())));
        if (cpus) result.push_back(*cpus);  // a thread may have ended meanwhile
    }
    if (error || result.empty()) return std::nullopt;
    return result;
}

bool this_thread_has_priority(ggml_sched_priority priority) {
    const int policy = sched_getscheduler(0);
    switch (priority) {
        case GGML_SCHED_PRIO_LOW:    return policy == SCHED_BATCH;
        case GGML_SCHED_PRIO_NORMAL: return true;  // ggml keeps what was inherited
        default:                     return policy == SCHED_FIFO;
    }
}

// Not getrusage: its maximum outlives exec and would include the process that started this one.
std::optional<uint64_t> peak_resident_bytes() {
    std::ifstream status("/proc/self/status");
    std::string   word;
    while (status >> word) {
        uint64_t kibibytes;
        if (word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
    }
    return std::nullopt;
}

#endif
