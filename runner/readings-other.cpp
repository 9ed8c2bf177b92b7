// Systems other than Linux: nothing is read yet, and each reading says so.
#if !defined(__linux__)

#    include "readings.h"

struct Readings::System {
    const Treatment & asked;
    Counters          counters;
};

Readings::Readings(const Treatment & treatment) : system_(new System{ treatment, Counters() }) {}

Readings::~Readings() = default;

void Readings::begin() {}

void Readings::end() {}

const Counters & Readings::counters() const {
    return system_->counters;
}

std::vector<Availability> Readings::availability() const {
    const std::string         why = "this system is not Linux";
    std::vector<Availability> list;
    for (const Reading reading : system_->asked.readings) list.push_back({ name_of(reading), false, why });
    if (system_->asked.reads(Reading::placement)) list.push_back({ "migrations", false, why });
    return list;
}

std::optional<Cycles> Readings::read_cycles() const {
    return std::nullopt;
}

std::optional<double> Readings::mperf_hertz() const {
    return std::nullopt;
}

#endif
