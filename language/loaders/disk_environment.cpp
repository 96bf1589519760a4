#include "language/loaders/disk_environment.hpp"

#include <algorithm>

#include "language/loaders/environment_conf.hpp"
#include "language/loaders/module_metadata.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

namespace fs = std::filesystem;

// A prefix that no name has: definitions of a module that lie outside of the folders for them.
constexpr std::string_view no_namespace_fits = "/";

bool is_module_name(std::string_view name) {
    const auto lower_case = [](char c) { return c >= 'a' && c <= 'z'; };
    return !name.empty() && lower_case(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
        return lower_case(c) || (c >= '0' && c <= '9') || c == '_';
    });
}

std::vector<std::string> module_names_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code problem;
    for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
        std::string name = at->path().filename().string();
        std::error_code ignored;
        if (is_module_name(name) && at->is_directory(ignored)) names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    return names;
}

fs::path find_environment(const DiskEnvironmentOptions& options) {
    std::error_code ignored;
    std::string looked;
    for (const fs::path& parent : options.environmentpath) {
        if (is_module_name(options.name) && fs::is_directory(parent / options.name, ignored))
            return fs::absolute(parent / options.name).lexically_normal();
        looked += (looked.empty() ? "" : ", ") + parent.string();
    }
    if (options.environmentpath.empty()) return {};
    throw Error("bolt/unknown-environment", "Could not find a directory environment named '" + options.name +
                                                "' anywhere in the path: " + looked);
}

/// `path`: from the module's name on; ends in ".pp".
std::string namespace_in_module(const std::string& path) {
    const std::string name = lower(path);
    const std::size_t module_end = name.find('/');
    const std::size_t folder_end =
        module_end == std::string::npos ? module_end : name.find('/', module_end + 1);
    if (folder_end == std::string::npos) return std::string(no_namespace_fits);
    const std::string_view folder =
        std::string_view(name).substr(module_end + 1, folder_end - module_end - 1);
    if (folder != "manifests" && folder != "functions" && folder != "types" && folder != "plans")
        return std::string(no_namespace_fits);
    std::string result = name.substr(0, module_end);
    const std::string_view file = std::string_view(name).substr(folder_end, name.size() - folder_end - 3);
    if (file == "/init") return result;
    for (const char c : file) c == '/' ? result += "::" : result += c;
    return result;
}

}  // namespace

std::vector<fs::path> split_search_path(std::string_view text, const fs::path& base) {
    std::vector<fs::path> folders;
    for (const std::string& part : split(text, ':')) {
        if (!part.empty()) folders.push_back(expand_path(part, base));
    }
    return folders;
}

DiskEnvironment::DiskEnvironment(DiskEnvironmentOptions options)
    : name_(options.name),
      directory_(find_environment(options)),
      hiera_config_(std::move(options.hiera_config)),
      named_modules_(std::move(options.modules)) {
    if (!directory_.empty()) read_configuration();
    if (options.modulepath) modulepath_ = std::move(*options.modulepath);
    find_modules();
    find_code_folders();
}

void DiskEnvironment::read_configuration() {
    modulepath_ = {directory_ / "modules"};
    manifest_ = directory_ / "manifests";
    const fs::path file = directory_ / "environment.conf";
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return;
    const auto settings = parse_environment_conf(read_file(file, "environment configuration"));
    if (const auto found = settings.find("modulepath"); found != settings.end()) {
        modulepath_.clear();
        for (const std::string& part : split(found->second, ':')) {
            // Volley has no modules of a whole machine.
            if (!part.empty() && part != "$basemodulepath")
                modulepath_.push_back(expand_path(part, directory_));
        }
    }
    const auto provider = settings.find("environment_data_provider");
    if (provider != settings.end() && !provider->second.empty() && provider->second != "none" &&
        !fs::exists(directory_ / "hiera.yaml", ignored)) {
        warnings_.push_back(
            "The environment_data_provider '" + provider->second + "' in " + file.string() +
            " is not used any more, so lookup finds no data of the environment: describe them in a "
            "hiera.yaml of version 5");
    }
    if (const auto found = settings.find("manifest"); found != settings.end())
        manifest_ = expand_path(found->second, directory_);
}

