// Stands before the C library: a system whose files are others' (FOREIGN_FILES=1: they may not be written), or which
// takes a second to drop one from the page cache (SLOW_DROP=1). What it dropped is named on standard error.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

template <typename Function> Function * next(const char * name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" uid_t geteuid() noexcept {
    return std::getenv("FOREIGN_FILES") != nullptr ? 65534 : next<uid_t()>("geteuid")();
}

extern "C" int faccessat(int folder, const char * path, int mode, int flags) noexcept {
    if (std::getenv("FOREIGN_FILES") != nullptr && (mode & W_OK) != 0) {
        errno = EACCES;
        return -1;
    }
    return next<int(int, const char *, int, int)>("faccessat")(folder, path, mode, flags);
}

extern "C" int posix_fadvise(int file, off_t start, off_t length, int advice) noexcept {
    auto * real = next<int(int, off_t, off_t, int)>("posix_fadvise");
    if (advice != POSIX_FADV_DONTNEED) return real(file, start, length, advice);
    const timespec second = { 1, 0 };
    if (std::getenv("SLOW_DROP") != nullptr) nanosleep(&second, nullptr);
    char          path[PATH_MAX];
    const ssize_t size = readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path);
    std::fprintf(stderr, "dropped %.*s\n", static_cast<int>(size), path);
    return real(file, start, length, advice);
}
