// Stands before llama.cpp (LD_PRELOAD) and gives it a device where there is no GPU: llama.cpp's own device over a
// network (ggml-rpc), whose other end is a process on this machine's CPU. ENDPOINT names a free port.
#include "ggml-backend.h"
#include "ggml-rpc.h"
#include "llama.h"

#include <dlfcn.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace {

// Ends with the process that it works for.
void serve(const char * endpoint) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    ggml_backend_dev_t cpu = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
    ggml_backend_rpc_start_server(endpoint, nullptr, 1, 1, &cpu);
    _exit(1);
}

}  // namespace

void llama_backend_init() {
    reinterpret_cast<decltype(llama_backend_init) *>(dlsym(RTLD_NEXT, "llama_backend_init"))();
    const char * endpoint = std::getenv("ENDPOINT");
    if (fork() == 0) serve(endpoint);
    for (int attempt = 0; attempt < 500; attempt++) {
        usleep(10'000);
        ggml_backend_reg_t device = ggml_backend_rpc_add_server(endpoint);
        if (device == nullptr) continue;
        ggml_backend_register(device);
        return;
    }
    std::abort();
}
