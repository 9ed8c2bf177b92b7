// Stands before the C library: a system that refuses what the environment names.
//   REFUSE_AFFINITY=1          sched_setaffinity of one thread to one CPU fails with EPERM
//   HIDE_FILES=/a:/b           opening these files fails with ENOENT
// or has what few machines have:
//   REGISTERS=1                /dev/cpu/N/msr, in which APERF grows by 3000 and MPERF by 2000 from look to look
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

namespace {

bool is_hidden(const char * path) {
    const char * hidden = std::getenv("HIDE_FILES");
    return hidden != nullptr && (":" + std::string(hidden) + ":").find(":" + std::string(path) + ":") != std::string::npos;
}

constexpr off_t aperf_register = 0xE8;

std::set<int> & registers() {
    static std::set<int> files;
    return files;
}

bool is_register_file(const char * path) {
    return std::getenv("REGISTERS") != nullptr && std::strncmp(path, "/dev/cpu/", 9) == 0;
}

template <typename Function> Function * next(const char * name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int open(const char * path, int flags, ...) {
    if (is_hidden(path)) {
        errno = ENOENT;
        return -1;
    }
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    auto * real = next<int(const char *, int, ...)>("open");
    if (!is_register_file(path)) return real(path, flags, mode);
    const int file = real("/dev/null", flags, mode);
    registers().insert(file);
    return file;
}

extern "C" ssize_t pread(int file, void * buffer, size_t size, off_t offset) {
    if (registers().count(file) == 0) return next<ssize_t(int, void *, size_t, off_t)>("pread")(file, buffer, size, offset);
    static uint64_t aperf, mperf;
    const uint64_t  count = offset == aperf_register ? (aperf += 3000) : (mperf += 2000);
    std::memcpy(buffer, &count, sizeof count);
    return sizeof count;
}

extern "C" int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t * set) noexcept {
    if (std::getenv("REFUSE_AFFINITY") != nullptr && CPU_COUNT_S(size, set) == 1) {
        errno = EPERM;
        return -1;
    }
    return next<int(pid_t, size_t, const cpu_set_t *)>("sched_setaffinity")(pid, size, set);
}
