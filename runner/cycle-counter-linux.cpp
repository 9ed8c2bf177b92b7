#if defined(__linux__)

#include "cycle-counter.h"

#include "clock.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace {

constexpr off_t mperf_register = 0xE7;
constexpr off_t aperf_register = 0xE8;

const std::string events_folder = "/sys/bus/event_source/devices/msr/";

std::string why_not(const std::string & what) {
    return what + ": " + std::strerror(errno);
}

// "event=0x01" of events/aperf.
std::optional<uint64_t> read_event(const char * name) {
    std::ifstream file(events_folder + "events/" + name);
    std::string   text;
    if (!(file >> text) || text.rfind("event=", 0) != 0) return std::nullopt;
    return std::strtoull(text.c_str() + std::strlen("event="), nullptr, 0);
}

int open_event(uint32_t type, uint64_t config, int cpu) {
    perf_event_attr attributes = {};
    attributes.size            = sizeof attributes;
    attributes.type            = type;
    attributes.config          = config;
    return static_cast<int>(syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

CycleCounter::CycleCounter(const std::vector<int> & cpus) {
    if (cpus.empty()) {
        words_ = "the system does not say on which CPUs this process may run";
        return;
    }
    std::string why = open_devices(cpus);
    if (!works_) {
        close_files();
        is_device_ = false;
        why += "; " + open_events(cpus);
    }
    if (works_) return;
    close_files();
    words_ = why;
}

CycleCounter::~CycleCounter() {
    close_files();
}

void CycleCounter::close_files() {
    for (const auto & [cpu, files] : files_) {
        if (files.aperf >= 0) close(files.aperf);
        if (files.mperf >= 0 && files.mperf != files.aperf) close(files.mperf);
    }
    files_.clear();
}

std::string CycleCounter::open_devices(const std::vector<int> & cpus) {
    is_device_ = true;
    for (const int cpu : cpus) {
        const std::string path = "/dev/cpu/" + std::to_string(cpu) + "/msr";
        const int         file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) return why_not(path);
        files_[cpu] = { file, file };
        if (!read(cpu)) return why_not("registers of " + path);
    }
    if (!advances()) return "registers of /dev/cpu/*/msr do not advance";
    works_ = true;
    words_ = "/dev/cpu/*/msr";
    return "";
}

std::string CycleCounter::open_events(const std::vector<int> & cpus) {
    std::ifstream file(events_folder + "type");
    uint32_t      type;
    const auto    aperf = read_event("aperf");
    const auto    mperf = read_event("mperf");
    if (!(file >> type) || !aperf || !mperf) return "perf has no events aperf and mperf";
    for (const int cpu : cpus) {
        Files & files = files_[cpu];
        files.aperf   = open_event(type, *aperf, cpu);
        files.mperf   = open_event(type, *mperf, cpu);
        if (files.aperf < 0 || files.mperf < 0) return why_not("perf's events aperf and mperf");
    }
    if (!advances()) return "perf's events aperf and mperf do not advance";
    works_ = true;
    words_ = "perf's events aperf and mperf";
    return "";
}

// Some virtual machines let the registers be read and leave them as they are. Only a CPU at work tells.
bool CycleCounter::advances() const {
    constexpr int      attempts = 5;  // the thread may move meanwhile
    constexpr uint64_t work_ns  = 100000;
    for (int attempt = 0; attempt < attempts; attempt++) {
        const auto before = read(sched_getcpu());
        for (const uint64_t end = now_ns() + work_ns; now_ns() < end;) {
        }
        const auto after = read(sched_getcpu());
        if (!before || !after || before->cpu != after->cpu) continue;
        return after->aperf > before->aperf && after->mperf > before->mperf;
    }
    return false;
}

std::optional<Cycles> CycleCounter::read(int cpu) const {
    const auto found = files_.find(cpu);
    if (found == files_.end()) return std::nullopt;
    const auto & [aperf, mperf] = found->second;
    Cycles cycles               = { cpu, 0, 0 };
    const bool is_read =
        is_device_ ? pread(aperf, &cycles.aperf, sizeof cycles.aperf, aperf_register) == sizeof cycles.aperf &&
                         pread(mperf, &cycles.mperf, sizeof cycles.mperf, mperf_register) == sizeof cycles.mperf :
                     ::read(aperf, &cycles.aperf, sizeof cycles.aperf) == sizeof cycles.aperf &&
                         ::read(mperf, &cycles.mperf, sizeof cycles.mperf) == sizeof cycles.mperf;
    if (!is_read) return std::nullopt;
    return cycles;
}

#endif
