#include "planner/plan/plan_library.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "language/compile.hpp"
#include "language/loaders/definition_rules.hpp"
#include "language/syntax/ast_walk.hpp"
#include "planner/plan/plan_docs.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "support/wildcard.hpp"
#include "tasks/metadata.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;

/// "a::b::c" in module a is plans/b/c; "a" is plans/init. nullopt for what is not the name of a plan.
std::optional<fs::path> plan_stem(std::string_view name) {
    const std::vector<std::string> segments = split(name, "::");
    if (!std::ranges::all_of(segments, tasks::is_plain_name)) return std::nullopt;
    fs::path stem = "plans";
    for (std::size_t i = 1; i < segments.size(); ++i) stem /= segments[i];
    return segments.size() == 1 ? stem / "init" : stem;
}

std::string plan_module(std::string_view name) { return std::string(name.substr(0, name.find("::"))); }

/// Whether the text of a type is Sensitive or Sensitive[...] (PMD-004).
bool is_sensitive_type(std::string_view text) {
    return text == "Sensitive" || (text.starts_with("Sensitive[") && text.ends_with(']'));
}

/// Names of the plans below a folder "plans". `above`: the folders that it is in, as links may lead back.
void collect_plans(const fs::path& folder, const std::string& prefix, std::set<std::string>& names,
                   std::vector<fs::path> above = {}) {
    std::error_code error;
    above.push_back(fs::canonical(folder, error));
    if (error || std::find(above.begin(), above.end() - 1, above.back()) != above.end() - 1) return;
    for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        const fs::path& path = entry->path();
        const std::string stem = path.stem().string();
        if (!tasks::is_plain_name(stem)) continue;
        std::error_code ignored;
        if (fs::is_directory(path, ignored)) {
            collect_plans(path, prefix + "::" + stem, names, above);
        } else if (path.extension() == ".pp" || path.extension() == ".yaml") {
            const bool init = stem == "init" && prefix.find("::") == std::string::npos;
            names.insert(init ? prefix : prefix + "::" + stem);
        }
    }
}

bool plan_listed(const std::optional<std::vector<std::string>>& patterns, const std::string& name) {
    if (!patterns) return true;
    return std::any_of(patterns->begin(), patterns->end(),
                       [&](const std::string& pattern) { return wildcard_match_any(pattern, name, {}); });
}

/// Whether the tags of its comment make a plan private: @api private, or the deprecated @private (PMD-001).
bool is_private_plan(const PlanDocs& docs, const std::string& name) {
    bool by_tag = false;
    if (docs.private_tag) {
        const std::string word = lower(*docs.private_tag);
        by_tag = word == "true";
        log_warning("plan_private_tag", "planner.plans",
                    "Tag '@private " + *docs.private_tag + "' in plan '" + name +
                        "' is deprecated, use '@api " + (by_tag ? "private" : "public") + "' instead");
        if (word != "true" && word != "false") {
            throw Error("bolt/invalid-plan", "Value for '@private' tag in plan '" + name +
                                                 "' must be a boolean, received: " + *docs.private_tag);
        }
    }
    return by_tag || docs.api == "private";
}

PlanParameter described_parameter(const ast::Parameter& parameter) {
    PlanParameter made;
    made.name = parameter.name;
    if (parameter.type) made.type = source_of(*parameter.type);
    made.sensitive = is_sensitive_type(made.type);
    if (parameter.value) made.default_value = std::make_shared<const Json>(source_of(*parameter.value));
    return made;
}

/// Documented parameters first, in the order of the comments; then the others.
std::vector<PlanParameter> described_parameters(const ast::Definition& plan, const PlanDocs& docs) {
    std::vector<PlanParameter> all;
    for (const ast::Parameter* parameter : plan.parameters) all.push_back(described_parameter(*parameter));
    std::vector<PlanParameter> ordered;
    for (const auto& [name, text] : docs.parameters) {
        const auto found = std::find_if(all.begin(), all.end(),
                                        [&wanted = name](const auto& one) { return one.name == wanted; });
        if (found == all.end()) {
            log_warning("missing_plan_parameter", "planner.plans",
                        "The documented parameter '" + name + "' does not exist in signature for plan '" +
                            std::string(plan.name) + "'");
            continue;
        }
        if (!text.empty()) found->description = text;
        ordered.push_back(std::move(*found));
        all.erase(found);
    }
    ordered.insert(ordered.end(), std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
    return ordered;
}

}  // namespace

