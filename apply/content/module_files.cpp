#include "apply/content/module_files.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/types/type.hpp"
#include "support/crypto/digest.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace volley {
namespace {

namespace fs = std::filesystem;

bool has_deferred(const Value& value) {
    if (value.is(Kind::Object)) return to_string(*value.as<ObjectBase>().type()) == "Deferred";
    if (value.is_array()) return std::any_of(value.as_array().begin(), value.as_array().end(), has_deferred);
    if (value.is_hash()) {
        return std::any_of(value.as_hash().begin(), value.as_hash().end(),
                           [](const Hash::Entry& entry) { return has_deferred(entry.value); });
    }
    return false;
}

bool wants_any_file(const Catalog& catalog) {
    for (const CatalogResource& resource : catalog.resources) {
        if (resource.is_virtual) continue;
        for (const auto& [name, value] : resource.parameters) {
            if (has_deferred(value)) return true;
        }
    }
    return false;
}

unsigned mode_of(const fs::path& file) {
    struct stat found = {};
    return ::stat(file.c_str(), &found) == 0 ? found.st_mode & 0777U : 0644U;
}

/// Where a File resource writes to; empty for other types.
std::string destination_of(const CatalogResource& resource) {
    if (resource.type != "File") return {};
    const Value* path = resource.parameter("path");
    return path && path->is_string() ? path->as_string() : resource.title;
}

}  // namespace

ModuleFiles::ModuleFiles(const std::vector<LanguageHost::Module>& modules,
                         const std::vector<std::string>& only) {
    for (const LanguageHost::Module& module : modules) {
        if (only.empty() || std::find(only.begin(), only.end(), module.name) != only.end())
            modules_.emplace(module.name, module.path);
    }
}

std::shared_ptr<const ModuleFiles::Known> ModuleFiles::known(const fs::path& local) const {
    return sums_.get(
        local.string(), FileStamp::of(local.string()), [&] { return read_file(local, "file of a module"); },
        [](const std::string& content) {
            return std::make_shared<const Known>(Known{content.size(), sha256_hex(content)});
        });
}

void ModuleFiles::add_file(Files& files, const std::string& path, const fs::path& local, bool code) const {
    if (files.contains(path)) return;
    const auto content = known(local);
    files.emplace(path, DeliveredFile{.path = path,
                                      .local = local,
                                      .sum = content->sum,
                                      .size = content->size,
                                      .mode = mode_of(local),
                                      .code = code});
}

void ModuleFiles::add_folder(Files& files, const std::string& path, const fs::path& local, bool code) const {
    std::error_code problem;
    fs::recursive_directory_iterator at(local, problem);
    for (; !problem && at != fs::recursive_directory_iterator(); at.increment(problem)) {
        std::error_code ignored;
        if (!at->is_regular_file(ignored)) continue;
        add_file(files, path + "/" + at->path().lexically_relative(local).generic_string(), at->path(), code);
    }
}

/// A source that is a folder is copied with all folders in it, and is missing when it is not there at all.
void ModuleFiles::add_bare_folders(Files& files, const std::string& path, const fs::path& local) const {
    std::vector<std::string> folders{path};
    std::error_code problem;
    fs::recursive_directory_iterator at(local, problem);
    for (; !problem && at != fs::recursive_directory_iterator(); at.increment(problem)) {
        std::error_code ignored;
        if (at->is_directory(ignored) && !at->is_symlink(ignored))
            folders.push_back(path + "/" + at->path().lexically_relative(local).generic_string());
    }
    for (const std::string& folder : folders) {
        const auto inside = files.lower_bound(folder + "/");
        const bool bare = inside == files.end() || !inside->first.starts_with(folder + "/");
        if (bare) files.emplace(folder, DeliveredFile{.path = folder, .mode = 0755, .folder = true});
    }
}

const std::vector<DeliveredFile>& ModuleFiles::code(bool for_catalogs) const {
    const std::size_t which = for_catalogs ? 1 : 0;
    std::call_once(code_once_[which], [&] { code_[which] = find_code(for_catalogs); });
    return code_[which];
}

