// Why a trial was given up. The code and the message become the last line of the output.
#pragma once

#include <stdexcept>
#include <string>

enum class FailureCode {
    invalid_trial,
    too_many_threads,
    device_not_found,
    model_not_loaded,
    context_not_created,
    setting_not_taken,
    decode_failed,
    invalid_logits,
};

struct Failure : std::runtime_error {
    FailureCode code;

    Failure(FailureCode failure_code, const std::string & message)
        : std::runtime_error(message), code(failure_code) {}
};
