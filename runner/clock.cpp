#include "clock.h"

#include <algorithm>
#include <array>

double measure_clock_ns() {
    // A reading takes some tens of nanoseconds, less than many clocks tell apart: only a batch can be
    // timed. An interrupt spoils few batches, and the median of an odd number ignores those.
    constexpr int batches            = 101;
    constexpr int readings_per_batch = 1000;

    std::array<double, batches> averages_ns;
    for (double & average_ns : averages_ns) {
        const uint64_t start = now_ns();
        uint64_t       end   = start;
        for (int reading = 0; reading < readings_per_batch; reading++) end = now_ns();
        average_ns = static_cast<double>(end - start) / readings_per_batch;
    }
    std::nth_element(averages_ns.begin(), averages_ns.begin() + batches / 2, averages_ns.end());
    return averages_ns[batches / 2];
}
