// The private channel: one JSON object a line, flushed as it is written.
#pragma once

#include "failure.h"
#include "phases.h"
#include "readings.h"
#include "trial.h"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

struct Buffer {
    std::string name;
    double      mebibytes;
};

// What llama.cpp really took, read back after loading.
struct Applied {
    int                             threads;
    int                             threads_batch;
    int                             context_size;
    int                             batch;
    int                             ubatch;
    bool                            flash_attention;
    int                             layers_offloaded;
    int                             layers_total;
    std::vector<Buffer>             model_buffers;
    std::vector<Buffer>             kv_buffers;
    std::vector<Buffer>             compute_buffers;
    std::optional<std::vector<int>> cpus;
};

// What a treated trial says when its model is loaded.
struct TreatmentReport {
    std::vector<Availability> readings;
    std::optional<double>     mperf_hertz;
    std::optional<double>     resident_share;
};

class Output {
  public:
    explicit Output(FILE * channel) : channel_(channel) {}

    void write_load(const Trial & trial, uint64_t load_ns, uint64_t context_ns, const Applied & applied,
                    std::optional<double> clock_ns, const std::optional<TreatmentReport> & treatment);
    void write_repetition(int index, const Repetition & repetition);
    void write_end(int repetitions, std::optional<uint64_t> peak_resident_bytes);
    void write_failure(const Failure & failure);
    void write_line(const std::string & line);

  private:
    FILE * channel_;
};
