// Stands before the C library: a system that refuses what the environment names.
//   REFUSE_AFFINITY=1          sched_setaffinity of one thread to one CPU fails with EPERM
//   HIDE_FILES=/a:/b           opening these files fails with ENOENT
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

bool is_hidden(const char * path) {
    const char * hidden = std::getenv("HIDE_FILES");
    return hidden != nullptr && (":" + std::string(hidden) + ":").find(":" + std::string(path) + ":") != std::string::npos;
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
    return next<int(const char *, int, ...)>("open")(path, flags, mode);
}

extern "C" int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t * set) noexcept {
    if (std::getenv("REFUSE_AFFINITY") != nullptr && CPU_COUNT_S(size, set) == 1) {
        errno = EPERM;
        return -1;
    }
    return next<int(pid_t, size_t, const cpu_set_t *)>("sched_setaffinity")(pid, size, set);
}
