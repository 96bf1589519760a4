#include "cli/run/run_action.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto file_upload_options = join_options(
    action_options, rollout_options, std::to_array<std::string_view>({"tmpdir", "dry-run", "yes"}));

int run_file_upload(Session& session, const CommandLine& line) {
    return run_action(session, line, [&] {
        const std::filesystem::path source = find_local_file(session, *line.object);
        check_readable(source, "source file", true);
        return planner::Action{planner::UploadAction{source, line.leftovers.front()}, {}, {}};
    });
}

}  // namespace

const Verb& file_upload_verb() {
    static constexpr Verb verb{
        .noun = "file",
        .action = "upload",
        .summary = "Copy a local file or folder to targets",
        .usage =
            "file upload <source> <destination> {--targets TARGETS | --query QUERY | --rerun FILTER} "
            "[options]",
        .description =
            "Copies a file, or a folder with everything in it, to the same place on every target. The "
            "source is a path, or 'module/file' for one that a module brings along.",
        .guide = "targets",
        .examples = "volley file upload login.sh /etc/profile.d/login.sh -t web1 --run-as root",
        .options = file_upload_options,
        .needs_targets = true,
        .run = run_file_upload,
    };
    return verb;
}

}  // namespace volley::cli