void DiskEnvironment::add_module(const std::string& name, const fs::path& folder) {
    if (module_index_.contains(name)) return;
    ModuleMetadata metadata = check_module_metadata(name, folder);
    if (!metadata.fault.empty()) {
        faults_.push_back(std::move(metadata.fault));
        return;
    }
    if (!metadata.warning.empty()) warnings_.push_back(std::move(metadata.warning));
    module_index_[name] = modules_.size();
    modules_.push_back({name, folder.string()});
}

void DiskEnvironment::find_modules() {
    for (const LanguageHost::Module& module : named_modules_) add_module(module.name, module.path);
    for (const fs::path& folder : modulepath_) {
        for (const std::string& module : module_names_in(folder)) add_module(module, folder / module);
    }
}

const LanguageHost::Module* DiskEnvironment::find_module(std::string_view name) const {
    const auto found = module_index_.find(std::string(name));
    return found == module_index_.end() ? nullptr : &modules_[found->second];
}

void DiskEnvironment::find_code_folders() {
    const auto with_slash = [](const fs::path& folder) { return (folder.lexically_normal() / "").string(); };
    for (const fs::path& folder : modulepath_) code_folders_.push_back({with_slash(folder), ""});
    for (const LanguageHost::Module& module : named_modules_)
        code_folders_.push_back({with_slash(module.path), module.name + "/"});
}

std::optional<std::string> DiskEnvironment::namespace_of(const std::string& file) const {
    if (!file.ends_with(".pp")) return std::nullopt;
    const bool normal =
        file.starts_with('/') && file.find("//") == std::string::npos && file.find("/.") == std::string::npos;
    const std::string path = normal ? file : fs::absolute(file).lexically_normal().string();
    if (!manifest_.empty() && path.starts_with(manifest_.native())) return std::nullopt;
    for (const CodeFolder& folder : code_folders_) {
        if (path.starts_with(folder.path))
            return namespace_in_module(folder.prefix + path.substr(folder.path.size()));
    }
    return std::nullopt;
}

void DiskEnvironment::list_ruby_files(RubyFile kind) const {
    static constexpr std::string_view folders[] = {"puppet/type", "puppet/functions",
                                                   "puppet/parser/functions", "puppet/provider"};
    const auto place = static_cast<std::size_t>(kind);
    const bool functions = kind == RubyFile::Function || kind == RubyFile::LegacyFunction;
    std::vector<fs::path> libraries;
    if (functions && !directory_.empty()) libraries.push_back(directory_ / "lib");
    for (const LanguageHost::Module& module : modules_) libraries.push_back(fs::path(module.path) / "lib");
    for (const fs::path& library : libraries) {
        std::error_code problem;
        for (fs::directory_iterator at(library / folders[place], problem), end; !problem && at != end;
             at.increment(problem)) {
            std::error_code ignored;
            const bool fits = kind == RubyFile::Providers
                                  ? at->is_directory(ignored)
                                  : at->path().extension() == ".rb" && at->is_regular_file(ignored);
            if (!fits) continue;
            ruby_files_[place].paths.emplace(at->path().stem().string(),
                                             at->path().string());  // the first stays
        }
    }
}

const std::string* DiskEnvironment::ruby_file(RubyFile kind, std::string_view name) const {
    RubyFiles& files = ruby_files_[static_cast<std::size_t>(kind)];
    std::call_once(files.listed, [this, kind] { list_ruby_files(kind); });
    const auto found = files.paths.find(std::string(name));
    return found == files.paths.end() ? nullptr : &found->second;
}

std::vector<std::string> manifest_files_of(const fs::path& manifest) {
    std::error_code problem;
    if (!fs::is_directory(manifest, problem)) return {manifest.string()};
    std::vector<std::string> files;
    const auto options =
        fs::directory_options::follow_directory_symlink | fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(manifest, options, problem), end; !problem && at != end;
         at.increment(problem)) {
        std::error_code ignored;
        if (at->path().extension() == ".pp" && at->is_regular_file(ignored))
            files.push_back(at->path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace volley
