// What the main thread does before the timer, for a stated time.
#pragma once

#include "readings.h"
#include "treatment.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

// Integer work in slices of about a millisecond. A place in each list for every slice.
struct Slices {
    std::vector<uint64_t> ns;
    std::vector<uint64_t> operations;
    // 0 where the thread moved in that slice; empty unless the frequency is measured
    std::vector<uint64_t> aperf;
    std::vector<uint64_t> mperf;
};

struct ActivityDone {
    uint64_t                elapsed_ns = 0;
    std::optional<uint64_t> steps;
    std::optional<Slices>   slices;
};

// `decode_step` runs one step of the model, and makes room first where there is none; `take_back` takes
// out of the cache what is left of them.
ActivityDone do_activity(const ActivityWish & wish, const Readings & readings, const std::function<void()> & decode_step,
                         const std::function<void()> & take_back);
