#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "apply/catalog/catalog.hpp"
#include "apply/catalog/diff.hpp"
#include "cli/catalogs/catalog_files.hpp"
#include "cli/catalogs/node_catalogs.hpp"
#include "cli/catalogs/revision_tree.hpp"
#include "cli/compile/run.hpp"
#include "cli/terminal/colors.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/files/temporary_folder.hpp"
#include "support/process/parallel.hpp"

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto catalog_diff_options = join_options(
    std::to_array<std::string_view>({"from", "to", "execute", "format"}), language_world_options);

/// What is different for one node. A side that cannot be compiled has an error instead of a catalog.
struct DiffedNode {
    std::string name;
    CatalogDiff diff;
    std::string before_error = {};
    std::string after_error = {};
    std::string remark = {};  // for people

    bool failed() const { return !before_error.empty() || !after_error.empty(); }
    bool differs() const { return failed() || !diff.empty(); }
};

Json empty_catalog() {
    return Json{{"resources", Json::array()}, {"edges", Json::array()}, {"classes", Json::array()}};
}

/// The catalogs of two folders, paired by the names of their files. A node that only one has is compared with
/// an empty catalog.
std::vector<DiffedNode> compare_folders(const fs::path& before, const fs::path& after) {
    std::map<std::string, std::pair<fs::path, fs::path>> nodes;
    for (const auto& file : json_files(before)) nodes[file.stem().string()].first = file;
    for (const auto& file : json_files(after)) nodes[file.stem().string()].second = file;
    if (nodes.empty())
        throw Error("bolt/file-error", "Neither " + before.string() + " nor " + after.string() +
                                           " has a catalog: no file NODE.json");
    std::vector<DiffedNode> result;
    for (const auto& [name, files] : nodes) {
        const Json old_catalog = files.first.empty() ? empty_catalog() : read_catalog(files.first);
        const Json new_catalog = files.second.empty() ? empty_catalog() : read_catalog(files.second);
        result.push_back({name, compare_catalogs(old_catalog, new_catalog)});
    }
    return result;
}

std::vector<DiffedNode> compare_files(const fs::path& before, const fs::path& after) {
    const Json old_catalog = read_catalog(before);  // first: when both are missing, this one is named
    const Json new_catalog = read_catalog(after);
    DiffedNode node{"", compare_catalogs(old_catalog, new_catalog)};
    if (old_catalog.value("name", Json()) != new_catalog.value("name", Json())) {
        node.remark = "These are the catalogs of two nodes: " + old_catalog.value("name", Json()).dump() +
                      " and " + new_catalog.value("name", Json()).dump();
    }
    return {std::move(node)};
}

/// Throws Error that names files as they are called in the revision.
NodeCompiler compiler_of_revision(const RevisionTree& tree, const LanguageOptions& options,
                                  const inventory::ProcessContext& process) {
    try {
        return NodeCompiler(tree.options_for(options), process);
    } catch (const Error& error) {
        throw Error("bolt/file-error", tree.readable(error.what()));
    }
}

/// Compiles every node with the code of both revisions. Logs are not shown: they are the compiler's affair.
std::vector<DiffedNode> compare_revisions(const LanguageOptions& options,
                                          const inventory::ProcessContext& process) {
    if (options.facts == "-")
        throw Error("bolt/cli-error", "Facts are read for both revisions: put them into a file for --facts");
    if (options.files.empty() && options.code.empty())
        throw Error("bolt/cli-error",
                    "Name what to compile from both revisions: a manifest, a folder, or -e CODE");
    const TemporaryFolder place("volley-revision-");
    const RemovedBySignals removed(place.path());
    const fs::path trees = fs::canonical(place.path());
    const fs::path& folder = process.working_directory;
    const RevisionTree before_tree(folder, *options.from, trees / "before");
    std::optional<RevisionTree> after_tree;
    if (options.to) after_tree.emplace(folder, *options.to, trees / "after");
    const NodeCompiler before = compiler_of_revision(before_tree, options, process);
    const NodeCompiler after =
        after_tree ? compiler_of_revision(*after_tree, options, process) : NodeCompiler(options, process);
    const std::vector<NodeSource> nodes = node_sources(options, process);
    std::vector<DiffedNode> result(nodes.size());
    parallel_for(nodes.size(), processor_count(), [&](std::size_t i) {
        const auto ignore = [](const LogEntry&) {};
        const LanguageOutcome old_one = before.compile(nodes[i], ignore);
        const LanguageOutcome new_one = after.compile(nodes[i], ignore);
        result[i].name = nodes[i].name;
        if (old_one.failure) result[i].before_error = before_tree.readable(old_one.failure->full_message());
        if (new_one.failure) {
            const std::string message = new_one.failure->full_message();
            result[i].after_error = after_tree ? after_tree->readable(message) : message;
        }
        if (!result[i].failed())
            result[i].diff =
                compare_catalogs(catalog_to_json(*old_one.catalog), catalog_to_json(*new_one.catalog));
    });
    return result;
}

