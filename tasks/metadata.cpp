#include "tasks/metadata.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "support/json/json_reader.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "tasks/errors.hpp"

namespace volley::tasks {
namespace {

constexpr std::string_view invalid = "puppet.tasks/invalid-metadata";
constexpr std::string_view metadata_logger = "tasks.metadata";

/// `identifiers` is in the specification; Bolt does not know it and warns. Everything else is TSK-001's list.
constexpr std::array<std::string_view, 11> known_keys{
    "description", "extensions", "files",  "identifiers",         "implementations", "input_method",
    "parameters",  "private",    "remote", "puppet_task_version", "supports_noop"};

/// One metadata file being read: what messages need to know.
class Reader {
public:
    Reader(const std::string& name, const std::filesystem::path& file) : name_(name), file_(file) {}

    [[noreturn]] void fail(const std::string& msg) const { throw load_error(invalid, msg, file_); }
    const std::string& name() const { return name_; }

    std::optional<std::string> text(const Json& object, const char* key) const {
        const auto found = object.find(key);
        if (found == object.end() || found->is_null()) return std::nullopt;
        if (found->is_string()) return found->get<std::string>();
        fail("Failed to load metadata for task " + name_ + ": '" + key + "' must be a string, got " +
             found->dump());
    }

    /// Compatibility: as in Ruby, everything but null and false is true. A text such as "false" gets a
    /// warning.
    std::optional<bool> flag(const Json& object, const char* key) const {
        const auto found = object.find(key);
        if (found == object.end() || found->is_null()) return std::nullopt;
        if (found->is_boolean()) return found->get<bool>();
        log_warning("invalid_task_metadata", metadata_logger,
                    "Metadata for task '" + name_ + "': '" + key + "' should be true or false, not " +
                        found->dump() + "; it counts as true.");
        return true;
    }

    std::optional<std::string> input_method(const Json& object) const {
        auto method = text(object, "input_method");
        constexpr std::array<std::string_view, 4> methods{"stdin", "environment", "both", "powershell"};
        if (method && std::find(methods.begin(), methods.end(), *method) == methods.end()) {
            fail("Failed to load metadata for task " + name_ + ": unknown input_method '" + *method +
                 "'; use stdin, environment, both or powershell");
        }
        return method;
    }

    std::vector<std::string> files(const Json& object) const {
        const auto found = object.find("files");
        if (found == object.end()) return {};
        const auto is_text = [](const Json& item) { return item.is_string(); };
        if (!found->is_array() || !std::all_of(found->begin(), found->end(), is_text)) {
            fail("The 'files' task metadata expects an array, got " + found->dump() + ".");
        }
        return found->get<std::vector<std::string>>();
    }

private:
    const std::string& name_;
    const std::filesystem::path& file_;
};

void warn_unknown_keys(const Json& metadata, const std::string& name) {
    std::vector<std::string> unknown;
    for (const auto& [key, value] : metadata.items()) {
        if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end()) unknown.push_back(key);
    }
    if (unknown.empty()) return;
    log_warning("unknown_task_metadata_keys", metadata_logger,
                "Metadata for task '" + name + "' contains unknown keys: " + join(unknown, ", ") +
                    ". This could be a typo in the task metadata or might result in incorrect behavior.");
}

Parameter read_parameter(const Reader& reader, const std::string& name, const Json& spec) {
    const std::string where =
        "Failed to load metadata for task " + reader.name() + ": parameter '" + name + "' ";
    if (!is_plain_name(name)) {
        reader.fail(
            where +
            "must start with a lower-case letter and hold only lower-case letters, digits and underscores");
    }
    if (!spec.is_object()) reader.fail(where + "must be a hash, got " + spec.dump());
    Parameter parameter;
    parameter.name = name;
    parameter.type = reader.text(spec, "type");
    parameter.description = reader.text(spec, "description");
    parameter.sensitive = reader.flag(spec, "sensitive").value_or(false);
    if (const auto found = spec.find("default"); found != spec.end()) {
        parameter.default_value = std::make_shared<const Json>(*found);
    }
    return parameter;
}

std::optional<std::vector<Parameter>> read_parameters(const Reader& reader, const Json& metadata) {
    const auto found = metadata.find("parameters");
    if (found == metadata.end() || found->is_null()) return std::nullopt;
    if (!found->is_object()) {
        reader.fail("Failed to load metadata for task " + reader.name() + ": 'parameters' must be a hash");
    }
    std::vector<Parameter> parameters;
    for (const auto& [name, spec] : found->items()) parameters.push_back(read_parameter(reader, name, spec));
    return parameters;
}

Implementation read_implementation(const Reader& reader, const Json& entry) {
    if (!entry.is_object()) {
        reader.fail("Task metadata for task " + reader.name() +
                    " has an implementation that is not a hash: " + entry.dump());
    }
    Implementation made;
    made.name = reader.text(entry, "name").value_or("");
    if (const auto found = entry.find("requirements"); found != entry.end() && !found->is_null()) {
        if (!found->is_array()) {
            reader.fail("Task metadata for task " + reader.name() +
                        " does not specify requirements as an array");
        }
        for (const Json& feature : *found) {
            made.requirements.push_back(feature.is_string() ? feature.get<std::string>() : feature.dump());
        }
    }
    made.input_method = reader.input_method(entry);
    made.files = reader.files(entry);
    made.remote = reader.flag(entry, "remote");
    return made;
}

std::vector<Implementation> read_implementations(const Reader& reader, const Json& metadata) {
    const auto found = metadata.find("implementations");
    if (found == metadata.end()) return {};
    if (!found->is_array()) {
        reader.fail("Task metadata for task " + reader.name() +
                    " does not specify implementations as an array");
    }
    std::vector<Implementation> implementations;
    for (const Json& entry : *found) implementations.push_back(read_implementation(reader, entry));
    return implementations;
}

}  // namespace

bool is_plain_name(std::string_view name) noexcept {
    const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto rest = [&](char c) { return lower(c) || (c >= '0' && c <= '9') || c == '_'; };
    return !name.empty() && lower(name.front()) && std::all_of(name.begin(), name.end(), rest);
}

std::vector<std::string> metadata_keys() { return {known_keys.begin(), known_keys.end()}; }

bool metadata_names_implementations(const TaskDefinition& task) {
    return task.metadata && task.metadata->contains("implementations");
}

Json parse_metadata(std::string_view text, const std::filesystem::path& file) {
    if (text.empty()) return Json::object();
    constexpr std::string_view kind = "puppet.tasks/unparseable-metadata";
    std::string fault;
    Json metadata = try_parse_json(text, fault);
    if (metadata.is_object()) return metadata;
    if (metadata.is_discarded())
        throw load_error(kind, "The task metadata in " + file.string() + " is not valid JSON: " + fault,
                         file);
    throw load_error(kind, "The task metadata in " + file.string() + " must be a JSON object", file);
}

void apply_metadata(TaskDefinition& task, Json metadata, const std::filesystem::path& file) {
    const Reader reader(task.name, file);
    task.description = reader.text(metadata, "description");
    task.parameters = read_parameters(reader, metadata);
    task.implementations = read_implementations(reader, metadata);
    task.files = reader.files(metadata);
    task.input_method = reader.input_method(metadata);
    task.supports_noop = reader.flag(metadata, "supports_noop").value_or(false);
    task.is_private = reader.flag(metadata, "private").value_or(false);
    task.remote = reader.flag(metadata, "remote").value_or(false);
    warn_unknown_keys(metadata, task.name);
    task.metadata = std::make_shared<const Json>(std::move(metadata));
}

}  // namespace volley::tasks
