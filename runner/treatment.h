// What an experiment does to a trial beside measuring it, all of it outside the timer. A trial of
// format 1 has none.
#pragma once

#include <string>
#include <vector>

// A runner compiled without them costs the timed region the same (bench/instructions.ts compares).
#if defined(ROOFLAW_WITHOUT_TREATMENTS)
constexpr bool knows_treatments = false;
#else
constexpr bool knows_treatments = true;
#endif

enum class Reading { cpu_time, placement, context_switches, page_faults, scheduler_wait, frequency };

// The name of the trial format.
const char * name_of(Reading reading);

enum class ActivityKind { sleep, integer_work, decode };

struct ActivityWish {
    ActivityKind kind = ActivityKind::sleep;
    int          milliseconds = 0;  // 0: none
};

// CPUs on which the main thread alone must run.
struct MainThreadWish {
    int prepare_on = -1;  // -1: it is not touched
    int time_on    = -1;

    bool is_given() const { return prepare_on >= 0; }
};

enum class PageCache { as_is, dropped, warm };

struct Treatment {
    bool                 is_given = false;  // format 2
    std::vector<Reading> readings;
    MainThreadWish       main_thread;
    ActivityWish         activity;
    PageCache            page_cache = PageCache::as_is;

    bool reads(Reading reading) const;
};
