#include "language/loaders/module_metadata.hpp"

#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/json.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace volley {
namespace {

std::string metadata_fault(const std::string& module, const Json& data) {
    for (const char* key : {"source", "author", "version", "license", "dependencies"}) {
        if (data.contains(key) && !data[key].is_null()) continue;
        return std::string("No ") + key + " module metadata provided for " + module;
    }
    if (data["dependencies"].is_array()) return {};
    return "The value for the key dependencies in the file metadata.json of the module " + module +
           " must be an array, not: '" + data["dependencies"].dump() + "'";
}

}  // namespace

ModuleMetadata read_module_metadata(const std::string& module, const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "metadata.json";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return {};
    try {
        const std::string text = read_file(file, "module metadata");
        if (text.empty()) return {};
        const Json data = Json::parse(text);
        if (!data.is_object())
            return {{}, module + " has an invalid metadata.json file: it must be an object"};
        if (data.empty()) return {};
        return {from_json(data), metadata_fault(module, data)};
    } catch (const Json::exception& error) {
        return {
            {},
            module + " has an invalid and unparsable metadata.json file. The parse error: " + error.what()};
    } catch (const std::runtime_error& error) {  // unreadable, or nested too deeply
        return {{}, error.what()};
    }
}

}  // namespace volley
