#include "log.h"

#include "llama.h"

#include <cstdio>
#include <mutex>

namespace {

bool        printing = false;
bool        keeping  = false;
std::mutex  keeping_mutex;  // libraries may log from several threads while they load
std::string kept;
std::string kept_errors;

// Prints exactly as llama.cpp's own default does, so that the cost of its log is the usual one.
void handle_log(ggml_log_level level, const char * text, void *) {
    if (keeping) {
        const std::lock_guard<std::mutex> lock(keeping_mutex);
        kept += text;
        if (level == GGML_LOG_LEVEL_ERROR) kept_errors += text;
    }
    if (printing) {
        std::fputs(text, stderr);
        std::fflush(stderr);
    }
}

}  // namespace

void start_log(LogSink sink) {
    printing = sink != LogSink::off;
    keeping  = true;
    llama_log_set(handle_log, nullptr);  // sets ggml's too
}

void stop_keeping_log() {
    keeping = false;
}

std::string take_kept_log() {
    const std::lock_guard<std::mutex> lock(keeping_mutex);
    std::string                       text;
    text.swap(kept);
    return text;
}

std::string kept_log_errors() {
    const std::lock_guard<std::mutex> lock(keeping_mutex);
    std::string                       message;
    for (const char character : kept_errors.substr(0, kept_errors.find_last_not_of('\n') + 1)) {
        if (character == '\n') message += "; ";
        else message += character;
    }
    return message;
}
