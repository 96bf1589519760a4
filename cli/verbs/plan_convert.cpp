#include <nlohmann/json.hpp>
#include <system_error>

#include "cli/terminal/plan_reader.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "language/syntax/parser.hpp"
#include "planner/yaml_plan/yaml_convert.hpp"
#include "support/files.hpp"

namespace volley::cli {
namespace {

constexpr auto plan_convert_options = context_options;

/// The name that a file's path stands for: what follows .../NAME/plans/. Throws Error bolt/modulepath-error
/// (ERR-037).
std::string plan_name_of(const std::filesystem::path& file) {
    std::vector<std::string> parts;
    for (const auto& part : file) parts.push_back(part.string());
    for (std::size_t i = parts.size(); i-- > 1;) {
        if (parts[i] != "plans") continue;
        std::string name = parts[i - 1];
        for (std::size_t k = i + 1; k + 1 < parts.size(); ++k) name += "::" + parts[k];
        const std::string stem = file.stem().string();
        return stem == "init" && i + 2 == parts.size() ? name : name + "::" + stem;
    }
    throw Error("bolt/modulepath-error", "Could not determine the name of the plan in '" + file.string() +
                                             "': it is not below a folder 'plans' of a module");
}

int run_plan_convert(Session& session, const CommandLine& line) {
    PlanReader reader(session);
    std::filesystem::path file = session.process().working_directory / *line.object;
    std::error_code ignored;
    const bool is_path = std::filesystem::exists(file, ignored);
    if (!is_path) file = reader.plans.find_file(*line.object).value_or(file);
    if (file.extension() != ".yaml") {
        throw Error("bolt/convert-error", "You can only convert plans written in yaml",
                    Json{{"plan_path", file.string()}});
    }
    const auto plan =
        planner::YamlPlan::parse(is_path ? plan_name_of(file) : *line.object,
                                 read_file(file, "yaml plan file"), file.string(), reader.environment);
    const std::string code = planner::convert_yaml_plan(*plan);
    session.console().write_line(code);
    session.console().flush();
    try {
        parse_program(code, {.file = {}, .tasks = true});
    } catch (const LanguageError& error) {
        throw Error("bolt/convert-error",
                    "The converted puppet plan contains invalid puppet code: " + error.full_message(),
                    Json{{"plan_path", file.string()}});
    }
    return 0;
}

}  // namespace

const Verb& plan_convert_verb() {
    static constexpr Verb verb{
        .noun = "plan",
        .action = "convert",
        .summary = "Convert a YAML plan to the Puppet language",
        .usage = "plan convert <plan or path> [options]",
        .description =
            "Prints a plan of the Puppet language that does what the YAML plan does. Read it before you use "
            "it.",
        .guide = "plans",
        .examples = "volley plan convert myproject::deploy\nvolley plan convert plans/deploy.yaml",
        .options = plan_convert_options,
        .needs_targets = false,
        .run = run_plan_convert,
    };
    return verb;
}

}  // namespace volley::cli
