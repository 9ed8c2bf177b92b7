#if defined(__linux__)

#include "readings.h"

#include "cycle-counter.h"
#include "platform.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#    include <cpuid.h>
#endif

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

uint64_t read_clock(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000000000 + time.tv_nsec;
}

// A file of /proc that says something else at every look.
class SystemFile {
  public:
    explicit SystemFile(const char * path) : path_(path), file_(open(path, O_RDONLY | O_CLOEXEC)) {
        if (file_ < 0) why_ = std::string(path) + ": " + std::strerror(errno);
    }
    ~SystemFile() {
        if (file_ >= 0) close(file_);
    }
    SystemFile(const SystemFile &)             = delete;
    SystemFile & operator=(const SystemFile &) = delete;

    const char *        path() const { return path_; }
    const std::string & why() const { return why_; }

    // A null byte ends it; nothing of it where it cannot be read.
    const char * read() const {
        const ssize_t length = file_ < 0 ? 0 : pread(file_, text_, sizeof text_ - 1, 0);
        text_[length < 0 ? 0 : length] = '\0';
        return text_;
    }

  private:
    const char * path_;
    int          file_;
    std::string  why_;
    mutable char text_[8192];
};

// "on-CPU ns, waiting ns, time slices" of the thread that opened it.
class SchedulerWait {
  public:
    std::optional<uint64_t> read() const {
        uint64_t on_cpu, waiting;
        if (std::sscanf(file_.read(), "%" SCNu64 " %" SCNu64, &on_cpu, &waiting) != 2) return std::nullopt;
        // a kernel that keeps no such statistics says 0 0 0
        return on_cpu == 0 ? std::nullopt : std::optional<uint64_t>(waiting);
    }
    std::string why() const {
        return file_.why().empty() ? std::string(file_.path()) + " holds no times" : file_.why();
    }
    const char * path() const { return file_.path(); }

  private:
    SystemFile file_{ "/proc/thread-self/schedstat" };
};

// How often the kernel has moved this thread: a line of /proc/thread-self/sched, else an event of perf.
class Migrations {
  public:
    Migrations() {
        if (read_line()) return;
        perf_event_attr attributes = {};
        attributes.size            = sizeof attributes;
        attributes.type            = PERF_TYPE_SOFTWARE;
        attributes.config          = PERF_COUNT_SW_CPU_MIGRATIONS;
        event_ = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
        if (event_ < 0) event_why_ = std::string("perf's event of migrations: ") + std::strerror(errno);
    }
    ~Migrations() {
        if (event_ >= 0) close(event_);
    }

    std::optional<uint64_t> read() const {
        if (event_ < 0) return read_line();
        uint64_t count;
        return ::read(event_, &count, sizeof count) == sizeof count ? std::optional<uint64_t>(count) : std::nullopt;
    }
    std::string source() const {
        return event_ < 0 ? std::string("nr_migrations of ") + file_.path() : "perf's event of migrations";
    }
    std::string why() const {
        return (file_.why().empty() ? std::string(file_.path()) + " holds no nr_migrations" : file_.why()) + "; " +
               event_why_;
    }

  private:
    SystemFile  file_{ "/proc/thread-self/sched" };
    int         event_ = -1;
    std::string event_why_;

    std::optional<uint64_t> read_line() const {
        const char * line = std::strstr(file_.read(), "nr_migrations");
        const char * sign = line == nullptr ? nullptr : std::strchr(line, ':');
        if (sign == nullptr) return std::nullopt;
        return std::strtoull(sign + 1, nullptr, 10);
    }
};

// MPERF counts at the rate of the time stamp counter (CPUID leaf 15h, else the base frequency of 16h).
std::optional<double> processor_hertz() {
#if defined(__x86_64__) || defined(__i386__)
    unsigned a, b, c, d;
    if (__get_cpuid(0x15, &a, &b, &c, &d) && a != 0 && b != 0 && c != 0) {
        return static_cast<double>(c) * b / a;
    }
    if (__get_cpuid(0x16, &a, &b, &c, &d) && a != 0) return (a & 0xFFFF) * 1e6;
#endif
    return std::nullopt;
}

std::optional<uint64_t> difference(const std::optional<uint64_t> & before, const std::optional<uint64_t> & after) {
    if (!before || !after || *after < *before) return std::nullopt;
    return *after - *before;
}

}  // namespace

struct Readings::System {
    explicit System(const Treatment & treatment)
        : asked(treatment),
          cycles(treatment.reads(Reading::frequency) ? allowed_cpus().value_or(CpuList()) : CpuList()) {
        // opened only where asked for: an event of perf costs the kernel something at every switch
        if (reads(Reading::scheduler_wait)) waiting.emplace();
        if (reads_moves()) moves.emplace();
    }

    // All that stands still; the CPU clocks are read apart, nearest to the timer.
    struct Look {
        std::optional<uint64_t> migrations;
        rusage                  usage = {};
        std::optional<uint64_t> waiting_ns;
        std::optional<Cycles>   cycles;
        int                     cpu = -1;
    };

