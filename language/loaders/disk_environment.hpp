#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "language/evaluator/environment.hpp"

namespace volley {

/// Where the code of an environment is. Empty and absent members mean that there is none.
struct DiskEnvironmentOptions {
    std::string name = "production";
    std::vector<std::filesystem::path> environmentpath;            // the first that has a folder NAME is used
    std::optional<std::vector<std::filesystem::path>> modulepath;  // in place of the environment's own
    std::filesystem::path hiera_config;                            // the hiera.yaml of Hiera's global layer
    std::vector<LanguageHost::Module> modules = {};                // that win over those of the modulepath
};

/// An environment as it lies on the disk: its folder with environment.conf, and the modules of its
/// modulepath. Read once; may be used by several threads and compilations.
class DiskEnvironment {
public:
    /// Throws Error when environmentpath is given and no folder in it is called like the environment.
    explicit DiskEnvironment(DiskEnvironmentOptions options);

    const std::string& name() const noexcept { return name_; }
    /// Absolute; empty when there is only a modulepath.
    const std::filesystem::path& directory() const noexcept { return directory_; }
    const std::vector<std::filesystem::path>& modulepath() const noexcept { return modulepath_; }
    /// The main manifest: a file, or a folder of which all *.pp files are taken. Empty without a directory.
    const std::filesystem::path& manifest() const noexcept { return manifest_; }
    /// Absolute; empty when there is none.
    const std::filesystem::path& hiera_config() const noexcept { return hiera_config_; }
    const std::vector<LanguageHost::Module>& modules() const noexcept { return modules_; }
    /// nullptr when there is no such module.
    const LanguageHost::Module* find_module(std::string_view name) const;
    /// Messages about modules that are left out because their metadata is wrong.
    const std::vector<std::string>& faults() const noexcept { return faults_; }
    /// Messages about settings of old that are not obeyed.
    const std::vector<std::string>& warnings() const noexcept { return warnings_; }

    /// What definitions in this file must be called (CheckOptions::file_namespace); nullopt for files that
    /// are not part of a module. Spec "Names".
    std::optional<std::string> namespace_of(const std::string& file) const;

    enum class RubyFile { Type, Function, LegacyFunction, Providers };
    /// NAME.rb in lib/puppet/type, lib/puppet/functions or lib/puppet/parser/functions, or the folder NAME in
    /// lib/puppet/provider, of the first module that has it, for functions of the environment itself before
    /// that; nullptr when there is none. `name` has no "::". The folders are listed at the first question of
    /// a kind.
    const std::string* ruby_file(RubyFile kind, std::string_view name) const;

private:
    void read_configuration();
    void find_modules();
    void add_module(const std::string& name, const std::filesystem::path& folder);
    void find_code_folders();
    void list_ruby_files(RubyFile kind) const;

    std::string name_;
    std::filesystem::path directory_;
    std::vector<std::filesystem::path> modulepath_;
    std::filesystem::path manifest_;
    std::filesystem::path hiera_config_;
    std::vector<LanguageHost::Module> named_modules_;  // options.modules
    std::vector<LanguageHost::Module> modules_;
    std::unordered_map<std::string, std::size_t> module_index_;
    std::vector<std::string> faults_;
    std::vector<std::string> warnings_;
    /// Folders of code, with "/" at their ends, and what their names begin with.
    struct CodeFolder {
        std::string path;
        std::string prefix;
    };
    std::vector<CodeFolder> code_folders_;
    struct RubyFiles {
        std::once_flag listed;
        std::unordered_map<std::string, std::string> paths;  // by name
    };
    mutable std::array<RubyFiles, 4> ruby_files_;  // by kind
};

/// The *.pp files below a folder, or the file itself; sorted by path, as Puppet reads a main manifest.
std::vector<std::string> manifest_files_of(const std::filesystem::path& manifest);

/// "a:b" as absolute paths; relative ones are taken from `base`. Empty parts are left out.
std::vector<std::filesystem::path> split_search_path(std::string_view text,
                                                     const std::filesystem::path& base);

}  // namespace volley
