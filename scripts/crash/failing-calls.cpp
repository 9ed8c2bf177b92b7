// Stands before the C library of one process (LD_PRELOAD) and counts its calls that change files under
// one folder; from one of them on, or at that one alone, they fail as on a full or broken disk.
//   CRASH_FOLDER  calls about files in it count
//   CRASH_AT      number of the first call that fails, from 1; 0: none does
//   CRASH_MODE    ENOSPC, EIO: from there on each call that needs the disk; EIO-ONCE: that one alone;
//                 SHORT: half of the bytes are written, from then on ENOSPC;
//                 EIO-READ: reads alone are counted, and from there on fail
//   CRASH_LOG     a file outside the folder that gets a line for each call: its number, name and file
//   CRASH_CLOCK_BACK_SECONDS  each reading of the wall clock goes back by so much more
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

static std::atomic<long> calls{0};
static std::atomic<long> clock_readings{0};

static const char* setting(const char* name) {
    const char* value = getenv(name);
    return value ? value : "";
}

static bool is_inside(const char* path) {
    static const char* folder = setting("CRASH_FOLDER");
    return *folder && strncmp(path, folder, strlen(folder)) == 0;
}

static void path_of(int fd, char* path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, size - 1);
    path[length < 0 ? 0 : length] = 0;
}

static void note(long number, const char* call, const char* path, const char* result) {
    static const int log = *setting("CRASH_LOG")
        ? (int)syscall(SYS_openat, AT_FDCWD, setting("CRASH_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)
        : -1;
    if (log < 0) return;
    char line[4352];
    const int length = snprintf(line, sizeof line, "%ld %s %s %s\n", number, call, path, result);
    syscall(SYS_write, log, line, (size_t)length);
}

enum class Fate { passes, fails, is_short };
enum class Kind { changes, writes, reads };

// What becomes of this call; errno is set where it fails.
static Fate count(const char* call, const char* path, Kind kind) {
    static const long at = strtol(setting("CRASH_AT"), nullptr, 10);
    static const char* mode = setting("CRASH_MODE");
    if (!is_inside(path) || (kind == Kind::reads) != (strcmp(mode, "EIO-READ") == 0)) return Fate::passes;
    const long number = ++calls;
    const bool once = strcmp(mode, "EIO-ONCE") == 0;
    const bool hit = at > 0 && (once ? number == at : number >= at);
    const bool cuts = hit && number == at && kind == Kind::writes && strcmp(mode, "SHORT") == 0;
    note(number, call, path, cuts ? "short" : hit ? "failed" : "passed");
    if (cuts) return Fate::is_short;
    if (!hit) return Fate::passes;
    errno = strncmp(mode, "EIO", 3) == 0 ? EIO : ENOSPC;
    return Fate::fails;
}

static Fate count_fd(const char* call, int fd, Kind kind) {
    char path[4096];
    path_of(fd, path, sizeof path);
    return count(call, path, kind);
}

template <typename F> static F real(const char* name) { return (F)dlsym(RTLD_NEXT, name); }

extern "C" {

ssize_t write(int fd, const void* bytes, size_t size) {
    if (fd == STDOUT_FILENO && size > 4 && memcmp(bytes, "ack ", 4) == 0) note(0, "ack", "-", "passed");
    const Fate fate = count_fd("write", fd, Kind::writes);
    if (fate == Fate::fails) return -1;
    return syscall(SYS_write, fd, bytes, fate == Fate::is_short ? size / 2 : size);
}

ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t offset) {
    const Fate fate = count_fd("pwrite", fd, Kind::writes);
    if (fate == Fate::fails) return -1;
    return syscall(SYS_pwrite64, fd, bytes, fate == Fate::is_short ? size / 2 : size, offset);
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) { return pwrite64(fd, bytes, size, offset); }

ssize_t writev(int fd, const iovec* parts, int number) {
    const Fate fate = count_fd("writev", fd, Kind::writes);
    if (fate == Fate::fails) return -1;
    return syscall(SYS_writev, fd, parts, fate == Fate::is_short ? (number + 1) / 2 : number);
}

ssize_t pwritev64(int fd, const iovec* parts, int number, off64_t offset) {
    if (count_fd("pwritev", fd, Kind::writes) == Fate::fails) return -1;
    return real<ssize_t (*)(int, const iovec*, int, off64_t)>("pwritev64")(fd, parts, number, offset);
}
ssize_t pwritev(int fd, const iovec* parts, int number, off_t offset) { return pwritev64(fd, parts, number, offset); }

ssize_t read(int fd, void* bytes, size_t size) {
    return count_fd("read", fd, Kind::reads) == Fate::passes ? syscall(SYS_read, fd, bytes, size) : -1;
}
ssize_t pread64(int fd, void* bytes, size_t size, off64_t offset) {
    return count_fd("pread", fd, Kind::reads) == Fate::passes ? syscall(SYS_pread64, fd, bytes, size, offset) : -1;
}
ssize_t pread(int fd, void* bytes, size_t size, off_t offset) { return pread64(fd, bytes, size, offset); }

int fdatasync(int fd) {
    return count_fd("fdatasync", fd, Kind::changes) == Fate::passes ? (int)syscall(SYS_fdatasync, fd) : -1;
}
int fsync(int fd) { return count_fd("fsync", fd, Kind::changes) == Fate::passes ? (int)syscall(SYS_fsync, fd) : -1; }
int ftruncate64(int fd, off64_t size) {
    return count_fd("ftruncate", fd, Kind::changes) == Fate::passes ? (int)syscall(SYS_ftruncate, fd, size) : -1;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int link(const char* from, const char* to) {
    return count("link", to, Kind::changes) == Fate::passes ? (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0) : -1;
}
int rename(const char* from, const char* to) {
    return count("rename", to, Kind::changes) == Fate::passes ? (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to) : -1;
}
int mkdir(const char* path, mode_t mode) {
    return count("mkdir", path, Kind::changes) == Fate::passes ? (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode) : -1;
}
// A full disk lets go of files; a broken one does not.
static bool lets_go(const char* path) {
    return strncmp(setting("CRASH_MODE"), "EIO", 3) != 0 || count("unlink", path, Kind::changes) == Fate::passes;
}
int unlink(const char* path) { return lets_go(path) ? (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0) : -1; }
int unlinkat(int folder, const char* path, int flags) {
    return lets_go(path) ? (int)syscall(SYS_unlinkat, folder, path, flags) : -1;
}
int remove(const char* path) {
    if (!lets_go(path)) return -1;
    const int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    return result != 0 && errno == EISDIR ? (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR) : result;
}

static int open_counted(const char* path, int flags, mode_t mode) {
    if ((flags & O_CREAT) && count("open", path, Kind::changes) != Fate::passes) return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_counted(path, flags | O_LARGEFILE, mode);
}
int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_counted(path, flags, mode);
}

// Each reading is earlier than the one before.
static time_t back_seconds() {
    static const long step = strtol(setting("CRASH_CLOCK_BACK_SECONDS"), nullptr, 10);
    return step == 0 ? 0 : ++clock_readings * step;
}
int clock_gettime(clockid_t clock, timespec* now) {
    const int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec -= back_seconds();
    return result;
}
int gettimeofday(timeval* now, void*) {
    timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

}
