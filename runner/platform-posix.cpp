// What Linux and macOS share.
#if !defined(_WIN32)

#include "platform.h"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace {

int check(int result, const char * what) {
    if (result < 0) throw std::system_error(errno, std::generic_category(), what);
    return result;
}

}  // namespace

FILE * take_standard_output() {
    const int private_channel = check(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), "duplicate stdout");
    check(dup2(STDERR_FILENO, STDOUT_FILENO), "redirect stdout");
    FILE * stream = fdopen(private_channel, "w");
    if (stream == nullptr) check(-1, "open the private channel");
    return stream;
}

void discard_standard_error() {
    const int null_device = check(open("/dev/null", O_WRONLY | O_CLOEXEC), "open /dev/null");
    check(dup2(null_device, STDERR_FILENO), "redirect stderr");
    check(dup2(null_device, STDOUT_FILENO), "redirect stdout");
    close(null_device);
}

std::string operating_system() {
    utsname names;
    check(uname(&names), "uname");
    return std::string(names.sysname) + " " + names.machine;
}

#endif
