// One trial as it arrives on standard input: every field required, no defaults.
#pragma once

#include "ggml-cpu.h"
#include "llama.h"
#include "treatment.h"

#include <cstdint>
#include <string>
#include <vector>

enum class Phase { prefill, decode };
enum class CachePreparation { compute, restore };
enum class LogSink { file, null, off };

struct Trial {
    std::string model_path;
    std::string model_sha256;

    Phase            phase;
    int              sequence_length;
    int              depth;  // tokens before a prefill's S; 0 in decode, whose depth is S
    int              decode_steps;
    int              repetitions;
    CachePreparation cache_preparation;
    bool             step_times;
    uint32_t         token_seed;

    std::vector<std::string> devices;  // ggml device names; {"CPU"}: no GPU is used
    int                      gpu_layers;
    llama_split_mode         split_mode;

    int  context_size;
    int  batch;
    int  ubatch;
    bool flash_attention;

    ggml_type kv_type_k;
    ggml_type kv_type_v;
    bool      kv_offload;
    bool      kv_unified;
    bool      swa_full;

    int                 threads;
    int                 threads_batch;
    int                 thread_pool_poll;
    ggml_sched_priority thread_pool_priority;
    bool                thread_pool_strict_cpu;
    ggml_numa_strategy  numa;
    std::vector<int>    affinity;  // empty: default

    llama_load_mode load_mode;
    llama_lazy_mode lazy_mode;
    bool            check_tensors;
    bool            extra_buffer_types;
    bool            host_buffers;
    bool            op_offload;
    bool            internal_timers;
    LogSink         log_sink;

    Treatment treatment;

    bool uses_cpu_only() const { return devices.size() == 1 && devices[0] == "CPU"; }
    // In the cache when the timer starts, and added to it while it runs.
    int  prepared_tokens() const { return phase == Phase::prefill ? depth : sequence_length; }
    int  timed_tokens() const { return phase == Phase::prefill ? sequence_length : decode_steps; }
    bool needs_batch_pool() const { return threads_batch != threads; }
};

// Throws Failure invalid_trial that names every fault at once.
Trial parse_trial(const std::string & text);
