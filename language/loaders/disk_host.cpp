#include "language/loaders/disk_host.hpp"

#include <chrono>

#include "language/loaders/child_program.hpp"
#include "language/loaders/definition_rules.hpp"
#include "language/loaders/file_texts.hpp"
#include "language/loaders/parsed_files.hpp"
#include "language/lookup/data_store.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace volley {
namespace {

namespace fs = std::filesystem;

const char* loadable_folder(Loadable kind) {
    switch (kind) {
        case Loadable::Function:
            return "functions";
        case Loadable::Type:
            return "types";
        case Loadable::Plan:
            return "plans";
    }
    return "";
}

/// STEM.pp, and for plans STEM.yaml.
std::optional<std::string> existing_definition(const fs::path& stem, Loadable kind) {
    std::error_code ignored;
    std::string file = stem.string() + ".pp";
    if (fs::is_regular_file(file, ignored)) return file;
    file = stem.string() + ".yaml";
    if (kind == Loadable::Plan && fs::is_regular_file(file, ignored)) return file;
    return std::nullopt;
}

std::string name_as_path(std::string_view name) {
    std::string path(name);
    for (std::size_t at = path.find("::"); at != std::string::npos; at = path.find("::"))
        path.replace(at, 2, "/");
    return path;
}

}  // namespace

DiskHost::DiskHost(std::shared_ptr<const DiskEnvironment> environment, LanguageSettings settings,
                   LogSink sink)
    : environment_(std::move(environment)), settings_(std::move(settings)), sink_(std::move(sink)) {
    for (const std::string& fault : environment_->faults()) log({Severity::Err, fault, "", {}});
}

LanguageHost::SourceFile DiskHost::program(std::string path) {
    const auto checked = parsed_file(path, settings_, environment_->namespace_of(path));
    report_diagnostics(*checked, *this);
    return {{}, std::move(path), checked->program};
}

std::optional<LanguageHost::SourceFile> DiskHost::program_of(Loadable kind, std::string_view name) {
    auto file = definition_file(kind, name);
    if (!file) return std::nullopt;
    if (file->ends_with(".yaml")) return SourceFile{read_file(*file, "YAML plan"), *file};
    return program(std::move(*file));
}

std::optional<LanguageHost::SourceFile> DiskHost::function_source(std::string_view name) {
    return program_of(Loadable::Function, name);
}
std::optional<LanguageHost::SourceFile> DiskHost::type_source(std::string_view name) {
    return program_of(Loadable::Type, name);
}
std::optional<LanguageHost::SourceFile> DiskHost::plan_source(std::string_view name) {
    return program_of(Loadable::Plan, name);
}

std::optional<std::string> DiskHost::definition_file(Loadable kind, std::string_view name) const {
    if (name.starts_with("::")) name.remove_prefix(2);
    const auto relative = path_of_name(name, kind);
    const std::string_view module_name = name.substr(0, name.find("::"));
    const bool qualified = module_name.size() != name.size();
    if (!is_path_safe_name(name)) return std::nullopt;
    // The environment is a module too; its names are whole paths.
    if (!environment_->directory().empty() && (!qualified || module_name == "environment")) {
        const fs::path folder = environment_->directory() / loadable_folder(kind);
        if (auto file = existing_definition(folder / name_as_path(name), kind)) return file;
    }
    const Module* module = environment_->find_module(module_name);
    if (!module || !relative) return std::nullopt;
    return existing_definition(fs::path(module->path) / loadable_folder(kind) / *relative, kind);
}

std::optional<LanguageHost::SourceFile> DiskHost::manifest_source(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    const Module* module = environment_->find_module(name.substr(0, name.find("::")));
    if (!module || !is_path_safe_name(name)) return std::nullopt;
    std::string path = name_as_path(name);
    path = path == module->name ? "init" : path.substr(module->name.size() + 1);
    std::string file = module->path + "/manifests/" + path + ".pp";
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return std::nullopt;
    return program(std::move(file));
}

std::optional<LanguageHost::SourceFile> DiskHost::resource_type_source(std::string_view name) {
    if (!is_path_safe_name(name) || name.find(':') != std::string_view::npos) return std::nullopt;
    const auto source = [](const std::string& file) {
        return SourceFile{*file_text(file, "resource type"), file, nullptr};
    };
    if (!environment_->directory().empty()) {  // what `puppet generate types` writes
        const std::string file = environment_->directory().string() + "/.resource_types/" + std::string(name) + ".pp";
        std::error_code ignored;
        if (fs::is_regular_file(file, ignored)) return source(file);
    }
    const std::string* file = environment_->ruby_file(DiskEnvironment::RubyFile::Type, name);
    return file ? std::optional(source(*file)) : std::nullopt;
}

std::optional<std::string> DiskHost::module_file_path(std::string_view kind, std::string_view name) {
    std::error_code ignored;
    if (name.starts_with('/')) {
        return fs::exists(name, ignored) ? std::optional(std::string(name)) : std::nullopt;
    }
    const std::size_t slash = name.find('/');
    const Module* module = environment_->find_module(name.substr(0, slash));
    if (!module || slash == std::string_view::npos) return std::nullopt;
    try {
        const fs::path file = join_inside(fs::path(module->path) / kind, name.substr(slash + 1));
        return fs::exists(file, ignored) ? std::optional(file.string()) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;  // outside of the module
    }
}

std::optional<LanguageHost::SourceFile> DiskHost::module_file(std::string_view kind, std::string_view name) {
    auto path = module_file_path(kind, name);
    if (!path) return std::nullopt;
    // Templates are rendered again and again; other files may be large, and are read once.
    if (kind == "templates") return SourceFile{*file_text(*path, "template"), *path, nullptr};
    return SourceFile{read_file(*path, "file of a module"), *path, nullptr};
}

std::optional<std::string> DiskHost::module_path(std::string_view name) {
    const Module* module = environment_->find_module(name);
    return module ? std::optional(module->path) : std::nullopt;
}

std::optional<LanguageHost::RubySource> DiskHost::ruby_function_source(std::string_view name) {
    if (!is_path_safe_name(name)) return std::nullopt;
    if (name.find("::") == std::string_view::npos) {
        using File = DiskEnvironment::RubyFile;
        if (const auto* path = environment_->ruby_file(File::Function, name)) return RubySource{*path, false};
        if (const auto* path = environment_->ruby_file(File::LegacyFunction, name)) return RubySource{*path, true};
        return std::nullopt;
    }
    const auto found = [name](const std::string& library) -> std::optional<RubySource> {
        std::string path = library + "/lib/puppet/functions/" + name_as_path(name) + ".rb";
        std::error_code ignored;
        if (!fs::is_regular_file(path, ignored)) return std::nullopt;
        return RubySource{std::move(path), false};
    };
    if (!environment_->directory().empty()) {
        if (auto source = found(environment_->directory().string())) return source;
    }
    const Module* module = environment_->find_module(name.substr(0, name.find("::")));
    return module ? found(module->path) : std::nullopt;
}

LanguageHost::ProgramResult DiskHost::run_program(const std::vector<std::string>& argv,
                                                  const std::string& directory) {
    return run_child_program(argv, directory);
}

HieraSettings DiskHost::hiera() {
    HieraSettings settings;
    settings.store = lookup::disk_data_store();
    settings.global_config = environment_->hiera_config();
    settings.environment_root = environment_->directory();
    return settings;
}

std::int64_t DiskHost::now() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

}  // namespace volley
