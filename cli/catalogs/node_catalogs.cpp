#include "cli/catalogs/node_catalogs.hpp"

#include "apply/compiler/definition_cache.hpp"
#include "cli/catalogs/catalog_files.hpp"
#include "cli/compile/inputs.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace volley::cli {
namespace {

LanguageOptions without_facts(LanguageOptions options) {
    options.facts.reset();
    return options;
}

}  // namespace

std::vector<NodeSource> node_sources(const LanguageOptions& options,
                                     const inventory::ProcessContext& process) {
    const std::string node = options.node.value_or("");
    if (!options.facts) return {{node, ""}};
    if (*options.facts == "-") return {{node, "-"}};
    const std::filesystem::path facts = expand_path(*options.facts, process.working_directory);
    std::error_code ignored;
    if (!std::filesystem::is_directory(facts, ignored)) return {{node, facts.string()}};
    if (options.node)
        throw Error("bolt/cli-error",
                    "--node names one node, and the files of a folder of facts name theirs: leave it out");
    std::vector<NodeSource> nodes;
    for (const auto& file : json_files(facts)) nodes.push_back({file.stem().string(), file.string()});
    if (nodes.empty())
        throw Error("bolt/file-error", "The folder " + facts.string() + " has no facts: no file NODE.json");
    return nodes;
}

NodeCompiler::NodeCompiler(const LanguageOptions& options, const inventory::ProcessContext& process)
    : request_(make_language_request(without_facts(options), LanguageRequest::Mode::Catalog, process)),
      folder_(process.working_directory) {
    request_.puppet_catalog = true;
    request_.definition_cache = std::make_shared<DefinitionCache>();
}

LanguageOutcome NodeCompiler::compile(const NodeSource& node,
                                      const std::function<void(const LogEntry&)>& sink) const {
    LanguageOutcome failed;
    try {
        LanguageRequest request = request_;
        if (!node.facts.empty()) request.facts = read_facts(node.facts, folder_);
        request.node = node.name.empty() ? default_node(request.facts) : node.name;
        return run_language_request(request, sink);
    } catch (const Error& error) {
        failed.failure = LanguageFailure{error.what(), {}, {}};
    } catch (const LanguageError& error) {
        failed.failure = LanguageFailure{error.what(), error.issue(), error.location()};
    }
    return failed;
}

}  // namespace volley::cli
