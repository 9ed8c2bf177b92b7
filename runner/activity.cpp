#include "activity.h"

#include "clock.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace {

constexpr uint64_t slice_ns = 1000000;
// Some microseconds: short beside a slice, long beside a reading of the clock.
constexpr uint64_t operations_per_look = 4000;

// xorshift64 (Marsaglia 2003, doi:10.18637/jss.v008.i14): integer instructions that wait for one another,
// no memory.
uint64_t work(uint64_t state) {
    for (uint64_t operation = 0; operation < operations_per_look; operation++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    return state;
}

volatile uint64_t result_of_work;  // so that it is not optimised away

void append_cycles(Slices & slices, const std::optional<Cycles> & before, const std::optional<Cycles> & after) {
    const bool stayed = before && after && before->cpu == after->cpu;
    slices.aperf.push_back(stayed ? after->aperf - before->aperf : 0);
    slices.mperf.push_back(stayed ? after->mperf - before->mperf : 0);
}

Slices work_until(uint64_t end_ns, const Readings & readings) {
    Slices     slices;
    uint64_t   state    = 88172645463325252;  // the paper's seed
    auto       cycles   = readings.read_cycles();
    const bool measures = cycles.has_value();  // a place for every slice, or none at all
    uint64_t   start    = now_ns();
    while (start < end_ns) {
        const uint64_t slice_end  = std::min(start + slice_ns, end_ns);
        uint64_t       operations = 0;
        uint64_t       now        = start;
        while (now < slice_end) {
            state = work(state);
            operations += operations_per_look;
            now = now_ns();
        }
        slices.ns.push_back(now - start);
        slices.operations.push_back(operations);
        if (measures) {
            const auto later = readings.read_cycles();
            append_cycles(slices, cycles, later);
            cycles = later;
        }
        start = now_ns();
    }
    result_of_work = state;
    return slices;
}

void sleep_until(uint64_t end_ns) {
    for (uint64_t now = now_ns(); now < end_ns; now = now_ns()) {
        std::this_thread::sleep_for(std::chrono::nanoseconds(end_ns - now));
    }
}

}  // namespace

ActivityDone do_activity(const ActivityWish & wish, const Readings & readings, const std::function<void()> & decode_step,
                         const std::function<void()> & take_back) {
    const uint64_t start = now_ns();
    const uint64_t end   = start + static_cast<uint64_t>(wish.milliseconds) * 1000000;
    ActivityDone   done;
    switch (wish.kind) {
        case ActivityKind::sleep:        sleep_until(end); break;
        case ActivityKind::integer_work: done.slices = work_until(end, readings); break;
        case ActivityKind::decode:
            done.steps = 0;
            while (now_ns() < end) {
                decode_step();
                *done.steps += 1;
            }
            take_back();
            break;
    }
    done.elapsed_ns = now_ns() - start;
    return done;
}
