#include "cli/run/run_action.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/files.hpp"

namespace volley::cli {
namespace {

constexpr auto file_download_options =
    join_options(action_options, rollout_options, std::to_array<std::string_view>({"dry-run"}));

int run_file_download(Session& session, const CommandLine& line) {
    return run_action(session, line, [&] {
        // Compatibility (ARG-013): below the current folder, not below the project's downloads.
        const std::filesystem::path destination =
            expand_path(line.leftovers.front(), session.process().working_directory);
        return planner::Action{planner::DownloadAction{*line.object, destination}, {}, {}};
    });
}

}  // namespace

const Verb& file_download_verb() {
    static constexpr Verb verb{
        .noun = "file",
        .action = "download",
        .summary = "Copy a file or folder from targets",
        .usage =
            "file download <source> <destination> {--targets TARGETS | --query QUERY | --rerun FILTER} "
            "[options]",
        .description =
            "Copies a file, or a folder with everything in it, from every target. Each target gets a "
            "folder of its own, named like the target, below the destination.",
        .guide = "targets",
        .examples = "volley file download /etc/ssh/sshd_config configs -t all",
        .options = file_download_options,
        .needs_targets = true,
        .run = run_file_download,
    };
    return verb;
}

}  // namespace volley::cli