    const Treatment &            asked;
    CycleCounter                 cycles;
    std::optional<SchedulerWait> waiting;
    std::optional<Migrations>    moves;
    Look                         first;
    uint64_t                     main_cpu_ns    = 0;
    uint64_t                     process_cpu_ns = 0;
    Counters                     counters;

    bool reads(Reading reading) const { return asked.reads(reading); }
    bool reads_usage() const { return reads(Reading::context_switches) || reads(Reading::page_faults); }
    bool reads_moves() const { return reads(Reading::placement) || cycles.works(); }

    // What changes most nearest to the timer: last before it, first behind it.
    Look look(bool is_before) const {
        Look seen;
        if (!is_before) look_at_cpu(seen);
        if (moves) seen.migrations = moves->read();
        if (waiting) seen.waiting_ns = waiting->read();
        if (reads_usage()) getrusage(RUSAGE_THREAD, &seen.usage);
        if (is_before) look_at_cpu(seen);
        return seen;
    }

    void look_at_cpu(Look & seen) const {
        if (reads_moves()) seen.cpu = sched_getcpu();
        if (cycles.works()) seen.cycles = cycles.read(seen.cpu);
    }

    void compare(const Look & last) {
        const auto moved = difference(first.migrations, last.migrations);
        if (reads(Reading::placement)) {
            if (first.cpu >= 0) counters.start_cpu = first.cpu;
            if (last.cpu >= 0) counters.end_cpu = last.cpu;
            counters.migrations = moved;
        }
        if (reads(Reading::context_switches)) {
            counters.voluntary_switches   = last.usage.ru_nvcsw - first.usage.ru_nvcsw;
            counters.involuntary_switches = last.usage.ru_nivcsw - first.usage.ru_nivcsw;
        }
        if (reads(Reading::page_faults)) {
            counters.minor_faults = last.usage.ru_minflt - first.usage.ru_minflt;
            counters.major_faults = last.usage.ru_majflt - first.usage.ru_majflt;
        }
        counters.scheduler_wait_ns = difference(first.waiting_ns, last.waiting_ns);
        // counters of different CPUs have no difference that means anything
        const bool stayed = first.cpu == last.cpu && moved.value_or(0) == 0;
        if (!stayed || !first.cycles || !last.cycles) return;
        const auto aperf = difference(first.cycles->aperf, last.cycles->aperf);
        const auto mperf = difference(first.cycles->mperf, last.cycles->mperf);
        if (!aperf || !mperf) return;  // somebody set them back: neither means anything alone
        counters.aperf = aperf;
        counters.mperf = mperf;
    }

    Availability describe(Reading reading) const {
        const std::string name = name_of(reading);
        switch (reading) {
            case Reading::cpu_time:         return { name, true, "clock_gettime of thread and process" };
            case Reading::placement:        return { name, true, "sched_getcpu at both ends" };
            case Reading::context_switches: return { name, true, "getrusage of the thread" };
            case Reading::page_faults:      return { name, true, "getrusage of the thread" };
            case Reading::scheduler_wait:
                return waiting->read() ? Availability{ name, true, waiting->path() } :
                                         Availability{ name, false, waiting->why() };
            case Reading::frequency:
                return { name, cycles.works(), cycles.words() };
        }
        return { name, false, "not known" };
    }
};

Readings::Readings(const Treatment & treatment) : system_(std::make_unique<System>(treatment)) {}

Readings::~Readings() = default;

void Readings::begin() {
    System & system = *system_;
    system.counters = Counters();
    system.first    = system.look(true);
    if (!system.reads(Reading::cpu_time)) return;
    system.process_cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    system.main_cpu_ns    = read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void Readings::end() {
    System & system = *system_;
    if (system.reads(Reading::cpu_time)) {
        system.counters.main_cpu_ns    = read_clock(CLOCK_THREAD_CPUTIME_ID) - system.main_cpu_ns;
        system.counters.process_cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID) - system.process_cpu_ns;
    }
    system.compare(system.look(false));
}

const Counters & Readings::counters() const {
    return system_->counters;
}

std::vector<Availability> Readings::availability() const {
    const System &            system = *system_;
    std::vector<Availability> list;
    for (const Reading reading : system.asked.readings) list.push_back(system.describe(reading));
    if (system.reads(Reading::placement)) {
        const bool works = system.moves->read().has_value();
        list.push_back({ "migrations", works, works ? system.moves->source() : system.moves->why() });
    }
    return list;
}

std::optional<Cycles> Readings::read_cycles() const {
    if (!system_->cycles.works()) return std::nullopt;
    return system_->cycles.read(sched_getcpu());
}

std::optional<double> Readings::mperf_hertz() const {
    return system_->cycles.works() ? processor_hertz() : std::nullopt;
}

#endif
