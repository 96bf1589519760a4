#include "language/loaders/disk_host.hpp"

#include <chrono>

#include "language/loaders/child_program.hpp"
#include "language/loaders/definition_rules.hpp"
#include "language/loaders/file_texts.hpp"
#include "language/loaders/parsed_files.hpp"
#include "language/lookup/data/data_store.hpp"
#include "support/files.hpp"
#include "support/files/file_stamp.hpp"

namespace volley {
namespace {

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

std::string name_as_path(std::string_view name) {
    std::string path(name);
    for (std::size_t at = path.find("::"); at != std::string::npos; at = path.find("::"))
        path.replace(at, 2, "/");
    return path;
}

/// Whether a path that is appended to a folder's stays in it.
bool stays_inside(std::string_view relative) {
    if (relative.starts_with('/') || relative.find('\0') != std::string_view::npos) return false;
    for (std::size_t at = relative.find(".."); at != std::string_view::npos;
         at = relative.find("..", at + 1)) {
        const bool begins = at == 0 || relative[at - 1] == '/';
        if (begins && (at + 2 == relative.size() || relative[at + 2] == '/')) return false;
    }
    return true;
}

}  // namespace

DiskHost::DiskHost(std::shared_ptr<const DiskEnvironment> environment, LanguageSettings settings,
                   LogSink sink)
    : environment_(std::move(environment)), settings_(std::move(settings)), sink_(std::move(sink)) {
    for (const std::string& fault : environment_->faults()) log({Severity::Err, fault, "", {}});
    for (const std::string& warning : environment_->warnings()) log({Severity::Warning, warning, "", {}});
}

std::optional<LanguageHost::SourceFile> DiskHost::program(std::string path) {
    const FileStamp stamp = FileStamp::of(path);
    if (!stamp.is_regular_file()) return std::nullopt;
    const auto checked = parsed_file(path, stamp, settings_, environment_->namespace_of(path));
    report_diagnostics(*checked, *this);
    return SourceFile{{}, std::move(path), checked->program};
}

std::optional<LanguageHost::SourceFile> DiskHost::program_at(const std::string& stem, Loadable kind) {
    if (auto file = program(stem + ".pp")) return file;
    const std::string plan = stem + ".yaml";
    if (kind != Loadable::Plan || !FileStamp::of(plan).is_regular_file()) return std::nullopt;
    return SourceFile{read_file(plan, "YAML plan"), plan};
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

std::optional<LanguageHost::SourceFile> DiskHost::program_of(Loadable kind, std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    if (!is_path_safe_name(name)) return std::nullopt;
    const std::string_view module_name = name.substr(0, name.find("::"));
    const bool qualified = module_name.size() != name.size();
    const std::string folder = std::string("/") + loadable_folder(kind) + "/";
    // The environment is a module too; its names are whole paths.
    if (!environment_->directory().empty() && (!qualified || module_name == "environment")) {
        if (auto file = program_at(environment_->directory().string() + folder + name_as_path(name), kind))
            return file;
    }
    const Module* module = environment_->find_module(module_name);
    const auto relative = module ? path_of_name(name, kind) : std::nullopt;
    return relative ? program_at(module->path + folder + *relative, kind) : std::nullopt;
}

std::optional<LanguageHost::SourceFile> DiskHost::manifest_source(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    const Module* module = environment_->find_module(name.substr(0, name.find("::")));
    // A name that no class may have is read all the same: its definition is reported.
    std::string path = name_as_path(name);
    if (!module || !stays_inside(path)) return std::nullopt;
    path = path == module->name ? "init" : path.substr(module->name.size() + 1);
    return program(module->path + "/manifests/" + path + ".pp");
}

std::optional<LanguageHost::SourceFile> DiskHost::resource_type_source(std::string_view name) {
    if (!is_path_safe_name(name) || name.find(':') != std::string_view::npos) return std::nullopt;
    const auto source = [](const std::string& file) {
        return SourceFile{*file_text(file, "resource type"), file, nullptr};
    };
    if (!environment_->directory().empty()) {  // what `puppet generate types` writes
        const std::string file =
            environment_->directory().string() + "/.resource_types/" + std::string(name) + ".pp";
        if (FileStamp::of(file).is_regular_file()) return source(file);
    }
    const std::string* file = environment_->ruby_file(DiskEnvironment::RubyFile::Type, name);
    return file ? std::optional(source(*file)) : std::nullopt;
}

std::optional<std::string> DiskHost::module_file_path(std::string_view kind, std::string_view name) {
    const auto existing = [](std::string path) {
        return FileStamp::of(path).exists() ? std::optional(std::move(path)) : std::nullopt;
    };
    if (name.starts_with('/')) return existing(std::string(name));
    const std::size_t slash = name.find('/');
    const Module* module = environment_->find_module(name.substr(0, slash));
    if (!module || slash == std::string_view::npos || !stays_inside(name.substr(slash + 1)))
        return std::nullopt;
    return existing(module->path + "/" + std::string(kind) + std::string(name.substr(slash)));
}

std::optional<LanguageHost::SourceFile> DiskHost::module_file(std::string_view kind, std::string_view name) {
    // Templates are rendered again and again; other files may be large, and are read once.
    const bool is_template = kind == "templates";
    if (is_template) {
        if (const auto known = templates_.find(name); known != templates_.end())
            return SourceFile{*known->second.text, known->second.path, nullptr};
    }
    auto path = module_file_path(kind, name);
    if (!path) return std::nullopt;
    if (!is_template) return SourceFile{read_file(*path, "file of a module"), *path, nullptr};
    auto text = file_text(*path, "template");
    const Template& kept = templates_[std::string(name)] = {std::move(*path), std::move(text)};
    return SourceFile{*kept.text, kept.path, nullptr};
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
        if (const auto* path = environment_->ruby_file(File::LegacyFunction, name))
            return RubySource{*path, true};
        return std::nullopt;
    }
    const auto found = [name](const std::string& library) -> std::optional<RubySource> {
        std::string path = library + "/lib/puppet/functions/" + name_as_path(name) + ".rb";
        if (!FileStamp::of(path).is_regular_file()) return std::nullopt;
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
    forget_templates();  // it may write files
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
