// Speaks the runner's line protocol and measures nothing: a trial of a few milliseconds, so that many
// of them can be killed. Its times follow from the trial alone: F16 takes a tenth longer.
// usage: fast-runner [MILLISECONDS a repetition [killed]] < trial
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

static std::string text_of(const std::string& trial, const char* key) {
    const std::string start = std::string("\"") + key + "\":\"";
    const auto at = trial.find(start);
    if (at == std::string::npos) return "";
    const auto from = at + start.size();
    return trial.substr(from, trial.find('"', from) - from);
}

static long number_of(const std::string& trial, const char* key) {
    const std::string start = std::string("\"") + key + "\":";
    const auto at = trial.find(start);
    return at == std::string::npos ? 0 : std::strtol(trial.c_str() + at + start.size(), nullptr, 10);
}

static void print(const std::string& line) {
    const std::string whole = line + "\n";
    if (write(STDOUT_FILENO, whole.data(), whole.size()) == (ssize_t)whole.size()) return;
    std::fputs("runner: cannot write the results\n", stderr);  // as the real one
    std::exit(1);
}

int main(int argc, char** argv) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // as the real one: it does not outlive the harness
    const long wait_ms = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 1;
    std::string trial;
    char buffer[4096];
    for (ssize_t got; (got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0;) trial.append(buffer, got);
    if (argc > 2 && std::strcmp(argv[2], "killed") == 0) raise(SIGKILL);
    const std::string sha256 = text_of(trial, "modelSha256");
    if (sha256.empty()) return 2;
    std::fprintf(stderr, "loading %s\n", sha256.c_str());

    const long context = number_of(trial, "contextSize");
    const long batch = std::min(number_of(trial, "batch"), context);  // as llama.cpp does
    print("{\"type\":\"load\",\"formatVersion\":1,\"modelSha256\":\"" + sha256 +
          "\",\"loadNs\":1,\"contextNs\":1,\"clockNs\":null,\"applied\":{\"threads\":" +
          std::to_string(number_of(trial, "threads")) +
          ",\"threadsBatch\":" + std::to_string(number_of(trial, "threadsBatch")) +
          ",\"contextSize\":" + std::to_string(number_of(trial, "contextSize")) +
          ",\"batch\":" + std::to_string(std::min(number_of(trial, "batch"), number_of(trial, "contextSize"))) +
          ",\"ubatch\":" + std::to_string(std::min(number_of(trial, "ubatch"), number_of(trial, "contextSize"))) +
          ",\"flashAttention\":\"" + text_of(trial, "flashAttention") +
          "\",\"layersOffloaded\":0,\"layersTotal\":3,\"modelBuffers\":[],\"kvBuffers\":[],"
          "\"computeBuffers\":[],\"cpus\":null}}");
    const long repetitions = number_of(trial, "repetitions");
    const long wall_ns = sha256[0] == 'b' ? 110000 : 100000;
    for (long index = 0; index < repetitions; index++) {
        usleep(wait_ms * 1000);
        print("{\"type\":\"repetition\",\"index\":" + std::to_string(index) +
              ",\"wallNs\":" + std::to_string(wall_ns) + ",\"prepareNs\":10}");
    }
    print("{\"type\":\"end\",\"repetitions\":" + std::to_string(repetitions) + ",\"peakResidentBytes\":null}");
    std::fflush(stderr);
    return 0;
}
