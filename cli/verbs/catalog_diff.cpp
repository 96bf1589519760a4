#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "apply/catalog/diff.hpp"
#include "cli/language/catalog_files.hpp"
#include "cli/language/run.hpp"
#include "cli/verb.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

constexpr auto catalog_diff_options = std::to_array<std::string_view>({"format"});

/// The catalogs of two folders, paired by the names of their files. A node that only one has is compared with an
/// empty catalog.
struct DiffedNode {
    std::string name;
    CatalogDiff diff;
};

Json empty_catalog() {
    return Json{{"resources", Json::array()}, {"edges", Json::array()}, {"classes", Json::array()}};
}

std::vector<DiffedNode> compare_folders(const std::filesystem::path& before, const std::filesystem::path& after) {
    std::map<std::string, std::pair<std::filesystem::path, std::filesystem::path>> nodes;
    for (const auto& file : catalog_files(before)) nodes[file.stem().string()].first = file;
    for (const auto& file : catalog_files(after)) nodes[file.stem().string()].second = file;
    std::vector<DiffedNode> result;
    for (const auto& [name, files] : nodes) {
        const Json old_catalog = files.first.empty() ? empty_catalog() : read_catalog(files.first);
        const Json new_catalog = files.second.empty() ? empty_catalog() : read_catalog(files.second);
        result.push_back({name, compare_catalogs(old_catalog, new_catalog)});
    }
    return result;
}

std::vector<DiffedNode> compare_files(const std::filesystem::path& before, const std::filesystem::path& after) {
    const Json old_catalog = read_catalog(before);  // first: when both are missing, this one is named
    return {{"", compare_catalogs(old_catalog, read_catalog(after))}};
}

int diff_catalogs(const LanguageOptions& options, Console& console, const inventory::Surroundings&) {
    if (options.files.size() != 2)
        throw Error("bolt/cli-error", "Two catalogs are compared: name two files, or two folders of files");
    const std::filesystem::path before = options.files[0];
    const std::filesystem::path after = options.files[1];
    const bool folders = std::filesystem::is_directory(before) && std::filesystem::is_directory(after);
    const std::vector<DiffedNode> nodes = folders ? compare_folders(before, after) : compare_files(before, after);
    const bool same = std::all_of(nodes.begin(), nodes.end(), [](const DiffedNode& one) { return one.diff.empty(); });
    if (options.format == "json") {
        Json object = Json::object();
        for (const DiffedNode& node : nodes) {
            if (!folders || !node.diff.empty()) object[node.name] = diff_to_json(node.diff);
        }
        console.write_line((folders ? object : object[""]).dump(2, ' ', false, Json::error_handler_t::replace));
        return same ? 0 : 1;
    }
    for (const DiffedNode& node : nodes) {
        if (node.diff.empty()) continue;
        if (folders) console.write_line(node.name + ":");
        console.write(diff_to_text(node.diff));
    }
    if (same) console.write_line("The catalogs are the same.");
    return same ? 0 : 1;
}

int run_catalog_diff(std::span<const std::string> words, Console& console,
                     const inventory::Surroundings& surroundings) {
    return run_catalog_tool(*find_verb("catalog", "diff"), words, console, surroundings, diff_catalogs);
}

}  // namespace

const Verb& catalog_diff_verb() {
    static constexpr Verb verb{
        .noun = "catalog",
        .action = "diff",
        .summary = "Show what is different between catalogs",
        .usage = "catalog diff BEFORE AFTER [options]",
        .description =
            "Compares two catalogs in JSON, of this program or of Puppet: resources that came, went and changed, "
            "containment and classes. Of two folders, files of the same name are compared, one for each node. The "
            "exit status is 0 when nothing is different, 1 when something is, and 2 when they cannot be compared.",
        .guide = {},
        .examples = "volley catalog diff before.json after.json\nvolley catalog diff catalogs-main/ catalogs-branch/",
        .options = catalog_diff_options,
        .needs_targets = false,
        .run = nullptr,
        .run_alone = run_catalog_diff,
        .own_options = language_options,
    };
    return verb;
}

}  // namespace volley::cli
