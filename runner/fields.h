// Reads a JSON object field by field and collects what is wrong with it.
#pragma once

#include "failure.h"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

using nlohmann::json;

constexpr int64_t max_cpu = 4095;  // of the trial format (src/formats/trial.ts)

// Reads fields and collects faults; a faulty field yields a value that is never used.
class Fields {
  public:
    // `what` is the kind of object; `prefix` stands before the names of its fields in faults.
    explicit Fields(const json & object, std::string what = "a trial", std::string prefix = "")
        : object_(object), what_(std::move(what)), prefix_(std::move(prefix)) {}

    std::string text(const char * name) {
        const json * value = find(name);
        if (value == nullptr) return "";
        if (!value->is_string() || value->get_ref<const std::string &>().empty()) {
            return fault(name, "must be a string that is not empty"), "";
        }
        return *value;
    }

    bool flag(const char * name) {
        const json * value = find(name);
        if (value == nullptr) return false;
        if (!value->is_boolean()) return fault(name, "must be true or false"), false;
        return *value;
    }

    int64_t integer(const char * name, int64_t minimum, int64_t maximum) {
        const json * value = find(name);
        if (value == nullptr) return minimum;
        const auto result = as_integer(*value, minimum, maximum);
        if (!result.first) {
            fault(name, "must be an integer from " + std::to_string(minimum) + " to " + std::to_string(maximum));
        }
        return result.second;
    }

    template <typename T>
    T choice(const char * name, std::initializer_list<std::pair<const char *, T>> choices) {
        const json * value = find(name);
        std::string  known;
        for (const auto & [word, meaning] : choices) {
            if (value != nullptr && value->is_string() && *value == word) return meaning;
            known += (known.empty() ? "" : ", ") + std::string(word);
        }
        if (value != nullptr) fault(name, "must be one of " + known);
        return choices.begin()->second;
    }

    std::vector<std::string> names(const char * name) {
        const json *             value = find(name);
        std::vector<std::string> result;
        if (value == nullptr) return result;
        const bool is_list = value->is_array() && !value->empty() &&
                             std::all_of(value->begin(), value->end(), [](const json & element) {
                                 return element.is_string() && !element.get_ref<const std::string &>().empty();
                             });
        if (!is_list) return fault(name, "must be a list of names that is not empty"), result;
        result = value->get<std::vector<std::string>>();
        if (std::set<std::string>(result.begin(), result.end()).size() != result.size()) {
            fault(name, "names a device twice");
        }
        return result;
    }

    // "default" is the empty list.
    std::vector<int> cpus(const char * name) {
        const json *     value = find(name);
        std::vector<int> result;
        if (value == nullptr || *value == "default") return result;
        bool valid = value->is_array() && !value->empty();
        if (valid) {
            for (const json & element : *value) {
                const auto cpu = as_integer(element, 0, max_cpu);
                valid          = valid && cpu.first;
                result.push_back(static_cast<int>(cpu.second));
            }
            std::sort(result.begin(), result.end());
            valid = valid && std::adjacent_find(result.begin(), result.end()) == result.end();
        }
        if (!valid) fault(name, "must be \"default\" or a list of different CPU numbers");
        return result;
    }

    // An object inside; nothing, and a fault, where it is none. With `may_be_null`, nothing for null.
    const json * object(const char * name, bool may_be_null = false) {
        const json * value = find(name);
        if (value == nullptr || (may_be_null && value->is_null())) return nullptr;
        if (value->is_object()) return value;
        fault(name, may_be_null ? "must be an object or null" : "must be an object");
        return nullptr;
    }

    template <typename T>
    std::vector<T> choices(const char * name, const char * kind,
                           std::initializer_list<std::pair<const char *, T>> known) {
        const json *   value = find(name);
        std::vector<T> result;
        bool           valid = value == nullptr || value->is_array();
        for (const json & element : value != nullptr && valid ? *value : json::array()) {
            const auto found = std::find_if(known.begin(), known.end(), [&](const auto & one) {
                return element.is_string() && element == one.first;
            });
            valid            = valid && found != known.end() &&
                    std::find(result.begin(), result.end(), found->second) == result.end();
            if (!valid) break;
            result.push_back(found->second);
        }
        if (!valid) fault(name, std::string("must be a list of different ") + kind);
        return result;
    }

    void fault(const std::string & name, const std::string & what) {
        faults_.push_back(prefix_ + name + ": " + what);
    }

    // Of an object inside, once all of its fields are read.
    void take_faults(Fields & inner) {
        inner.find_unknown();
        faults_.insert(faults_.end(), inner.faults_.begin(), inner.faults_.end());
    }

    bool has_faults() const { return !faults_.empty(); }

    void throw_faults() {
        find_unknown();
        if (faults_.empty()) return;
        std::string message = std::to_string(faults_.size()) + (faults_.size() == 1 ? " fault" : " faults");
        for (const std::string & one : faults_) message += "; " + one;
        throw Failure(FailureCode::invalid_trial, message);
    }

  private:
    const json &             object_;
    std::string              what_;
    std::string              prefix_;
    std::set<std::string>    known_;
    std::vector<std::string> faults_;

    void find_unknown() {
        for (const auto & member : object_.items()) {
            if (known_.count(member.key()) == 0) fault(member.key(), "is not a field of " + what_);
        }
    }

    const json * find(const char * name) {
        known_.insert(name);
        const auto found = object_.find(name);
        if (found == object_.end()) return fault(name, "is missing"), nullptr;
        return &*found;
    }

    static std::pair<bool, int64_t> as_integer(const json & value, int64_t minimum, int64_t maximum) {
        if (!value.is_number_integer()) return { false, minimum };
        if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(maximum)) {
            return { false, minimum };
        }
        const int64_t number = value;
        return { number >= minimum && number <= maximum, number };
    }
};
