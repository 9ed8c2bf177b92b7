// Writes JSON. Reading is nlohmann's, whose header costs seconds of compiling in every file that
// includes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

std::string json_string(const std::string & text);

template <typename Number> std::string json_number(Number value) {
    return std::to_string(value);
}

// [a,b], of elements that are JSON already.
std::string json_array(const std::vector<std::string> & elements);

struct JsonMember {
    const char * name;
    std::string  value;  // JSON already
};

std::string json_object(const std::vector<JsonMember> & members);

// [1,2], or null.
std::string json_cpus(const std::optional<std::vector<int>> & cpus);
