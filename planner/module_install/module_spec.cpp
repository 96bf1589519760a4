#include "planner/module_install/module_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::modules {
namespace {

constexpr std::size_t longest_module_list = 5000;

[[noreturn]] void spec_fault(const yaml::Node& at, const std::string& message) {
    throw Error("bolt/validation-error", fmt::format("{}: {}", at.where(), message));
}

bool has_only_keys(const yaml::Node& map, std::span<const std::string_view> known) {
    for (const yaml::Entry& entry : map.entries()) {
        if (std::find(known.begin(), known.end(), entry.key.text()) == known.end()) return false;
    }
    return true;
}

[[noreturn]] void wrong_forge_name(const std::string& place, std::string_view name) {
    throw Error(
        "bolt/validation-error",
        fmt::format("{}Invalid name for Forge module specification: {}. Name must match 'owner/name'. Owner "
                    "segment can only include letters or digits. Name segment must start with a lowercase "
                    "letter and can only include lowercase letters, digits, and underscores.",
                    place, name));
}

std::string spec_text(const yaml::Node& map, std::string_view key) {
    const yaml::Node value = map.find(key);
    if (!value.is_string())
        spec_fault(value, fmt::format("'{}' of a module specification must be a string", key));
    return std::string(value.text());
}

void read_resolve(const yaml::Node& map, const std::string& shown, ModuleSpec& spec) {
    const yaml::Node resolve = map.find("resolve");
    if (!resolve) return;
    if (resolve.kind() != yaml::Kind::Boolean)
        spec_fault(resolve, fmt::format("Option 'resolve' for module spec {} must be a Boolean", shown));
    spec.resolve = resolve.as_bool();
}

ModuleSpec read_forge_spec(const yaml::Node& map) {
    const std::string name = spec_text(map, "name");
    const auto parsed = ModuleName::parse(name);
    if (!parsed) wrong_forge_name(map.find("name").where() + ": ", name);
    ModuleSpec spec{.name = *parsed, .where = map.where()};
    if (const yaml::Node wanted = map.find("version_requirement"); wanted && !wanted.is_null()) {
        // A version such as 5.5 is a number in YAML (compatibility: Bolt refuses that, too).
        const auto range = wanted.is_string() ? VersionRequirement::parse(wanted.text()) : std::nullopt;
        if (!range) {
            spec_fault(wanted,
                       fmt::format("Invalid version requirement for Forge module specification {}: \"{}\"",
                                   parsed->full(), wanted.text()));
        }
        spec.version_requirement = std::string(wanted.text());
        spec.range = *range;
    }
    read_resolve(map, parsed->full(), spec);
    return spec;
}

ModuleSpec read_git_spec(const yaml::Node& map) {
    ModuleSpec spec{.origin = Origin::Git,
                    .git = spec_text(map, "git"),
                    .ref = spec_text(map, "ref"),
                    .where = map.where()};
    if (const yaml::Node name = map.find("name"); name && !name.is_null()) {
        const auto parsed =
            name.is_string() ? ModuleName::parse_with_optional_owner(name.text()) : std::nullopt;
        if (!parsed) {
            spec_fault(
                name,
                fmt::format("Invalid name for Git module specification: {}. Name must match 'name' or "
                            "'owner/name'. Owner segment can only include letters or digits. Name segment "
                            "must start with a lowercase letter and can only include lowercase letters, "
                            "digits, and underscores.",
                            name.text()));
        }
        spec.name = ModuleName{"", parsed->name};
    }
    read_resolve(map, spec.git, spec);
    if (spec.name.name.empty() && !spec.resolve) {
        spec_fault(
            map, fmt::format("Missing name for Git module specification: {}. Git module specifications must "
                             "include a 'name' key when 'resolve' is false.",
                             spec.git));
    }
    if (!is_git_url(spec.git)) {
        spec_fault(map.find("git"),
                   fmt::format("Invalid URI {}. Valid URIs must begin with 'git@', 'http://', "
                               "'https://', 'ssh://' or 'file://'.",
                               spec.git));
    }
    if (!is_git_ref(spec.ref)) {
        spec_fault(map.find("ref"),
                   fmt::format("Invalid ref '{}' for module spec {}: it must be the name of a branch "
                               "or tag, or a commit",
                               spec.ref, spec.git));
    }
    return spec;
}

ModuleSpec read_spec(const yaml::Node& entry) {
    static constexpr auto forge_keys =
        std::to_array<std::string_view>({"name", "resolve", "version_requirement"});
    static constexpr auto git_keys = std::to_array<std::string_view>({"git", "name", "ref", "resolve"});
    if (entry.is_string()) {
        const auto name = ModuleName::parse(entry.text());
        if (!name) wrong_forge_name(entry.where() + ": ", entry.text());
        return ModuleSpec{.name = *name, .where = entry.where()};
    }
    if (entry.is_map() && entry.find("name") && has_only_keys(entry, forge_keys))
        return read_forge_spec(entry);
    if (entry.is_map() && entry.find("git") && entry.find("ref") && has_only_keys(entry, git_keys))
        return read_git_spec(entry);
    spec_fault(
        entry,
        "Invalid module specification: a module of the Forge has the keys 'name', 'version_requirement' and "
        "'resolve', one of a git repository 'git', 'ref', 'name' and 'resolve'");
}

}  // namespace