std::vector<DeliveredFile> ModuleFiles::find_code(bool for_catalogs) const {
    Files files;
    for (const auto& [name, folder] : modules_) {
        for (const char* part : {"lib", "facts.d"}) add_folder(files, name + "/" + part, folder / part, true);
        if (!for_catalogs) continue;
        for (const char* part : {"types", "functions"})
            add_folder(files, name + "/" + part, folder / part, true);
    }
    std::vector<DeliveredFile> all;
    for (auto& [path, file] : files) all.push_back(std::move(file));
    return all;
}

/// `path` is "MODULE/files/x".
std::optional<fs::path> ModuleFiles::local_of(std::string_view path) const {
    const std::size_t slash = path.find('/');
    const auto module = modules_.find(path.substr(0, slash));
    if (module == modules_.end() || slash == std::string_view::npos) return std::nullopt;
    try {
        fs::path local = join_inside(module->second, path.substr(slash + 1));
        std::error_code ignored;
        return fs::exists(local, ignored) ? std::optional(std::move(local)) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;  // outside of the module: nothing that Puppet would serve
    }
}

bool ModuleFiles::add_url(Files& files, std::string_view url, const std::string& destination) const {
    static constexpr std::pair<std::string_view, const char*> mounts[] = {
        {"puppet:///modules/", "/files/"}, {"puppet:///scripts/", "/scripts/"}};
    for (const auto& [mount, folder] : mounts) {
        if (!url.starts_with(mount)) continue;
        const std::string_view rest = url.substr(mount.size());
        const std::size_t slash = rest.find('/');
        if (slash == std::string_view::npos) return false;
        const std::string path =
            std::string(rest.substr(0, slash)) + folder + std::string(rest.substr(slash + 1));
        const auto local = local_of(path);
        if (!local) return false;
        std::error_code ignored;
        const bool whole_folder = fs::is_directory(*local, ignored);
        if (!whole_folder && !fs::is_regular_file(*local, ignored))
            return false;  // reading a pipe would never end
        if (whole_folder) {
            add_folder(files, path, *local, false);
            add_bare_folders(files, path, *local);
        } else {
            add_file(files, path, *local, false);
        }
        if (destination.empty()) return true;
        const std::string first = whole_folder ? path + "/" : path;
        for (auto at = files.lower_bound(first); at != files.end() && at->first.starts_with(first); ++at) {
            if (!at->second.folder && (whole_folder || at->first == path))
                at->second.here.push_back(destination + at->first.substr(path.size()));
        }
        return true;
    }
    return false;
}

void ModuleFiles::add_value(Files& files, const Value& value, const std::string& destination,
                            bool first_only) const {
    const NestingGuard nesting;
    if (value.is_string()) {
        add_url(files, value.as_string(), destination);
    } else if (value.is_array()) {
        for (const Value& item : value.as_array()) {
            if (first_only && item.is_string() && add_url(files, item.as_string(), destination)) return;
            if (!first_only) add_value(files, item, destination, false);
        }
    } else if (value.is_hash()) {
        for (const Hash::Entry& entry : value.as_hash()) add_value(files, entry.value, destination, false);
    }
}

std::vector<DeliveredFile> ModuleFiles::named_by(const Catalog& catalog) const {
    Files files;
    if (wants_any_file(catalog)) {
        for (const auto& [name, folder] : modules_) {
            for (const char* part : {"files", "scripts", "templates"})
                add_folder(files, name + "/" + part, folder / part, false);
        }
    }
    for (const CatalogResource& resource : catalog.resources) {
        if (resource.is_virtual) continue;  // not in the document, so its files are nothing to the target
        const std::string destination = destination_of(resource);
        const Value* select = resource.parameter("sourceselect");
        const bool all = select && select->is_string() && select->as_string() == "all";
        for (const auto& [name, value] : resource.parameters) {
            const bool source = name == "source";
            add_value(files, value, source ? destination : std::string(), source && !all);
        }
    }
    std::vector<DeliveredFile> wanted;
    for (auto& [path, file] : files) wanted.push_back(std::move(file));
    return wanted;
}

}  // namespace volley
