#include "page-cache.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>

#if defined(__linux__)
#    include <fcntl.h>
#    include <sys/mman.h>
#    include <sys/stat.h>
#    include <unistd.h>
#endif

namespace {

// "-00001-of-00003.gguf", as llama.cpp names the parts of a model.
std::string part_ending(int part, int parts) {
    char ending[32];
    std::snprintf(ending, sizeof ending, "-%05d-of-%05d.gguf", part, parts);
    return ending;
}

// Every file of the model whose first one is named.
std::vector<std::string> parts_of(const std::string & path) {
    constexpr size_t ending_length = sizeof "-00001-of-00003.gguf" - 1;
    constexpr size_t parts_at      = sizeof "-00001-of-" - 1;
    if (path.size() <= ending_length) return { path };
    const std::string start  = path.substr(0, path.size() - ending_length);
    const std::string ending = path.substr(start.size());
    const int         parts  = std::atoi(ending.c_str() + parts_at);
    if (ending != part_ending(1, parts)) return { path };
    std::vector<std::string> paths;
    for (int part = 1; part <= parts; part++) paths.push_back(start + part_ending(part, parts));
    return paths;
}

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

void drop(const std::string & path) {
    const OpenFile file(path);
    if (!file.is_open()) return;
    fdatasync(file.number());  // what is not on the disk yet cannot be dropped
    posix_fadvise(file.number(), 0, 0, POSIX_FADV_DONTNEED);
}

// Of somebody else's file that may not be written, mincore says that all of it is resident.
bool is_told_truth(const std::string & path, const struct stat & status) {
    return status.st_uid == geteuid() || faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

struct Pages {
    size_t resident;
    size_t all;
};

std::optional<Pages> count_pages(const std::string & path) {
    const OpenFile file(path);
    struct stat    status;
    if (!file.is_open() || fstat(file.number(), &status) != 0 || status.st_size == 0) return std::nullopt;
    if (!is_told_truth(path, status)) return std::nullopt;
    const size_t page   = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t length = static_cast<size_t>(status.st_size);
    void *       map    = mmap(nullptr, length, PROT_READ, MAP_SHARED, file.number(), 0);
    if (map == MAP_FAILED) return std::nullopt;
    std::vector<unsigned char> pages((length + page - 1) / page);
    const bool                 is_said = mincore(map, length, pages.data()) == 0;
    munmap(map, length);
    if (!is_said) return std::nullopt;
    const auto add_resident = [](size_t sum, unsigned char one) { return sum + (one & 1); };
    return Pages{ std::accumulate(pages.begin(), pages.end(), size_t{ 0 }, add_resident), pages.size() };
}

}  // namespace

void prepare_page_cache(const std::string & path, PageCache wish) {
    for (const std::string & part : parts_of(path)) {
        if (wish == PageCache::warm) read_through(part);
        if (wish == PageCache::dropped) drop(part);
    }
}

std::optional<double> resident_share(const std::string & path) {
    Pages sum = { 0, 0 };
    for (const std::string & part : parts_of(path)) {
        const auto pages = count_pages(part);
        if (!pages) return std::nullopt;
        sum.resident += pages->resident;
        sum.all += pages->all;
    }
    return static_cast<double>(sum.resident) / static_cast<double>(sum.all);
}

#else

// Without a call that drops a file, only reading it changes anything.
void prepare_page_cache(const std::string & path, PageCache wish) {
    if (wish != PageCache::warm) return;
    for (const std::string & part : parts_of(path)) read_through(part);
}

std::optional<double> resident_share(const std::string &) {
    return std::nullopt;
}

#endif
