#include "cli/language/json_input.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "language/json_reader.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace volley::cli {
namespace {

/// Functions that call themselves work on the data; no real data come near.
constexpr int deepest_json = 1000;

bool is_nested_too_deeply(const std::string& text) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > deepest_json) return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

std::string place_of_byte(const std::string& text, std::size_t byte) {
    const std::string_view before = std::string_view(text).substr(0, std::min(byte, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is the beginning of the text
    return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - start + 1);
}

}  // namespace

/// Nobody writes so much by hand; what goes on for ever must end in an error and not in all the memory.
constexpr std::size_t largest_input = 256UL * 1024 * 1024;

std::string read_standard_input() {
    std::string content;
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0)
            throw Error("bolt/file-error", std::string("Cannot read standard input: ") + std::strerror(errno));
        if (count == 0) return content;
        content.append(buffer.data(), static_cast<std::size_t>(count));
        if (content.size() > largest_input)
            throw Error("bolt/file-error", "Standard input goes on for more than 256 MiB, which is the limit");
    }
}

namespace {

/// What `parse` makes of the text of a JSON document.
template <class Parse>
auto parsed_json(const std::string& text, const std::string& name, Parse parse) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
        throw Error("bolt/file-error", name + " is no JSON: it is empty");
    if (is_nested_too_deeply(text))
        throw Error("bolt/file-error", name + " is nested more than " + std::to_string(deepest_json) + " levels deep");
    try {
        return parse(text);
    } catch (const Json::parse_error& error) {
        const std::size_t byte = error.byte > 0 ? error.byte - 1 : 0;
        throw Error("bolt/file-error", name + " is no JSON: it is wrong at " + place_of_byte(text, byte));
    } catch (const Json::exception&) {  // a number that no double can hold
        throw Error("bolt/file-error", name + " is no JSON: it has a number that is too large");
    }
}

/// The same for a file, or standard input.
template <class Parse>
auto parsed_json_file(const std::string& path, const std::filesystem::path& folder, const char* what, Parse parse) {
    if (path == "-") return parsed_json(read_standard_input(), std::string("Standard input (") + what + ")", parse);
    return parsed_json(read_file(expand_path(path, folder), what), path + " (" + what + ")", parse);
}

}  // namespace

Json json_of_text(const std::string& text, const std::string& name) {
    return parsed_json(text, name, [](const std::string& json) { return Json::parse(json); });
}

Json json_of_file(const std::string& path, const std::filesystem::path& folder, const char* what) {
    return parsed_json_file(path, folder, what, [](const std::string& json) { return Json::parse(json); });
}

Value value_of_json_file(const std::string& path, const std::filesystem::path& folder, const char* what) {
    return parsed_json_file(path, folder, what, value_of_json);
}

}  // namespace volley::cli
