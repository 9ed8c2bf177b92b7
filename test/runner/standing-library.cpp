// Stands before the C library: every CPU has registers in /dev/cpu/N/msr that can be read and stand still, as in some
// virtual machines.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>

namespace {

std::set<int> & register_files() {
    static std::set<int> files;
    return files;
}

template <typename Function> Function * next(const char * name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int open(const char * path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    const bool is_device = std::string(path).rfind("/dev/cpu/", 0) == 0;
    const int  file      = next<int(const char *, int, ...)>("open")(is_device ? "/dev/null" : path, flags, mode);
    if (is_device) register_files().insert(file);
    return file;
}

extern "C" ssize_t pread(int file, void * into, size_t size, off_t offset) {
    if (register_files().count(file) == 0) {
        return next<ssize_t(int, void *, size_t, off_t)>("pread")(file, into, size, offset);
    }
    const uint64_t value = 1;
    std::memcpy(into, &value, sizeof value);
    return sizeof value;
}
