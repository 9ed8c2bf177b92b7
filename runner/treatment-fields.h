// The treatment of a trial, as it arrives.
#pragma once

#include "fields.h"
#include "treatment.h"

// Every field required; what is wrong is noted in `outer`.
Treatment read_treatment(Fields & outer);
