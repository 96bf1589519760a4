#include "cli/language/run.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto catalog_compile_options =
    join_options(language_code_options, language_world_options,
                 std::to_array<std::string_view>({"manifest", "all-resources", "file-name", "format"}));

int compile_catalog(const LanguageOptions& options, Console& console,
                    const inventory::Surroundings& surroundings) {
    return run_language_mode(options, LanguageRequest::Mode::Catalog, console, surroundings);
}

int run_catalog_compile(std::span<const std::string> words, Console& console,
                        const inventory::Surroundings& surroundings) {
    return run_language_verb(*find_verb("catalog", "compile"), words, console, surroundings, compile_catalog);
}

}  // namespace

const Verb& catalog_compile_verb() {
    static constexpr Verb verb{
        .noun = "catalog",
        .action = "compile",
        .summary = "Compile the catalog of a node",
        .usage = "catalog compile [-e CODE | MANIFEST | DIRECTORY] [options]",
        .description =
            "Prints the catalog that a manifest gives for a node, as Puppet writes it in JSON. A folder "
            "stands for all *.pp files below it. Nothing is applied.",
        .guide = {},
        .examples =
            "volley catalog compile site.pp --node web1.example.com --facts web1.json\n"
            "volley catalog compile -e 'include ntp' --modulepath modules",
        .options = catalog_compile_options,
        .needs_targets = false,
        .run = nullptr,
        .run_alone = run_catalog_compile,
        .own_options = language_options,
    };
    return verb;
}

}  // namespace volley::cli
