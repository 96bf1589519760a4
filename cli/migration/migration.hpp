#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "cli/run/module_stage.hpp"
#include "cli/run/session.hpp"
#include "support/json/json.hpp"

namespace volley::cli {

/// Brings the files of an old project up to date, one kind after the other (MGT-014). Whatever is rewritten,
/// replaced or taken away is copied into .bolt-bak of the project first (LAY-012). Each part returns false
/// when it could not be done, and throws Error for files that cannot be read or written.
class Migration {
public:
    /// `yes`: every question is answered with yes.
    explicit Migration(Session& session, bool yes = false);

    /// Asks a question until the answer is yes or no. Throws Error bolt/cli-error when there is none.
    bool ask(std::string_view question);
    /// `nodes` of version 1 become `targets`.
    bool inventory();
    /// bolt.yaml becomes bolt-project.yaml, and its transports go to the inventory; keys get their new names.
    bool configuration();
    /// Modules of a Puppetfile become `modules`, in .modules; other folders of modules become one.
    bool modules();

private:
    void message(std::string_view text) { session_.out().print_message(text); }
    void step(std::string_view text) { session_.out().print_action_step(text); }
    void back_up(const std::filesystem::path& file);
    /// A name in .bolt-bak for a copy of `path` that nothing has yet.
    std::filesystem::path backup_place(const std::filesystem::path& path) const;
    void move_transports(Json& config, const std::filesystem::path& old_file);
    bool rename_keys();
    bool has_usual_modulepath() const;
    bool modules_of_puppetfile();
    std::vector<modules::ModuleSpec> direct_modules(const modules::Puppetfile& puppetfile);
    void install_managed(const modules::Puppetfile& puppetfile);
    void gather_module_folders();
    void take_away_managed(const modules::Puppetfile& puppetfile);
    void list_modules(const std::vector<modules::ModuleSpec>& specs);

    Session& session_;
    bool yes_;
    ModuleStage stage_;
    std::filesystem::path project_;
    std::filesystem::path project_file_;
    std::filesystem::path inventory_file_;
};

/// A YAML file's data; an empty object for a file that is empty or not there. Throws Error bolt/file-error.
Json migrated_data(const std::filesystem::path& file, std::string_view what);
void write_migrated(const std::filesystem::path& file, const Json& data);

}  // namespace volley::cli
