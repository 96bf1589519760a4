#include "cli/compile/inputs.hpp"

#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>

#include "cli/compile/json_input.hpp"
#include "cli/compile/module_folders.hpp"
#include "cli/compile/project_code.hpp"
#include "language/logged_once.hpp"
#include "language/serialization/json.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/standard_input.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

Value read_hash(const std::optional<std::string>& path, const fs::path& folder, const char* what) {
    if (!path) return {};
    Value values = value_of_json_file(*path, folder, what);
    if (!values.is_hash()) throw Error("bolt/file-error", *path + " (" + what + ") must hold a JSON object");
    return values;
}

std::shared_ptr<const Json> read_variables(const std::string& path, const fs::path& folder) {
    auto json = std::make_shared<const Json>(json_of_file(path, folder, "variables"));
    if (!json->is_object()) throw Error("bolt/file-error", path + " (variables) must hold a JSON object");
    return json;
}

Value read_classes(const std::optional<std::string>& path, const fs::path& folder) {
    if (!path) return {};
    const Json json = json_of_file(*path, folder, "classes");
    if (!json.is_object() && !json.is_array())
        throw Error("bolt/file-error", *path + " (classes) must hold a JSON list or object");
    return from_json(json);
}

Strictness strictness_of(std::string_view word) {
    if (word == "off") return Strictness::Off;
    return word == "warning" ? Strictness::Warning : Strictness::Error;
}

/// A setting whose meaning the language knows; others are kept for $settings.
void apply_setting(LanguageRequest& request, const std::string& key, const std::string& value) {
    if (key == "strict")
        request.settings.strict = strictness_of(value);
    else if (key == "strict_variables")
        request.settings.strict_variables = value == "true";
    else if (key == "digest_algorithm")
        request.settings.digest_algorithm = value;
    else if (key == "tasks")
        request.settings.tasks = value == "true";
    else if (key == "disable_warnings")
        request.settings.deprecations = value.find("deprecations") == std::string::npos;
    else
        request.more_settings.emplace_back(key, value);
}

void add_files(LanguageRequest& request, const std::string& path, const fs::path& shown,
               const fs::path& folder) {
    if (path == "-") {
        request.sources.push_back({read_standard_input(), {}});
        return;
    }
    std::error_code ignored;
    const fs::path full = expand_path(path, folder);
    if (!fs::exists(full, ignored)) throw Error("bolt/file-error", "Could not find file " + full.string());
    if (!fs::is_directory(full, ignored)) {
        request.sources.push_back({read_file(full, "Puppet code"), shown.string()});
        return;
    }
    for (const std::string& file : manifest_files_of(full))
        request.sources.push_back({read_file(file, "Puppet code"), file});
}

void add_sources(LanguageRequest& request, const LanguageOptions& options, const fs::path& folder) {
    const bool runs = request.mode != LanguageRequest::Mode::Parse;
    if (options.manifest)
        add_files(request, *options.manifest, expand_path(*options.manifest, folder), folder);
    request.manifest_sources = request.sources.size();
    for (const std::string& file : options.files)
        add_files(request, file, runs ? expand_path(file, folder) : fs::path(file), folder);
    for (const std::string& code : options.code)
        request.sources.push_back({code, options.file_name.value_or("")});
    const fs::path& own = request.environment->manifest();
    const bool whole =
        request.mode == LanguageRequest::Mode::Catalog && options.files.empty() && options.code.empty();
    if (whole && !own.empty() && fs::exists(own))
        add_files(request, own.string(), own, folder);
    else if (options.files.empty() && options.code.empty())
        request.sources.push_back({read_standard_input(), options.file_name.value_or("")});
}

std::string text_of_setting(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

const Json* batch_member(const Json& line, const char* key) {
    const auto found = line.find(key);
    return found == line.end() || found->is_null() ? nullptr : &*found;
}

std::string batch_text(const Json& line, const char* key, const std::string& otherwise) {
    const Json* value = batch_member(line, key);
    if (value && !value->is_string())
        throw Error("bolt/cli-error", std::string("'") + key + "' must be a string");
    return value ? value->get<std::string>() : otherwise;
}

LanguageRequest::Mode batch_mode(const std::string& word) {
    if (word == "eval") return LanguageRequest::Mode::Eval;
    if (word == "script") return LanguageRequest::Mode::Script;
    if (word == "catalog") return LanguageRequest::Mode::Catalog;
    if (word == "parse") return LanguageRequest::Mode::Parse;
    throw Error("bolt/cli-error", "Unknown mode '" + word + "': use one of eval, script, catalog, parse");
}

}  // namespace

