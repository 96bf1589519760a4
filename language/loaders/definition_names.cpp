#include "language/loaders/definition_names.hpp"

#include <filesystem>
#include <mutex>
#include <system_error>

#include "support/text.hpp"

namespace volley {
namespace {

namespace fs = std::filesystem;

/// More would take longer than a suggestion is worth.
constexpr std::size_t most_files = 20'000;

/// "a/b.pp" below manifests of module m is m::a::b; init.pp is m. Ruby's types and functions of old have no
/// module.
std::string definition_name(const std::string& module, std::string_view folder, const fs::path& relative) {
    std::string stem = (relative.parent_path() / relative.stem()).string();
    if (folder == "lib/puppet/type" || folder == "lib/puppet/parser/functions") return stem;
    if (folder != "lib/puppet/functions" && stem == "init") return module;
    const std::string name = join(split(stem, "/"), "::");
    return folder == "lib/puppet/functions" ? name : module + "::" + name;
}

std::vector<std::string> read_names(const std::vector<LanguageHost::Module>& modules,
                                    std::string_view folder) {
    const std::string_view extension = folder.starts_with("lib/") ? ".rb" : ".pp";
    std::vector<std::string> names;
    for (const LanguageHost::Module& module : modules) {
        const fs::path base = fs::path(module.path) / folder;
        std::error_code problem;
        const auto options = fs::directory_options::skip_permission_denied;
        for (fs::recursive_directory_iterator at(base, options, problem), end; !problem && at != end;
             at.increment(problem)) {
            if (names.size() == most_files) return names;
            if (at->path().extension() == extension)
                names.push_back(definition_name(module.name, folder, at->path().lexically_relative(base)));
        }
    }
    return names;
}

}  // namespace

std::vector<std::string> definition_names(const std::vector<LanguageHost::Module>& modules,
                                          std::string_view folder) {
    static std::mutex mutex;
    static std::string last_asked;
    static std::vector<std::string> last_names;
    std::string asked(folder);
    for (const LanguageHost::Module& module : modules) asked += '\0' + module.path;
    const std::lock_guard lock(mutex);
    if (asked != last_asked) {
        last_names = read_names(modules, folder);
        last_asked = std::move(asked);
    }
    return last_names;
}

std::string hint_for(std::string_view name, std::vector<std::string> known) {
    return std::string(trim(did_you_mean(name, known)));
}

}  // namespace volley
