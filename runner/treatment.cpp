#include "treatment.h"

#include <algorithm>

const char * name_of(Reading reading) {
    switch (reading) {
        case Reading::cpu_time:         return "cpu-time";
        case Reading::placement:        return "placement";
        case Reading::context_switches: return "context-switches";
        case Reading::page_faults:      return "page-faults";
        case Reading::scheduler_wait:   return "scheduler-wait";
        case Reading::frequency:        return "frequency";
    }
    return "";
}

bool Treatment::reads(Reading reading) const {
    return std::find(readings.begin(), readings.end(), reading) != readings.end();
}