std::string ModuleSpec::to_yaml() const {
    if (origin == Origin::Git) return fmt::format("- git: {}\n  ref: {}\n", git, ref);
    std::string text = fmt::format("- name: {}\n", name.full());
    if (version_requirement)
        text += fmt::format("  version_requirement: {}\n", Json(*version_requirement).dump());
    return text;
}

ModuleSpec forge_spec(std::string_view name) {
    const auto parsed = ModuleName::parse(name);
    if (!parsed) wrong_forge_name("", name);
    return ModuleSpec{.name = *parsed};
}

std::vector<ModuleSpec> read_module_specs(const yaml::Node& list) {
    std::vector<ModuleSpec> specs;
    if (list.size() > longest_module_list)
        spec_fault(list, fmt::format("the list has more than {} modules", longest_module_list));
    for (const yaml::Node entry : list.elements()) specs.push_back(read_spec(entry));
    check_unique_names(specs);
    return specs;
}

std::vector<ModuleSpec> read_project_specs(const std::filesystem::path& project_file) {
    const auto document = yaml::Document::read(project_file, "project file");
    const yaml::Node list = document->root().find("modules");
    if (!list || list.is_null()) return {};
    if (!list.is_sequence()) spec_fault(list, "'modules' must be an array");
    return read_module_specs(list);
}

void check_unique_names(const std::vector<ModuleSpec>& specs) {
    std::map<std::string, std::vector<const ModuleSpec*>> by_name;
    for (const ModuleSpec& spec : specs) {
        if (!spec.name.name.empty()) by_name[spec.name.name].push_back(&spec);
    }
    std::string message;
    for (const auto& [name, same] : by_name) {
        if (same.size() < 2) continue;
        message += (message.empty() ? "" : "\n") +
                   fmt::format("Detected multiple module specifications with name {}", name);
        std::vector<std::string> places;
        for (const ModuleSpec* spec : same) {
            if (!spec->where.empty()) places.push_back(spec->where);
        }
        message += (places.empty() ? ":\n" : fmt::format(" ({}):\n", join(places, ", ")));
        for (const ModuleSpec* spec : same) message += spec->to_yaml();
    }
    if (message.empty()) return;
    message.pop_back();
    throw Error("bolt/duplicate-spec-name-error", message);
}

bool is_git_url(std::string_view url) {
    const auto unsafe = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F; };
    if (std::any_of(url.begin(), url.end(), unsafe)) return false;
    if (url.starts_with("git@")) return true;
    for (const std::string_view scheme : {"http://", "https://", "ssh://", "file://"}) {
        if (!url.starts_with(scheme)) continue;
        const std::string_view rest = url.substr(scheme.size());
        // ssh takes a host that begins with "-" for an option.
        return !rest.empty() && rest.front() != '-' && (rest.front() != '/' || scheme == "file://");
    }
    return false;
}

bool is_git_ref(std::string_view ref) {
    const auto forbidden = [](char c) {
        return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F ||
               std::string_view("~^:?*[\\").find(c) != std::string_view::npos;
    };
    return !ref.empty() && ref.front() != '-' && ref.front() != '+' &&
           ref.find("..") == std::string_view::npos && ref.find("@{") == std::string_view::npos &&
           std::none_of(ref.begin(), ref.end(), forbidden);
}

}  // namespace volley::modules
