// What one pair of looks costs: begin() and end(), for each reading alone and for all together.
#include "../../runner/clock.h"
#include "../../runner/readings.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr int batches        = 101;
constexpr int pairs_of_batch = 200;

double median_ns(const Treatment & treatment) {
    Readings            readings(treatment);
    std::vector<double> averages;
    for (int batch = 0; batch < batches; batch++) {
        const uint64_t start = now_ns();
        for (int pair = 0; pair < pairs_of_batch; pair++) {
            readings.begin();
            readings.end();
        }
        averages.push_back(static_cast<double>(now_ns() - start) / pairs_of_batch);
    }
    std::nth_element(averages.begin(), averages.begin() + batches / 2, averages.end());
    return averages[batches / 2];
}

}  // namespace

int main() {
    const std::vector<Reading> known = { Reading::cpu_time,    Reading::placement,      Reading::context_switches,
                                         Reading::page_faults, Reading::scheduler_wait, Reading::frequency };
    Treatment                  treatment;
    std::printf("none %.0f\n", median_ns(treatment));
    for (const Reading reading : known) {
        treatment.readings = { reading };
        const auto said    = Readings(treatment).availability();
        std::printf("%s %.0f %s\n", name_of(reading), median_ns(treatment), said[0].words.c_str());
    }
    treatment.readings = known;
    std::printf("all %.0f\n", median_ns(treatment));
}
