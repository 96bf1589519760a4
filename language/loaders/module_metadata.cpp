#include "language/loaders/module_metadata.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "support/files.hpp"
#include "support/json/json_reader.hpp"

namespace volley {
namespace {

constexpr std::array<std::string_view, 5> metadata_keys = {"source", "author", "version", "license",
                                                           "dependencies"};

/// Looks at the outermost object only and keeps nothing: an environment of a hundred modules has a megabyte
/// of metadata, and every start of the program reads it.
class MetadataCheck final : public nlohmann::json_sax<Json> {
public:
    bool is_object = false;
    bool empty = true;
    std::array<bool, metadata_keys.size()> given{};  // and not null
    bool dependencies_are_list = false;
    std::string provider;  // of data, until Puppet 4.9

    bool null() override { return true; }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t, const string_t&) override { return value(); }
    bool string(string_t& text) override {
        if (depth_ == 1 && is_provider_) provider = text;
        return value();
    }
    bool binary(binary_t&) override { return value(); }
    bool start_object(std::size_t) override {
        if (depth_ == 0) is_object = true;
        value();
        ++depth_;
        return true;
    }
    bool end_object() override { return leave(); }
    bool start_array(std::size_t) override {
        if (depth_ == 1 && key_ == given.size() - 1) dependencies_are_list = true;
        value();
        ++depth_;
        return true;
    }
    bool end_array() override { return leave(); }
    bool key(string_t& name) override {
        if (depth_ != 1) return true;
        empty = false;
        is_provider_ = name == "data_provider";
        if (is_provider_) provider.clear();
        const auto found = std::find(metadata_keys.begin(), metadata_keys.end(), name);
        key_ = static_cast<std::size_t>(found - metadata_keys.begin());
        if (key_ < given.size()) given[key_] = false;  // the last of several counts
        if (key_ == given.size() - 1) dependencies_are_list = false;
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

private:
    bool value() {
        if (depth_ == 1 && key_ < given.size()) given[key_] = true;
        return true;
    }
    bool leave() {
        --depth_;
        return true;
    }

    int depth_ = 0;
    bool is_provider_ = false;
    std::size_t key_ = metadata_keys.size();  // which of them the value belongs to, at depth 1
};

std::string metadata_fault(const std::string& module, const std::string& text, MetadataCheck& check) {
    try {
        read_json_events(text, check);
    } catch (const JsonError& error) {
        return module + " has an invalid and unparsable metadata.json file. The parse error: " + error.what();
    }
    if (!check.is_object) return module + " has an invalid metadata.json file: it must be an object";
    if (check.empty) return {};
    for (std::size_t i = 0; i < metadata_keys.size(); ++i) {
        if (!check.given[i])
            return "No " + std::string(metadata_keys[i]) + " module metadata provided for " + module;
    }
    if (check.dependencies_are_list) return {};
    return "The value for the key dependencies in the file metadata.json of the module " + module +
           " must be an array, not: '" + parse_json(text)["dependencies"].dump() + "'";
}

}  // namespace

ModuleMetadata check_module_metadata(const std::string& module, const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "metadata.json";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return {};
    ModuleMetadata result;
    try {
        const std::string text = read_file(file, "module metadata");
        MetadataCheck check;
        if (!text.empty()) result.fault = metadata_fault(module, text, check);
        if (check.provider.empty() || check.provider == "none" ||
            std::filesystem::exists(folder / "hiera.yaml", ignored))
            return result;
        result.warning = "The data_provider '" + check.provider + "' in " + file.string() +
                         " is not used any more, so lookup finds no data of the module " + module +
                         ": describe them in a hiera.yaml of version 5";
    } catch (const std::runtime_error& error) {  // unreadable
        result.fault = error.what();
    }
    return result;
}

}  // namespace volley
