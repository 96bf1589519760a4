#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "cli/run/run_action.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/apply/agentless/agent_queries.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr auto resource_verb_options =
    join_options(action_options, std::to_array<std::string_view>({"noop", "show-diff", "to-yaml", "tmpdir"}));

[[noreturn]] void misuse_resource(const std::string& message) { throw Error("bolt/cli-error", message); }

/// Where the name of an attribute ends in "name=value"; npos for a word that is none.
std::size_t end_of_attribute(std::string_view word) {
    const std::size_t equals = word.find('=');
    const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (equals == 0 || equals == std::string_view::npos) return std::string_view::npos;
    return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), in_name)
               ? equals
               : std::string_view::npos;
}

/// An attribute that is given more than once is a list.
void add_attribute(planner::ResourceStatement& statement, std::string name, std::string value) {
    for (auto& [known, values] : statement.attributes) {
        if (known != name) continue;
        if (!values.is_array()) values = Json::array({values});
        values.push_back(std::move(value));
        return;
    }
    statement.attributes.emplace_back(std::move(name), std::move(value));
}

void check_type(const planner::ApplyTools& tools, const std::string& type) {
    const std::vector<std::string> known = planner::agent_type_names();
    if (std::find(known.begin(), known.end(), lower(type)) != known.end() || tools.has_type(lower(type)))
        return;
    const std::string meant = did_you_mean(type, known);
    misuse_resource("Could not find type " + type + "." +
                    (meant.empty() ? " Volley's agent has: " + join(known, ", ") : meant));
}

/// TYPE [NAME] [attribute=value ...]
planner::ResourceStatement resource_statement(const CommandLine& line) {
    planner::ResourceStatement statement;
    statement.type = *line.object;
    if (line.leftovers.empty()) return statement;
    statement.title = line.leftovers.front();
    if (statement.title.empty()) misuse_resource("The name of the resource is empty");
    if (end_of_attribute(statement.title) != std::string::npos)
        misuse_resource("The name of the resource comes before its attributes: resource " + statement.type +
                        " NAME " + statement.title);
    for (std::size_t i = 1; i < line.leftovers.size(); ++i) {
        const std::string& word = line.leftovers[i];
        const std::size_t end = end_of_attribute(word);
        if (end == std::string::npos)
            misuse_resource("Invalid parameter setting " + word + ": attribute=value is needed");
        add_attribute(statement, word.substr(0, end), word.substr(end + 1));
    }
    return statement;
}

int run_resource(Session& session, const CommandLine& line) {
    const planner::ResourceStatement statement = resource_statement(line);
    return run_action(session, line, [&](transports::Runtime& runtime) {
        auto tools = std::make_shared<planner::ApplyTools>(session.config(), session.library(), runtime);
        check_type(*tools, statement.type);
        return planner::Action{planner::ProcedureAction{std::make_shared<planner::ResourceProcedure>(
            std::move(tools), statement, line.options.action.noop)}};
    });
}

}  // namespace

const Verb& resource_verb() {
    static constexpr Verb verb{
        .noun = "resource",
        .action = {},
        .summary = "Show and change single resources of targets",
        .usage =
            "resource <type> [name] [attribute=value ...] {--targets TARGETS | --query QUERY | --rerun "
            "FILTER} [options]",
        .description =
            "Shows a resource of each target as Puppet code, or all resources of a type: users, packages, "
            "services and so on, as 'puppet resource' does. With attributes it is changed to that first, as "
            "by 'volley apply'; an attribute that is given more than once is a list. Volley's own agent "
            "does it, so that nothing has to be installed on the targets; where it cannot run (Windows) or "
            "does not have the type, the target's puppet-agent does. Hashes of passwords are not shown.",
        .guide = "apply",
        .examples =
            "volley resource user root -t web\n"
            "volley resource package -t web1 --to-yaml\n"
            "volley resource service nginx ensure=stopped enable=false -t web --noop",
        .options = resource_verb_options,
        .needs_targets = true,
        .run = run_resource,
    };
    return verb;
}

}  // namespace volley::cli
