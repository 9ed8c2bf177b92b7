#include "description.h"

#include "ggml-backend.h"
#include "json-text.h"
#include "llama.h"
#include "platform.h"

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

std::string describe_devices() {
    std::vector<std::string> devices;
    for (size_t index = 0; index < ggml_backend_dev_count(); index++) {
        ggml_backend_dev_t device      = ggml_backend_dev_get(index);
        size_t             free_bytes  = 0;
        size_t             total_bytes = 0;
        ggml_backend_dev_memory(device, &free_bytes, &total_bytes);
        devices.push_back(json_object({
            { "name",        json_string(ggml_backend_dev_name(device))                               },
            { "description", json_string(ggml_backend_dev_description(device))                        },
            { "type",        json_string(name_of(ggml_backend_dev_type(device)))                      },
            { "backend",     json_string(ggml_backend_reg_name(ggml_backend_dev_backend_reg(device))) },
            { "memoryBytes", json_number(total_bytes)                                                 },
        }));
    }
    return json_array(devices);
}

}  // namespace

std::string describe_runner() {
#if defined(ROOFLAW_SOURCE_TREE_HASH)
    const std::string source_tree_hash = json_string(ROOFLAW_SOURCE_TREE_HASH);
#else
    const std::string source_tree_hash = "null";
#endif
    return json_object({
        { "format",          json_string("rooflaw-runner")          },
        { "formatVersion",   json_number(1)                         },
        { "llamaRelease",    json_string(llama_version())           },
        { "llamaCommit",     "null"                                 },  // the library does not say
        { "sourceTreeHash",  source_tree_hash                       },
        { "systemInfo",      json_string(llama_print_system_info()) },
        { "devices",         describe_devices()                     },
        { "compiler",        json_string(compiler())                },
        { "operatingSystem", json_string(operating_system())        },
        { "allowedCpus",     json_cpus(allowed_cpus())              },
    });
}
