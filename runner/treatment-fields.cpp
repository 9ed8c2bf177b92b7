#include "treatment-fields.h"

namespace {

constexpr int64_t max_milliseconds = 3600000;  // of the trial format (src/formats/treatment.ts)

MainThreadWish read_main_thread(Fields & outer) {
    MainThreadWish wish;
    const json *   object = outer.object("mainThread", true);
    if (object == nullptr) return wish;
    Fields fields(*object, "mainThread", "treatment.mainThread.");
    wish.prepare_on = fields.integer("prepareOn", 0, max_cpu);
    wish.time_on    = fields.integer("timeOn", 0, max_cpu);
    outer.take_faults(fields);
    return wish;
}

ActivityWish read_activity(Fields & outer) {
    ActivityWish wish;
    const json * object = outer.object("activity", true);
    if (object == nullptr) return wish;
    Fields fields(*object, "an activity", "treatment.activity.");
    wish.kind         = fields.choice<ActivityKind>("kind", {
                                                                { "sleep",        ActivityKind::sleep        },
                                                                { "integer-work", ActivityKind::integer_work },
                                                                { "decode",       ActivityKind::decode       },
                                                            });
    wish.milliseconds = fields.integer("milliseconds", 1, max_milliseconds);
    outer.take_faults(fields);
    return wish;
}

}  // namespace

Treatment read_treatment(Fields & outer) {
    Treatment    treatment;
    const json * object = outer.object("treatment");
    if (object == nullptr) return treatment;
    Fields fields(*object, "a treatment", "treatment.");
    treatment.is_given    = true;
    treatment.readings    = fields.choices<Reading>("readings", "readings",
                                                    {
                                                     { name_of(Reading::cpu_time),         Reading::cpu_time         },
                                                     { name_of(Reading::placement),        Reading::placement        },
                                                     { name_of(Reading::context_switches), Reading::context_switches },
                                                     { name_of(Reading::page_faults),      Reading::page_faults      },
                                                     { name_of(Reading::scheduler_wait),   Reading::scheduler_wait   },
                                                     { name_of(Reading::frequency),        Reading::frequency        },
                                                 });
    treatment.main_thread = read_main_thread(fields);
    treatment.activity    = read_activity(fields);
    treatment.page_cache  = fields.choice<PageCache>("pageCache", {
                                                                     { "as-is",   PageCache::as_is   },
                                                                     { "dropped", PageCache::dropped },
                                                                     { "warm",    PageCache::warm    },
                                                                 });
    outer.take_faults(fields);
    return treatment;
}
