#include "cli/language/json_input.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "language/json_reader.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace volley::cli {

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
    try {
        return parse(text, json_input_limits);
    } catch (const JsonError& error) {
        throw Error("bolt/file-error", error.fault() == JsonError::Fault::Limit
                                           ? name + " is " + error.reason()
                                           : name + " is not valid JSON: " + error.what());
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
    return parsed_json(text, name, parse_json);
}

Json json_of_file(const std::string& path, const std::filesystem::path& folder, const char* what) {
    return parsed_json_file(path, folder, what, parse_json);
}

Value value_of_json_file(const std::string& path, const std::filesystem::path& folder, const char* what) {
    return parsed_json_file(path, folder, what, value_of_json);
}

}  // namespace volley::cli