std::string source_of(const ast::Node& node) { return std::string(ast::source_text(node)); }

std::optional<fs::path> PlanLibrary::find_file(std::string_view name) const {
    const auto stem = plan_stem(name);
    const tasks::Module* module = stem ? modules_.find_module(plan_module(name)) : nullptr;
    if (module == nullptr) return std::nullopt;
    std::optional<fs::path> found;
    for (const char* extension : {".pp", ".yaml"}) {
        fs::path file = module->path / *stem;
        file += extension;
        std::error_code ignored;
        // A link that leads nowhere is there, and reading it says what is wrong.
        if (!fs::is_regular_file(file, ignored) && !fs::is_symlink(fs::symlink_status(file, ignored)))
            continue;
        if (found) {
            throw Error("bolt/pal-error", "Found multiple files for plan '" + std::string(name) +
                                              "' but only one is allowed: " + found->string() + " and " +
                                              file.string());
        }
        found = std::move(file);
    }
    return found;
}

std::shared_ptr<const PlanDefinition> PlanLibrary::find(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    if (const auto known = plans_.find(name); known != plans_.end()) return known->second;
    const std::string text(name);
    return plans_.emplace(text, load(text)).first->second;
}

std::shared_ptr<const PlanDefinition> PlanLibrary::load(const std::string& name) {
    const auto file = find_file(name);
    if (!file) {
        std::string hint;
        try {
            hint = did_you_mean(name, names());
        } catch (const Error&) {  // a module that must not be read has nothing to suggest
        }
        throw Error("bolt/unknown-plan", "Could not find a plan named '" + name + "'." + hint +
                                             " For a list of available plans, run 'volley plan show'.");
    }
    const tasks::Module& module = *modules_.find_module(plan_module(name));
    auto plan = std::make_shared<PlanDefinition>();
    plan->name = name;
    plan->file = *file;
    plan->module_directory = module.path;
    plan->built_in = module.built_in;
    std::string text = read_file(*file, "plan");
    if (file->extension() == ".yaml") {
        plan->yaml = YamlPlan::parse(name, std::move(text), file->string(), environment_);
        return plan;
    }
    plan->program = compile_program(std::move(text), environment_, file->string());
    plan->definition = &ast::as<ast::Definition>(only_definition(*plan->program, Loadable::Plan, name));
    environment_.add_program(plan->program);
    return plan;
}

PlanInfo PlanLibrary::describe(std::string_view name) {
    const auto plan = find(name);
    PlanInfo info;
    info.name = plan->name;
    info.file = plan->file;
    info.module_directory = plan->module_directory;
    info.built_in = plan->built_in;
    if (plan->yaml) {
        info.description = plan->yaml->description();
        info.docstring = info.description;
        info.is_private = plan->yaml->is_private();
        info.parameters = plan->yaml->described_parameters();
        return info;
    }
    const ast::Definition& definition = *plan->definition;
    const PlanDocs docs = read_plan_docs(definition.source->text(), definition.span.begin);
    info.parameters = described_parameters(definition, docs);
    info.is_private = is_private_plan(docs, plan->name);
    info.summary = docs.summary;
    if (!docs.text.empty()) info.docstring = docs.text;
    info.description = info.summary ? info.summary : info.docstring;
    return info;
}

std::vector<std::string> PlanLibrary::names() const {
    std::set<std::string> names;
    for (const std::string& name : modules_.module_names()) {
        const tasks::Module* module = modules_.find_module(name);
        if (module != nullptr) collect_plans(module->path / "plans", name, names);
    }
    return {names.begin(), names.end()};
}

std::vector<PlanSummary> PlanLibrary::list(std::string_view filter) {
    std::vector<PlanSummary> summaries;
    for (const std::string& name : names()) {
        if (name.find(filter) == std::string::npos || !plan_listed(config_.plan_filter, name)) continue;
        try {
            const PlanInfo info = describe(name);
            if (!info.is_private) summaries.push_back(PlanSummary{name, info.description});
        } catch (const LanguageError& error) {
            log_warning("plan_load_error", "planner.plans", error.full_message());
        } catch (const Error& error) {
            log_warning("plan_load_error", "planner.plans", error.info().msg());
        }
    }
    return summaries;
}

}  // namespace volley::planner
