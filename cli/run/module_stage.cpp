#include "cli/run/module_stage.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "inventory/references.hpp"
#include "planner/module_install/type_references.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

modules::SourceSettings module_settings(Session& session) {
    const auto& raw = session.config().raw;
    if (!raw || !raw->contains("module-install")) return {};
    return modules::SourceSettings::read(
        inventory::resolve_references((*raw)["module-install"], session.plugins()));
}

}  // namespace

ModuleStage::ModuleStage(Session& session, const std::filesystem::path& folder)
    : session_(session),
      folder_(folder),
      paths_{folder / "bolt-project.yaml", folder / "Puppetfile", folder / ".modules"},
      sources_(module_settings(session)) {}

void ModuleStage::need_project_file() const {
    std::error_code ignored;
    if (std::filesystem::exists(paths_.project_file, ignored)) return;
    throw Error("bolt/missing-project-config-error",
                "Could not find project configuration file " + paths_.project_file.string() +
                    ", unable to install modules. To create a project, run 'volley project init'.");
}

void ModuleStage::finish(const std::vector<std::filesystem::path>& modulepath) {
    step("Generating type references");
    modules::write_type_references(modulepath, type_reference_folder(folder_));
    session_.out().print_puppetfile_result(paths_.puppetfile, paths_.modules);
}

std::filesystem::path type_reference_folder(const std::filesystem::path& project) {
    return project / ".resource_types";
}

}  // namespace volley::cli
