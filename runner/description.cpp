#include "description.h"

#include "ggml-backend.h"
#include "llama.h"
#include "nlohmann/json.hpp"
#include "platform.h"

using nlohmann::json;

namespace {

const char * name_of(enum ggml_backend_dev_type type) {
    switch (type) {
        case GGML_BACKEND_DEVICE_TYPE_CPU:   return "cpu";
        case GGML_BACKEND_DEVICE_TYPE_GPU:   return "gpu";
        case GGML_BACKEND_DEVICE_TYPE_IGPU:  return "igpu";
        case GGML_BACKEND_DEVICE_TYPE_ACCEL: return "accelerator";
        default:                             return "other";
    }
}

std::string compiler() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#elif defined(_MSC_VER)
    return "msvc " + std::to_string(_MSC_FULL_VER);
#else
    return "unknown";
#endif
}

json describe_devices() {
    json devices = json::array();
    for (size_t index = 0; index < ggml_backend_dev_count(); index++) {
        ggml_backend_dev_t device      = ggml_backend_dev_get(index);
        size_t             free_bytes  = 0;
        size_t             total_bytes = 0;
        ggml_backend_dev_memory(device, &free_bytes, &total_bytes);
        devices.push_back({
            { "name",        ggml_backend_dev_name(device)                                  },
            { "description", ggml_backend_dev_description(device)                           },
            { "type",        name_of(ggml_backend_dev_type(device))                         },
            { "backend",     ggml_backend_reg_name(ggml_backend_dev_backend_reg(device))    },
            { "memoryBytes", total_bytes                                                    },
        });
    }
    return devices;
}

}  // namespace

std::string describe_runner() {
#if defined(ROOFLAW_SOURCE_TREE_HASH)
    const json source_tree_hash = ROOFLAW_SOURCE_TREE_HASH;
#else
    const json source_tree_hash = nullptr;
#endif
    const auto cpus = allowed_cpus();
    const json description = {
        { "format",         "rooflaw-runner"                    },
        { "formatVersion",  1                                   },
        { "llamaRelease",   llama_version()                     },
        { "llamaCommit",    nullptr                             }, // the library does not say
        { "sourceTreeHash", source_tree_hash                    },
        { "systemInfo",     llama_print_system_info()           },
        { "devices",        describe_devices()                  },
        { "compiler",       compiler()                          },
        { "operatingSystem", operating_system()                 },
        { "allowedCpus",    cpus ? json(*cpus) : json(nullptr)  },
    };
    return description.dump(-1, ' ', false, json::error_handler_t::replace);
}
