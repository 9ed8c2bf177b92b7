// APERF and MPERF: how many cycles a CPU ran at its actual and at its base frequency while it was not
// idle (Intel SDM vol. 3, 15.2; AMD64 APM vol. 2, 17.2).
#pragma once

#include "readings.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// Through /dev/cpu/N/msr, else through perf's msr events: Linux, and x86 alone has them.
class CycleCounter {
  public:
    explicit CycleCounter(const std::vector<int> & cpus);
    ~CycleCounter();
    CycleCounter(const CycleCounter &)             = delete;
    CycleCounter & operator=(const CycleCounter &) = delete;

    // Nothing where it cannot be read.
    std::optional<Cycles> read(int cpu) const;

    bool                works() const { return works_; }
    // By which way, or why not.
    const std::string & words() const { return words_; }

  private:
    struct Files {
        int aperf = -1;
        int mperf = -1;  // that of aperf where it is a device of registers
    };

    bool                 is_device_ = false;
    bool                 works_     = false;
    std::string          words_;
    std::map<int, Files> files_;

    std::string open_devices(const std::vector<int> & cpus);
    std::string open_events(const std::vector<int> & cpus);
    bool        advances() const;
    void        close_files();
};