Json node_to_json(const DiffedNode& node) {
    if (!node.failed()) return diff_to_json(node.diff);
    Json errors = Json::object();
    if (!node.before_error.empty()) errors["before"] = node.before_error;
    if (!node.after_error.empty()) errors["after"] = node.after_error;
    return Json{{"errors", std::move(errors)}};
}

struct DiffStyle {
    bool many = false;  // nodes
    bool json = false;
    bool color = false;
};

int show_differences(const std::vector<DiffedNode>& nodes, const DiffStyle& style, Console& console) {
    const bool same =
        std::none_of(nodes.begin(), nodes.end(), [](const DiffedNode& one) { return one.differs(); });
    const bool failed =
        std::any_of(nodes.begin(), nodes.end(), [](const DiffedNode& one) { return one.failed(); });
    const int status = failed ? 2 : same ? 0 : 1;
    if (style.json) {
        Json object = Json::object();
        for (const DiffedNode& node : nodes) {
            if (node.differs()) object[node.name] = node_to_json(node);
        }
        const Json shown = style.many ? object : node_to_json(nodes.front());
        console.write_line(shown.dump(2, ' ', false, Json::error_handler_t::replace));
        return status;
    }
    for (const DiffedNode& node : nodes) {
        if (!node.remark.empty()) console.write_line("! " + node.remark);
        if (!node.differs()) continue;
        if (style.many) console.write_line(node.name + ":");
        if (!node.before_error.empty()) console.write_line("! before: " + node.before_error);
        if (!node.after_error.empty()) console.write_line("! after: " + node.after_error);
        console.write(diff_to_text(node.diff, style.color));
    }
    if (same) console.write_line("The catalogs are the same.");
    return status;
}

int diff_catalogs(const LanguageOptions& options, Console& console,
                  const inventory::ProcessContext& process) {
    DiffStyle style;
    style.json = options.format == "json";
    style.color = console.is_terminal() && colors_wanted(process);
    if (options.to && !options.from) throw Error("bolt/cli-error", "--to REVISION needs --from REVISION");
    if (options.from) {
        const std::vector<DiffedNode> nodes = compare_revisions(options, process);
        std::error_code ignored;
        style.many = options.facts &&
                     fs::is_directory(expand_path(*options.facts, process.working_directory), ignored);
        return show_differences(nodes, style, console);
    }
    if (options.files.size() != 2) {
        throw Error(
            "bolt/cli-error",
            "Two catalogs are compared: name two files, or two folders of files; or --from REVISION and what "
            "is compiled");
    }
    const fs::path before = options.files[0];
    const fs::path after = options.files[1];
    std::error_code ignored;
    for (const auto& path : {before, after}) {
        if (path != "-" && !fs::exists(path, ignored))
            throw Error("bolt/file-error", "There is no file or folder " + path.string());
    }
    const bool folder_before = fs::is_directory(before, ignored);
    const bool folder_after = fs::is_directory(after, ignored);
    if (folder_before != folder_after) {
        throw Error("bolt/cli-error", (folder_before ? before : after).string() + " is a folder and " +
                                          (folder_before ? after : before).string() +
                                          " is not: compare two files, or two folders");
    }
    style.many = folder_before;
    return show_differences(folder_before ? compare_folders(before, after) : compare_files(before, after),
                            style, console);
}

int run_catalog_diff(std::span<const std::string> words, Console& console,
                     const inventory::ProcessContext& process) {
    return run_catalog_tool(*find_verb("catalog", "diff"), words, console, process, diff_catalogs);
}

}  // namespace

const Verb& catalog_diff_verb() {
    static constexpr Verb verb{
        .noun = "catalog",
        .action = "diff",
        .summary = "Show what is different between catalogs",
        .usage = "catalog diff (BEFORE AFTER | --from REVISION [--to REVISION] MANIFEST) [options]",
        .description =
            "Compares two catalogs in JSON, of this program or of Puppet: resources that came, went and "
            "changed, "
            "containment and classes. Of two folders, files of the same name are compared, one for each "
            "node.\n\n"
            "With --from, the manifest is compiled twice: with the code of that git revision, and with the "
            "code of "
            "--to or as it lies in the folder. A folder of facts, NODE.json for each node, compares them "
            "all. The "
            "working tree stays untouched.\n\n"
            "The exit status is 0 when nothing is different, 1 when something is, and 2 when catalogs cannot "
            "be "
            "compared or compiled.",
        .guide = {},
        .examples =
            "volley catalog diff before.json after.json\nvolley catalog diff catalogs-main/ "
            "catalogs-branch/\n"
            "volley catalog diff --from main manifests/site.pp --modulepath modules --facts facts/",
        .options = catalog_diff_options,
        .needs_targets = false,
        .run = nullptr,
        .run_alone = run_catalog_diff,
        .own_options = language_options,
    };
    return verb;
}

}  // namespace volley::cli
