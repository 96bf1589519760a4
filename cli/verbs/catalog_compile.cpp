#include <filesystem>
#include <mutex>

#include "apply/catalog/catalog.hpp"
#include "cli/catalogs/catalog_files.hpp"
#include "cli/catalogs/node_catalogs.hpp"
#include "cli/compile/module_folders.hpp"
#include "cli/compile/run.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "language/loaders/disk_environment.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/process/parallel.hpp"

namespace volley::cli {
namespace {

constexpr auto catalog_compile_options =
    join_options(language_code_options, language_world_options,
                 std::to_array<std::string_view>(
                     {"manifest", "all-resources", "file-name", "output", "format", "facter"}));

/// A log line of one of many nodes: it says which.
LogEntry of_node(LogEntry entry, const std::string& node) {
    entry.message = node + ": " + (entry.source.empty() ? "" : entry.source + ": ") + entry.message;
    if (!entry.source.empty()) entry.at = {};
    entry.source.clear();
    return entry;
}

std::string counted(std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void make_output_folder(const std::filesystem::path& folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem)
        throw Error("bolt/file-error",
                    "Cannot make the folder " + folder.string() + ": " + problem.message());
}

/// Folders of --modulepath whose modules cannot be seen. Puppet says nothing of them, only that a class is
/// unknown.
void warn_of_module_folders(const LanguageOptions& options, Console& console,
                            const inventory::ProcessContext& process) {
    if (!options.modulepath || options.format == "json" || options.log_format == "json") return;
    LanguageReport report(console, report_settings(options, process));
    for (const auto& folder : split_search_path(*options.modulepath, process.working_directory)) {
        for (const std::string& why : unreadable_module_folders(folder))
            report.log({Severity::Warning, why, "", {}});
    }
}

/// One catalog a file of facts, on all cores. A node that cannot be compiled does not stop the others.
int compile_many(const LanguageOptions& options, Console& console, const inventory::ProcessContext& process) {
    const std::filesystem::path output = expand_path(*options.output, process.working_directory);
    const std::vector<NodeSource> nodes = node_sources(options, process);
    const NodeCompiler compiler(options, process);
    make_output_folder(output);
    LanguageReport::Settings settings = report_settings(options, process);
    settings.json = false;
    LanguageReport report(console, settings);
    std::mutex mutex;
    std::size_t failed = 0;
    parallel_for(nodes.size(), processor_count(), [&](std::size_t i) {
        const std::string& name = nodes[i].name;
        const LanguageOutcome outcome = compiler.compile(nodes[i], [&](const LogEntry& entry) {
            const std::lock_guard lock(mutex);
            report.log(of_node(entry, name));
        });
        if (outcome.failure) {
            const std::lock_guard lock(mutex);
            ++failed;
            report.log({Severity::Err, name + ": " + outcome.failure->message, "", outcome.failure->at,
                        outcome.failure->issue});
            return;
        }
        std::string text;
        text.reserve(std::size_t{1} << 18);  // of 300 resources; growing to it would copy as much again
        write_catalog(*outcome.catalog, {.virtual_resources = options.all_resources}, -1,
                      [&text](std::string_view piece) { text += piece; });
        text += '\n';
        // Catalogs hold secrets in plain text.
        write_file_atomically(output / (name + ".json"), text, 0600);
    });
    console.write_line(counted(nodes.size() - failed, "catalog") + " written to " + output.string() +
                       (failed == 0 ? "" : ", " + counted(failed, "node") + " failed"));
    return failed == 0 ? 0 : 1;
}

int compile_catalog(const LanguageOptions& options, Console& console,
                    const inventory::ProcessContext& process) {
    std::error_code ignored;
    const bool many = options.facts && std::filesystem::is_directory(
                                           expand_path(*options.facts, process.working_directory), ignored);
    if (options.facts && options.facter)
        throw Error("bolt/cli-error", "--facts and --facter both name facts: use one of them");
    if (many && !options.output)
        throw Error("bolt/cli-error",
                    "The catalogs of a folder of facts are written to files: add --output DIR");
    if (!many && options.output)
        throw Error("bolt/cli-error", "--output is for the catalogs of many nodes: --facts must be a folder");
    warn_of_module_folders(options, console, process);
    if (many) return compile_many(options, console, process);
    return run_language_mode(options, LanguageRequest::Mode::Catalog, console, process);
}

int run_catalog_compile(std::span<const std::string> words, Console& console,
                        const inventory::ProcessContext& process) {
    return run_catalog_tool(*find_verb("catalog", "compile"), words, console, process, compile_catalog);
}

}  // namespace

const Verb& catalog_compile_verb() {
    static constexpr Verb verb{
        .noun = "catalog",
        .action = "compile",
        .summary = "Compile the catalog of a node, or of many",
        .usage = "catalog compile [-e CODE | MANIFEST | DIRECTORY] [options]",
        .description =
            "Prints the catalog that a manifest makes for a node, as Puppet writes it in JSON. A folder "
            "stands for all *.pp files below it; without code the main manifest of the environment is used. "
            "With a "
            "folder of facts, NODE.json for each node, the catalogs of all nodes are compiled on all cores "
            "and written "
            "to files. Nothing is applied.",
        .guide = {},
        .examples =
            "volley catalog compile site.pp --node web1.example.com --facts web1.json\n"
            "volley catalog compile -e 'include ntp' --modulepath modules --facter\n"
            "volley catalog compile site.pp --facts facts/ --output catalogs/",
        .options = catalog_compile_options,
        .needs_targets = false,
        .run = nullptr,
        .run_alone = run_catalog_compile,
        .own_options = language_options,
    };
    return verb;
}

}  // namespace volley::cli
