// llama.cpp's log: where the trial wants it, and kept while the settings are being checked.
#pragma once

#include "trial.h"

#include <string>

// Before the first call into llama.cpp. Text is kept from here on until stop_keeping_log().
void start_log(LogSink sink);

void stop_keeping_log();

// What was logged since the last call.
std::string take_kept_log();

// The error lines since the start, in one line for a message.
std::string kept_log_errors();
