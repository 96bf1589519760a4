#include "cli/compile/json_input.hpp"

#include <nlohmann/json.hpp>

#include "language/serialization/json_reader.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/standard_input.hpp"

namespace volley::cli {

namespace {

/// What `parse` makes of the text of a JSON document.
template <class Parse>
auto parsed_json(const std::string& text, const std::string& name, Parse parse) {
    try {
        return parse(text, value_json_limits);
    } catch (const JsonError& error) {
        throw Error("bolt/file-error", error.fault() == JsonError::Fault::Limit
                                           ? name + " is " + error.reason()
                                           : name + " is not valid JSON: " + error.what());
    }
}

/// The same for a file, or standard input.
template <class Parse>
auto parsed_json_file(const std::string& path, const std::filesystem::path& folder, const char* what,
                      Parse parse) {
    if (path == "-")
        return parsed_json(read_standard_input(), std::string("Standard input (") + what + ")", parse);
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
