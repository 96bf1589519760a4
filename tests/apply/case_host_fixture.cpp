#include <memory>
#include <utility>

#include "language/lookup/data/data_store.hpp"
#include "tests/apply/case_host.hpp"
#include "tests/language/lookup/memory_files.hpp"

namespace volley::test {

CaseHost::CaseHost(std::map<std::string, std::string> files) : files_(std::move(files)) {
    const auto kept = std::make_shared<tests::MemoryFiles>();
    for (const auto& [path, content] : files_) kept->files["<env>/" + path] = content;
    data.store = std::make_shared<lookup::DataStore>(kept);
}

std::optional<LanguageHost::SourceFile> CaseHost::at(const std::string& path) const {
    const auto found = files_.find(path);
    if (found == files_.end()) return std::nullopt;
    return SourceFile{found->second, "<env>/" + path};
}

std::optional<LanguageHost::SourceFile> CaseHost::source(std::string_view name, const std::string& folder,
                                                         const std::string& ending) const {
    std::string path(name);
    const std::size_t separator = path.find("::");
    if (separator == std::string::npos) return std::nullopt;
    const std::string module = path.substr(0, separator);
    path = path.substr(separator + 2);
    for (std::size_t next = path.find("::"); next != std::string::npos; next = path.find("::"))
        path.replace(next, 2, "/");
    return at((module == "environment" ? "" : "modules/" + module + "/") + folder + "/" + path + ending);
}

std::optional<LanguageHost::SourceFile> CaseHost::manifest_source(std::string_view name) {
    if (name.find("::") == std::string_view::npos)
        return at("modules/" + std::string(name) + "/manifests/init.pp");
    return source(name, "manifests", ".pp");
}

std::optional<LanguageHost::SourceFile> CaseHost::resource_type_source(std::string_view name) {
    const std::string wanted = "/lib/puppet/type/" + std::string(name) + ".rb";
    for (const auto& [path, content] : files_) {
        if (path.ends_with(wanted)) return SourceFile{content, "<env>/" + path};
    }
    return std::nullopt;
}

std::optional<LanguageHost::SourceFile> CaseHost::module_file(std::string_view kind, std::string_view name) {
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    return at("modules/" + std::string(name.substr(0, slash)) + "/" + std::string(kind) +
              std::string(name.substr(slash)));
}

std::optional<std::string> CaseHost::module_path(std::string_view name) {
    const std::string prefix = "modules/" + std::string(name) + "/";
    const auto found = files_.lower_bound(prefix);
    if (found == files_.end() || !found->first.starts_with(prefix)) return std::nullopt;
    return "<env>/modules/" + std::string(name);
}

}  // namespace volley::test
