#include <nlohmann/json.hpp>

#include "apply/catalog/graph.hpp"
#include "cli/catalogs/catalog_files.hpp"
#include "cli/compile/run.hpp"
#include "cli/verb.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

constexpr auto catalog_graph_options = std::to_array<std::string_view>({"html"});

int graph_catalog(const LanguageOptions& options, Console& console, const inventory::ProcessContext&) {
    if (options.files.size() != 1)
        throw Error("bolt/cli-error", "One catalog is drawn: name its file, or - for standard input");
    const Json catalog = read_catalog(options.files[0]);
    console.write(options.html ? catalog_to_html(catalog) : catalog_to_dot(catalog));
    return 0;
}

int run_catalog_graph(std::span<const std::string> words, Console& console,
                      const inventory::ProcessContext& process) {
    return run_catalog_tool(*find_verb("catalog", "graph"), words, console, process, graph_catalog);
}

}  // namespace

const Verb& catalog_graph_verb() {
    static constexpr Verb verb{
        .noun = "catalog",
        .action = "graph",
        .summary = "Draw what a catalog contains and in which order",
        .usage = "catalog graph FILE [options]",
        .description =
            "Writes a catalog in JSON as a graph in the language of Graphviz: dotted lines for what contains "
            "what, "
            "arrows for what comes first, bold ones for notifications. With --html it is a page to browse "
            "and to "
            "search, which needs nothing but a browser.",
        .guide = {},
        .examples =
            "volley catalog graph catalogs/web1.json | dot -Tsvg > web1.svg\n"
            "volley catalog compile site.pp --format json --log-format json | volley catalog graph --html - "
            "> web1.html",
        .options = catalog_graph_options,
        .needs_targets = false,
        .run = nullptr,
        .run_alone = run_catalog_graph,
        .own_options = language_options,
    };
    return verb;
}

}  // namespace volley::cli
