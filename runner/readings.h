// Counters of the system at both ends of the timed region.
#pragma once

#include "treatment.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Differences over the timed region, of the main thread unless the name says otherwise. Nothing where a
// counter was not asked for or is not there.
struct Counters {
    std::optional<uint64_t> main_cpu_ns;
    std::optional<uint64_t> process_cpu_ns;
    std::optional<uint64_t> start_cpu;
    std::optional<uint64_t> end_cpu;
    std::optional<uint64_t> migrations;
    std::optional<uint64_t> voluntary_switches;
    std::optional<uint64_t> involuntary_switches;
    std::optional<uint64_t> minor_faults;
    std::optional<uint64_t> major_faults;
    std::optional<uint64_t> scheduler_wait_ns;
    std::optional<uint64_t> aperf;
    std::optional<uint64_t> mperf;
};

// How a reading can be had here.
struct Availability {
    std::string name;
    bool        is_measured;
    std::string words;  // by which way, or why not
};

// Cycles at the actual and the base frequency, of one CPU.
struct Cycles {
    int      cpu;
    uint64_t aperf;
    uint64_t mperf;
};

// Must be made and used by the main thread. A reading that the system lacks is no error.
class Readings {
  public:
    explicit Readings(const Treatment & treatment);
    ~Readings();
    Readings(const Readings &)             = delete;
    Readings & operator=(const Readings &) = delete;

    void begin();
    void end();

    const Counters &          counters() const;
    std::vector<Availability> availability() const;

    // Of the CPU that the thread is on, if `frequency` is asked for and there.
    std::optional<Cycles> read_cycles() const;
    // Cycles of MPERF in a second, where the processor says it.
    std::optional<double> mperf_hertz() const;

  private:
    struct System;
    std::unique_ptr<System> system_;
};
