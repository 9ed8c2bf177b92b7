#include "page-cache.h"

#include <fstream>

#if defined(__linux__)
#    include <fcntl.h>
#    include <sys/mman.h>
#    include <sys/stat.h>
#    include <unistd.h>
#endif

namespace {

void read_through(const std::string & path) {
    std::ifstream     file(path, std::ios::binary);
    std::vector<char> piece(1 << 20);
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size()))) {
    }
}

}  // namespace

#if defined(__linux__)

namespace {

class OpenFile {
  public:
    explicit OpenFile(const std::string & path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~OpenFile() {
        if (file_ >= 0) close(file_);
    }
    OpenFile(const OpenFile &)             = delete;
    OpenFile & operator=(const OpenFile &) = delete;

    int  number() const { return file_; }
    bool is_open() const { return file_ >= 0; }

  private:
    int file_;
};

}  // namespace

void prepare_page_cache(const std::string & path, PageCache wish) {
    if (wish == PageCache::warm) return read_through(path);
    const OpenFile file(path);
    if (wish == PageCache::as_is || !file.is_open()) return;
    fdatasync(file.number());  // what is not on the disk yet cannot be dropped
    posix_fadvise(file.number(), 0, 0, POSIX_FADV_DONTNEED);
}

std::optional<double> resident_share(const std::string & path) {
    const OpenFile file(path);
    struct stat    status;
    if (!file.is_open() || fstat(file.number(), &status) != 0 || status.st_size == 0) return std::nullopt;
    const size_t page   = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t length = static_cast<size_t>(status.st_size);
    void *       map    = mmap(nullptr, length, PROT_READ, MAP_SHARED, file.number(), 0);
    if (map == MAP_FAILED) return std::nullopt;
    std::vector<unsigned char> pages((length + page - 1) / page);
    const bool                 is_said = mincore(map, length, pages.data()) == 0;
    munmap(map, length);
    if (!is_said) return std::nullopt;
    size_t resident = 0;
    for (const unsigned char one : pages) resident += one & 1;
    return static_cast<double>(resident) / static_cast<double>(pages.size());
}

#else

// Without a call that drops a file, only reading it changes anything.
void prepare_page_cache(const std::string & path, PageCache wish) {
    if (wish == PageCache::warm) read_through(path);
}

std::optional<double> resident_share(const std::string &) {
    return std::nullopt;
}

#endif
