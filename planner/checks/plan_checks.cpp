#include "planner/checks/plan_checks.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "language/syntax/open_brackets.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"
#include "planner/checks/apply_checks.hpp"
#include "planner/checks/call_checks.hpp"
#include "planner/checks/plan_text_checks.hpp"
#include "planner/checks/variable_checks.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace volley::planner {
namespace {

void add(std::vector<PlanFinding>& all, std::vector<PlanFinding> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

/// Names in a type that neither the language nor a module defines.
void collect_unknown_types(const Type& type, std::vector<std::string>& names, int depth = 0) {
    if (depth > 20) return;
    if (type.kind() == TypeKind::Reference) {
        names.push_back(to_string(type));
        return;
    }
    if (type.kind() == TypeKind::Alias) return;
    type.for_each_contained([&](const Type& inner) { collect_unknown_types(inner, names, depth + 1); });
}

void check_type(const TypePtr& type, const std::string& parameter, const Location& at,
                std::vector<PlanFinding>& findings) {
    if (!type) return;
    std::vector<std::string> names;
    collect_unknown_types(*type, names);
    static const std::vector<std::string> usual{
        "Any",      "Array",    "Boolean", "Data",      "Enum",   "Float",    "Hash",   "Integer",
        "Numeric",  "Optional", "Pattern", "Sensitive", "String", "Struct",   "Target", "TargetSpec",
        "Timespan", "Tuple",    "Variant", "Error",     "Result", "ResultSet"};
    for (const std::string& name : names) {
        const std::string shown =
            name.starts_with("TypeReference['") ? name.substr(15, name.size() - 17) : name;
        findings.push_back(
            {"The parameter $" + parameter + " has the unknown type " + shown + meant_name(shown, usual),
             at});
    }
}

std::vector<PlanFinding> check_parameter_types(const PlanDefinition& plan, Environment& environment) {
    std::vector<PlanFinding> findings;
    if (plan.yaml) {
        for (const YamlPlan::Parameter& one : plan.yaml->parameters())
            check_type(one.type, one.name, one.type_at, findings);
        return findings;
    }
    for (const ast::Parameter* one : plan.definition->parameters) {
        if (!one->type) continue;
        try {
            check_type(interpret_type(*one->type, environment.types), std::string(one->name),
                       one->type->location(), findings);
        } catch (const LanguageError& error) {
            findings.push_back({error.what(), one->type->location()});
        }
    }
    return findings;
}

std::vector<PlanFinding> check_named_targets(const PlanDefinition& plan, const CheckSources& sources) {
    const auto written = written_targets(plan, sources.environment);
    const inventory::Inventory* inventory =
        written.empty() || !sources.inventory ? nullptr : sources.inventory();
    return inventory ? check_targets(written, *inventory) : std::vector<PlanFinding>();
}

/// Sorted, and each of them once: several checks may find the same.
void in_order_of_text(std::vector<PlanFinding>& findings) {
    std::stable_sort(findings.begin(), findings.end(),
                     [](const PlanFinding& a, const PlanFinding& b) { return a.at.line < b.at.line; });
    std::set<std::tuple<int, int, std::string>> seen;
    std::erase_if(findings, [&seen](const PlanFinding& one) {
        return !seen.insert({one.at.line, one.at.column, one.message}).second;
    });
}

/// The message without the place at its beginning or inside, which findings have apart.
std::string without_place(std::string message, const std::string& file, int line, int column) {
    for (const std::string& place :
         {file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": ", file + ": "}) {
        const std::size_t at = message.find(place);
        if (!file.empty() && at != std::string::npos) return message.substr(at + place.size());
    }
    return message;
}

}  // namespace

std::vector<PlanFinding> find_mistakes(const CheckSources& sources, const std::string& name) {
    const auto plan = sources.plans.find(name);
    std::vector<PlanFinding> findings = check_parameter_types(*plan, sources.environment);
    const bool types_readable = findings.empty();
    for (const PlanCode& code : code_of_plan(*plan)) {
        add(findings, check_function_calls(code, sources));
        add(findings, check_variables(code, sources));
        add(findings, check_apply_blocks(code, sources));
    }
    try {
        add(findings, check_plan(sources.plans, sources.library, sources.environment, name));
        add(findings, check_named_targets(*plan, sources));
    } catch (const LanguageError&) {
        if (types_readable) throw;  // a type of a parameter is wrong, which is known by now
    }
    add(findings, check_step_files(*plan, sources));
    add(findings, check_step_resources(*plan, sources));
    add(findings, check_match_variables(*plan));
    in_order_of_text(findings);
    return findings;
}

std::vector<PlanFinding> findings_of_error(const Error& error, const std::string& file) {
    const Json& details = error.info().details();
    const auto number = [](const Json& of, const char* key) {
        return of.is_object() && of.contains(key) && of[key].is_number() ? of[key].get<int>() : 0;
    };
    const bool named = details.is_object() && details.contains("file") && details["file"].is_string();
    const std::string where = named ? details["file"].get<std::string>() : file;
    std::vector<PlanFinding> findings;
    if (details.is_object() && details.contains("errors")) {
        for (const Json& one : details["errors"])
            findings.push_back({one.value("msg", ""), {where, number(one, "line"), number(one, "column")}});
        return findings;
    }
    const int line = number(details, "line");
    const int column = number(details, "column");
    return {{without_place(error.info().msg(), where, line, column), {where, line, column}}};
}

std::vector<PlanFinding> findings_of_error(const LanguageError& error, const std::string& file) {
    Location at = error.location();
    if (at.file.empty()) at.file = file;
    std::string message = error.what();
    if (error.issue() == "SYNTAX_ERROR") {
        const std::string hint = open_bracket_hint(read_file(at.file, "plan"), at, {.tasks = true});
        if (!hint.empty()) message += "; " + hint;
    }
    return {{std::move(message), std::move(at)}};
}

}  // namespace volley::planner
