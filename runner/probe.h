// Looks at the graph that llama.cpp really runs, in a separate untimed context: what the load log
// repeats is what was asked for, not always what was done.
#pragma once

#include "engine.h"
#include "trial.h"

#include <set>
#include <string>

struct Observed {
    bool                  flash_attention = false;
    std::set<int>         layers_off_device;   // layers with a weight in main memory
    std::set<int>         layers_on_device;    // layers with a weight on a GPU
    bool                  output_on_device = false;
    std::set<std::string> devices;             // those that hold weights
    std::set<std::string> extra_buffer_types;  // such as CPU_REPACK
    std::set<std::string> operations_off_device;
    std::set<std::string> kv_types_k;
    std::set<std::string> kv_types_v;
    // Layers that keep anything between decodes, keys and values or a recurrent state, and where it lies.
    std::set<int> cached_layers;
    bool          cache_on_device = false;
    bool          cache_on_host   = false;

    // As llama.cpp counts: whole layers, and the output as one more.
    int layers_offloaded() const;
    // Whether keys are kept; values are not in every family.
    bool has_attention() const { return !kv_types_k.empty(); }
};

// Runs one batch and one single token with the settings of the trial.
Observed observe_graph(llama_model * model, const Trial & trial, const ThreadPools & pools);
