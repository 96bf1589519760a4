#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/module_install/module_spec.hpp"

namespace volley::modules {

/// One `mod` of a Puppetfile.
struct PuppetfileModule {
    enum class Kind { Forge, Git, Local };
    Kind kind = Kind::Forge;
    ModuleName name = {};  ///< of git: the name alone
    std::optional<Value> version =
        {};               ///< Forge: an exact version; nullopt: whatever is there, or the latest
    bool latest = false;  ///< Forge: always the latest
    std::string git = {};
    std::string ref = {};  ///< branch, tag or commit
    std::size_t line = 0;  ///< in its file; 0: not read from one

    /// As a line of a Puppetfile, with a newline (MGT-005).
    std::string to_text() const;
    /// The spec that asks for just this (the pinned version, or the repository and its ref).
    ModuleSpec to_spec() const;
};

/// What a project has installed, to the version: the lock file of its modules (LAY-004).
struct Puppetfile {
    std::vector<PuppetfileModule> modules;

    /// The whole file in Bolt's format; with the heading that says who manages it when `managed` (MGT-005).
    std::string to_text(bool managed) const;
    const PuppetfileModule* find(std::string_view name) const;
};

/// Reads the part of Ruby that a Puppetfile is made of: `mod` with a version or with git:, ref:, tag:,
/// branch:, commit: or local:, `forge` and `moduledir`, comments. Nothing is run. Throws Error
/// bolt/puppetfile-parsing for text that is not such Ruby, bolt/validation-error for what is understood and
/// not possible; both name file and line.
Puppetfile parse_puppetfile(std::string_view text, const std::filesystem::path& path);
/// parse_puppetfile() of the file; empty when there is none. Throws also bolt/file-error.
Puppetfile read_puppetfile(const std::filesystem::path& path);

/// MGT-006. Throws Error bolt/missing-module-specs, bolt/missing-module-version-specs.
void check_puppetfile_satisfies(const Puppetfile& puppetfile, const std::vector<ModuleSpec>& specs);

}  // namespace volley::modules
