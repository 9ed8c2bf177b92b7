// A clock that never goes back.
#pragma once

#include <chrono>
#include <cstdint>

inline uint64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// What one reading costs, in nanoseconds: the median of some batches' averages. Takes milliseconds.
double measure_clock_ns();
