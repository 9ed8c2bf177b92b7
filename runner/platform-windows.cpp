#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
// after windows.h
#include <psapi.h>

#include "platform.h"

#include <fcntl.h>
#include <io.h>

#include <system_error>

namespace {

constexpr int standard_output = 1;
constexpr int standard_error  = 2;
constexpr int mask_bits       = sizeof(DWORD_PTR) * 8;  // CPUs of one processor group

int check(int result, const char * what) {
    if (result < 0) throw std::system_error(errno, std::generic_category(), what);
    return result;
}

}  // namespace

FILE * take_standard_output() {
    const int private_channel = check(_dup(standard_output), "duplicate stdout");
    check(_setmode(private_channel, _O_BINARY), "set the private channel's mode");
    check(_dup2(standard_error, standard_output), "redirect stdout");
    FILE * stream = _fdopen(private_channel, "wb");
    if (stream == nullptr) check(-1, "open the private channel");
    return stream;
}

void discard_standard_error() {
    const int null_device = check(_open("NUL", _O_WRONLY), "open NUL");
    check(_dup2(null_device, standard_error), "redirect stderr");
    check(_dup2(null_device, standard_output), "redirect stdout");
    _close(null_device);
}

std::optional<CpuList> allowed_cpus() {
    DWORD_PTR process_mask;
    DWORD_PTR system_mask;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &process_mask, &system_mask)) return std::nullopt;
    if (process_mask == 0) return std::nullopt;  // threads in several processor groups
    CpuList cpus;
    for (int cpu = 0; cpu < mask_bits; cpu++) {
        if ((process_mask >> cpu) & 1) cpus.push_back(cpu);
    }
    return cpus;
}

bool restrict_to_cpus(const CpuList & cpus) {
    DWORD_PTR mask = 0;
    for (const int cpu : cpus) {
        if (cpu >= mask_bits) return false;
        mask |= static_cast<DWORD_PTR>(1) << cpu;
    }
    return SetProcessAffinityMask(GetCurrentProcess(), mask) != 0;
}

bool restrict_this_thread(int cpu) {
    if (cpu >= mask_bits) return false;
    return SetThreadAffinityMask(GetCurrentThread(), static_cast<DWORD_PTR>(1) << cpu) != 0;
}

// Windows lets a thread's mask only be read by changing it; no thread can leave the process's mask.
std::optional<std::vector<CpuList>> cpus_of_threads() {
    const auto cpus = allowed_cpus();
    if (!cpus) return std::nullopt;
    return std::vector<CpuList>{ *cpus };
}

bool this_thread_has_priority(ggml_sched_priority priority) {
    const int taken = GetThreadPriority(GetCurrentThread());
    switch (priority) {
        case GGML_SCHED_PRIO_LOW:      return taken == THREAD_PRIORITY_BELOW_NORMAL;
        case GGML_SCHED_PRIO_NORMAL:   return true;
        case GGML_SCHED_PRIO_MEDIUM:   return taken == THREAD_PRIORITY_ABOVE_NORMAL;
        case GGML_SCHED_PRIO_HIGH:     return taken == THREAD_PRIORITY_HIGHEST;
        case GGML_SCHED_PRIO_REALTIME: return taken == THREAD_PRIORITY_TIME_CRITICAL;
    }
    return false;
}

std::optional<uint64_t> peak_resident_bytes() {
    PROCESS_MEMORY_COUNTERS counters;
    if (!K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)) return std::nullopt;
    return static_cast<uint64_t>(counters.PeakWorkingSetSize);
}

std::string operating_system() {
#if defined(_M_ARM64) || defined(__aarch64__)
    return "Windows arm64";
#else
    return "Windows x86_64";
#endif
}

#endif
