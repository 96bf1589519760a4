#pragma once

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/files.hpp"
#include "support/json/json.hpp"
#include "tests/source_folder.hpp"

/// The cases with the answers of real Puppet 7 (tests/conformance/README.md), for unit tests.
namespace volley::tests {

/// Each case with the name of its file below `folder`, a folder of the source tree. The environment variable
/// VOLLEY_CASES names another one, which oracle.rb has filled.
inline std::vector<std::pair<std::string, Json>> recorded_cases(std::string_view folder) {
    const char* elsewhere = std::getenv("VOLLEY_CASES");
    const std::filesystem::path root = elsewhere ? elsewhere : tests::source_folder() / folder;
    std::vector<std::pair<std::string, Json>> all;
    for (const auto& file : std::filesystem::recursive_directory_iterator(root)) {
        if (file.path().extension() != ".json") continue;
        const std::string area = std::filesystem::relative(file.path(), root).replace_extension().string();
        for (const Json& one : Json::parse(read_file(file.path(), "conformance cases")))
            all.emplace_back(area, one);
    }
    return all;
}

/// The first line of a message without the "(file: f, line: 1)" at its end.
inline std::string without_position(std::string message) {
    message = message.substr(0, message.find('\n'));
    for (const std::string_view mark : {" (line: ", " (file: "}) {
        if (const std::size_t at = message.rfind(mark); at != std::string::npos && message.back() == ')')
            message.erase(at);
    }
    return message;
}

/// Whether a result is the recorded one. A number is of the same kind; what the record calls Unknown may be
/// anything.
inline bool same_answer(const Json& got, const Json& want) {
    if (want.is_object() && want.contains("__ptype") && want["__ptype"] == "Unknown") return true;
    if (got.is_number() && want.is_number())
        return got.is_number_float() == want.is_number_float() && got == want;
    if (got.type() != want.type()) return false;
    if (!got.is_structured()) return got == want;
    if (got.size() != want.size()) return false;
    if (got.is_array()) {
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (!same_answer(got[i], want[i])) return false;
        }
        return true;
    }
    for (const auto& [key, value] : got.items()) {
        if (!want.contains(key) || !same_answer(value, want[key])) return false;
    }
    return true;
}

inline std::string shown_answer(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace volley::tests
