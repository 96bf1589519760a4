#pragma once

#include <filesystem>

#include "cli/run/session.hpp"
#include "planner/module_install/project_modules.hpp"

namespace volley::cli {

/// What the verbs that install modules have in common: the project's files, where modules come from, and what
/// is shown.
class ModuleStage final : public modules::Progress {
public:
    /// `folder`: of the project. Throws Error for a wrong `module-install`.
    ModuleStage(Session& session, const std::filesystem::path& folder);

    const modules::ModulePaths& paths() const noexcept { return paths_; }
    modules::ModuleSources& sources() noexcept { return sources_; }
    /// MGT-009. Throws Error bolt/missing-project-config-error.
    void need_project_file() const;
    /// After installing: the references to resource types are written and the end is reported (MGT-006).
    void finish(const std::vector<std::filesystem::path>& modulepath);

    void message(std::string_view text) override { session_.out().print_message(text); }
    void step(std::string_view text) override { session_.out().print_action_step(text); }

private:
    Session& session_;
    std::filesystem::path folder_;
    modules::ModulePaths paths_;
    modules::ModuleSources sources_;
};

/// Where a project keeps the references to resource types (LAY-010).
std::filesystem::path type_reference_folder(const std::filesystem::path& project);

}  // namespace volley::cli