Value read_facts(const std::string& path, const fs::path& folder) {
    const Value facts = read_hash(path, folder, "facts");
    // What `puppet facts find` prints and PuppetDB keeps has the facts inside.
    const Value* values = facts.as_hash().find("values");
    return values && values->is_hash() && facts.as_hash().find("name") ? *values : facts;
}

std::string default_node(const Value& facts) {
    if (facts.is_hash()) {
        const Value* networking = facts.as_hash().find("networking");
        const Value* name =
            networking && networking->is_hash() ? networking->as_hash().find("fqdn") : nullptr;
        if (!name) name = facts.as_hash().find("fqdn");
        if (name && name->is_string()) return lower(name->as_string());
    }
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? lower(name.data()) : "localhost";
}

LanguageRequest make_language_request(const LanguageOptions& options, LanguageRequest::Mode mode,
                                      const inventory::ProcessContext& process) {
    const fs::path& folder = process.working_directory;
    LanguageRequest request;
    request.mode =
        options.script && mode == LanguageRequest::Mode::Eval ? LanguageRequest::Mode::Script : mode;
    request.epp = options.epp;
    request.validate = options.validate;
    request.all_resources = options.all_resources;
    request.settings.strict = strictness_of(options.strict);
    request.settings.strict_variables = options.strict_variables;
    request.settings.ruby = options.ruby;
    request.settings.tasks = options.tasks;
    request.settings.deprecations = true;
    request.settings.explained_lookups = options.log_level.value_or("") == "debug";
    request.settings.logged = std::make_shared<LoggedOnce>();
    request.settings.environment = options.environment.value_or("production");
    for (const auto& [key, value] : options.settings) apply_setting(request, key, value);
    // Checking reads no other code, and asks itself where a file lies.
    const bool runs = mode != LanguageRequest::Mode::Parse;
    request.environment = std::make_shared<const DiskEnvironment>(
        runs ? code_options(options, process, folder) : DiskEnvironmentOptions{});
    if (!runs && (options.modulepath || options.environmentpath))
        request.places = std::make_shared<FilePlaces>(options, process);
    request.complete_facts = true;
    if (options.facts) request.facts = read_facts(*options.facts, folder);
    if (options.facter) request.facts = from_json(facts_of_this_machine(request.environment->modulepath()));
    request.trusted = read_hash(options.trusted, folder, "trusted facts");
    if (options.vars) request.variables = read_variables(*options.vars, folder);
    request.classes = read_classes(options.classes, folder);
    request.node = options.node ? *options.node : default_node(request.facts);
    add_sources(request, options, folder);
    return request;
}

LanguageRequest make_batch_request(const Json& line) {
    LanguageRequest request;
    request.mode = batch_mode(batch_text(line, "mode", "eval"));
    request.validate = request.mode != LanguageRequest::Mode::Parse;
    request.settings.environment = batch_text(line, "environment", "production");
    request.node = batch_text(line, "node", "localhost");
    DiskEnvironmentOptions disk{
        .name = request.settings.environment, .environmentpath = {}, .modulepath = {}, .hiera_config = {}};
    const std::string path = batch_text(line, "environmentpath", "");
    if (!path.empty()) disk.environmentpath = split_search_path(path, "/");
    request.environment = std::make_shared<const DiskEnvironment>(std::move(disk));
    if (const Json* facts = batch_member(line, "facts")) request.facts = from_json(*facts);
    bool from_files = false;
    if (const Json* settings = batch_member(line, "settings"); settings && settings->is_object()) {
        for (const auto& [key, value] : settings->items()) {
            if (key == "code")
                from_files = text_of_setting(value).empty();
            else
                apply_setting(request, key, text_of_setting(value));
        }
    }
    if (!from_files) {
        request.sources.push_back({batch_text(line, "code", ""), {}});
        return request;
    }
    for (const std::string& file : manifest_files_of(request.environment->directory() / "manifests"))
        request.sources.push_back({read_file(file, "Puppet code"), file});
    return request;
}

}  // namespace volley::cli
