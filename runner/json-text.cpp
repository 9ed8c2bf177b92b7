#include "json-text.h"

#include <cstdio>

std::string json_string(const std::string & text) {
    std::string result = "\"";
    for (const char character : text) {
        if (character == '"' || character == '\\') {
            result += '\\';
            result += character;
        } else if (static_cast<unsigned char>(character) < 0x20) {
            char escape[7];
            std::snprintf(escape, sizeof escape, "\\u%04x", character);
            result += escape;
        } else {
            result += character;
        }
    }
    return result + "\"";
}

std::string json_array(const std::vector<std::string> & elements) {
    std::string result;
    for (const std::string & element : elements) result += (result.empty() ? "" : ",") + element;
    return "[" + result + "]";
}

std::string json_object(const std::vector<JsonMember> & members) {
    std::string result;
    for (const auto & [name, value] : members) {
        result += (result.empty() ? "" : ",") + json_string(name) + ":" + value;
    }
    return "{" + result + "}";
}

std::string json_cpus(const std::optional<std::vector<int>> & cpus) {
    if (!cpus) return "null";
    std::vector<std::string> numbers;
    for (const int cpu : *cpus) numbers.push_back(json_number(cpu));
    return json_array(numbers);
}
