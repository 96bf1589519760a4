#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "planner/module_install/installer.hpp"

namespace volley::modules {

/// Hears what module management does, step by step; the program shows it.
class Progress {
public:
    virtual ~Progress() = default;
    virtual void message(std::string_view text) = 0;
    virtual void step(std::string_view text) = 0;
};

/// The files of a project that module management reads and writes.
struct ModulePaths {
    std::filesystem::path project_file;  ///< bolt-project.yaml
    std::filesystem::path puppetfile;
    std::filesystem::path modules;  ///< .modules
};

struct InstallOptions {
    bool force = false;   ///< resolve again although there is a Puppetfile
    bool resolve = true;  ///< false: the Puppetfile as it is
};

/// MGT-006, MGT-007: installs the modules that `specs` ask for. Throws Error.
void install_project_modules(const ModulePaths& paths, const std::vector<ModuleSpec>& specs,
                             InstallOptions options, ModuleSources& sources, Progress& progress);

/// MGT-008: adds a module to the project and installs it. False when the project has one of that name
/// already. Other modules keep their versions as long as that is possible. Throws Error; the project is as
/// before then, unless the last step failed.
bool add_project_module(const ModulePaths& paths, const std::string& name, ModuleSources& sources,
                        Progress& progress);

/// What differs between the Forge modules of two Puppetfiles, as paragraphs for people ("Adding the following
/// modules:\n..."); each ends with a newline.
std::vector<std::string> puppetfile_changes(const Puppetfile& before, const Puppetfile& after);

/// The text of a project file with one more entry in its list `modules`; comments and order stay, but where
/// the list is written in a way that does not allow that. Throws Error bolt/file-error for a file that is no
/// YAML map with a list.
std::string with_module(const std::string& project_text, const std::string& name,
                        const std::filesystem::path& file);

}  // namespace volley::modules
