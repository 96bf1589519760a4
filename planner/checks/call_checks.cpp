#include "planner/checks/call_checks.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "apply/compiler/compiler.hpp"
#include "language/functions/stdlib/registry.hpp"
#include "language/syntax/ast_walk.hpp"
#include "language/types/builtin_objects.hpp"
#include "language/types/object_type.hpp"
#include "planner/apply/apply_steps.hpp"
#include "planner/apply/manifest_functions.hpp"
#include "planner/checks/static_types.hpp"
#include "planner/functions/registry.hpp"
#include "planner/types/plan_types.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;
using ast::NodeKind;

std::string bare(std::string_view name) { return std::string(name.substr(name.starts_with('_') ? 1 : 0)); }

/// Where the hash of options begins among the arguments, by the function's signatures.
std::size_t first_place_of_options(const Builtin& function) {
    std::size_t first = function.dispatches.empty() ? 0 : function.dispatches.front().params.size();
    for (const Dispatch& dispatch : function.dispatches) {
        for (std::size_t i = 0; i < dispatch.params.size(); ++i) {
            const bool options = dispatch.params[i].name == "options" || dispatch.params[i].name == "args";
            if (options) first = std::min(first, i);
        }
    }
    return first;
}

/// What is wrong with an option that a function does not have as it is written; nothing for parameters.
std::optional<PlanFinding> judge_option(const std::string& function, const std::string& key,
                                        const FunctionOptions& options, Location at) {
    const std::vector<std::string> names(options.names.begin(), options.names.end());
    if (std::ranges::find(names, key) != names.end()) return std::nullopt;
    const auto same =
        std::ranges::find_if(names, [&key](const std::string& one) { return bare(one) == bare(key); });
    const bool known = same != names.end();
    if (known && options.any_name) {
        if (key.starts_with('_')) return std::nullopt;
        return PlanFinding{"The option '" + key + "' is written '" + *same + "'; only " + function +
                               " and a few others take it without the underscore",
                           std::move(at), false};
    }
    if (options.parameters && !key.starts_with('_')) {
        if (!known) return std::nullopt;
        return PlanFinding{
            function + " passes '" + key + "' on as a parameter; the option is '" + *same + "'",
            std::move(at), false};
    }
    return PlanFinding{"The function " + function + " has no option '" + key + "'" +
                           (known ? "; did you mean '" + *same + "'?" : meant_name(key, names)),
                       std::move(at)};
}

/// The methods and attributes of the objects that plans meet.
bool is_object_member(std::string_view name) {
    const auto has = [name](const TypePtr& type) {
        const types::ObjectType* object = type ? types::object_type_of(*type) : nullptr;
        return object && (object->find_attribute(name) || object->find_function(name));
    };
    for (const std::string_view type : plan_types().names()) {
        if (has(plan_types().find(type))) return true;
    }
    static const NativeTypes& of_language = NativeTypes::make({&error_type()});
    return has(of_language.find("Error"));
}

class CallWalk {
public:
    CallWalk(const PlanCode& code, const CheckSources& sources) : code_(code), sources_(sources) {
        visit(*code.root, false);
    }
    std::vector<PlanFinding> findings;

private:
    void complain(const ast::Node& node, std::string message, bool error = true) {
        findings.push_back({std::move(message), code_.at(node), error});
    }

    void visit(const ast::Node& node, bool catalog) {
        if (node.kind == NodeKind::Call) call(ast::as<ast::Call>(node), catalog);
        if (node.kind == NodeKind::CallMethod) method(ast::as<ast::Call>(node), catalog);
        if (node.kind == NodeKind::Apply) {
            const auto& apply = ast::as<ast::Apply>(node);
            for (const ast::Node* argument : apply.arguments) visit(*argument, catalog);
            if (apply.arguments.size() > 1)
                options_of("apply", *apply.arguments.back(), apply_option_names());
            if (apply.body) visit(*apply.body, true);
            return;
        }
        ast::for_each_child(node, [this, catalog](const ast::Node& child) { visit(child, catalog); });
    }

    void call(const ast::Call& node, bool catalog) {
        const auto written = literal_text(*node.functor);
        if (!written) return;
        const std::string name = without_colons(*written);
        const Builtin* builtin = known_function(name, catalog, *node.functor);
        if (!builtin) return;
        if (builtin->options && !node.arguments.empty() &&
            node.arguments.size() > first_place_of_options(*builtin))
            options_of(name, *node.arguments.back(), *builtin->options);
        // Of several files one must be there.
        if (builtin->file && builtin->file->index < node.arguments.size() &&
            (name != "file" || node.arguments.size() == 1))
            file_of(*node.arguments[builtin->file->index], *builtin->file);
        group_of(node, *builtin);
    }

    /// Groups are not made by naming them.
    void group_of(const ast::Call& node, const Builtin& function) {
        for (const Dispatch& dispatch : function.dispatches) {
            for (std::size_t i = 0; i < dispatch.params.size() && i < node.arguments.size(); ++i) {
                const auto name = literal_text(*node.arguments[i]);
                const bool group =
                    dispatch.params[i].name == "group" && dispatch.params[i].type == "String[1]";
                const inventory::Inventory* inventory =
                    group && name && sources_.inventory ? sources_.inventory() : nullptr;
                if (!inventory) continue;
                const std::vector<std::string> known = inventory->group_names();
                if (std::ranges::find(known, *name) == known.end())
                    complain(*node.arguments[i], "There is no group '" + *name + "' in " +
                                                     fs::path(inventory->source()).filename().string() +
                                                     meant_name(*name, known));
            }
        }
    }

    /// value.name may be a member of the value as well.
    void method(const ast::Call& node, bool catalog) {
        if (node.functor->kind != NodeKind::NamedAccess) return;
        const ast::Node& right = *ast::as<ast::Binary>(*node.functor).right;
        const auto name = literal_text(right);
        if (!name || is_object_member(*name) || is_module_member(*name)) return;
        known_function(without_colons(*name), catalog, right);
    }

    static std::string without_colons(const std::string& name) {
        return name.starts_with("::") ? name.substr(2) : name;
    }

    /// The builtin of that name; null for functions of modules, and after a complaint for those that nobody
    /// has.
    const Builtin* known_function(const std::string& name, bool catalog, const ast::Node& at) {
        if (catalog) {
            for (const Builtin* one : compiler_builtins()) {
                if (one->name == name) return one;
            }
        }
        Callee callee;
        try {
            callee = sources_.environment.find_callee(name);
        } catch (const LanguageError&) {
            return nullptr;  // a module's function is broken; that is not this plan's mistake
        } catch (const Error&) {
            return nullptr;
        }
        if (callee) {
            if (catalog && callee.builtin && of_plans_only(*callee.builtin))
                complain(at, "The function " + name + " is for plans; in an apply block it cannot be called");
            return callee.builtin;
        }
        complain(at, "Unknown function '" + name + "'" + meant_name(name, function_names()));
        return nullptr;
    }

    static bool of_plans_only(const Builtin& builtin) {
        const auto& all = plan_functions();
        return std::ranges::find(all, &builtin) != all.end() && !is_manifest_function(builtin.name);
    }

    static const std::vector<std::string>& function_names() {
        static const std::vector<std::string> names = [] {
            std::vector<std::string> all;
            for (const auto* list : {&plan_functions(), &all_builtins(), &stdlib_builtins()}) {
                for (const Builtin* one : *list) all.emplace_back(one->name);
            }
            return all;
        }();
        return names;
    }

    /// Types that modules define may have any members.
    bool is_module_member(const std::string& name) {
        if (!type_files_) {
            type_files_.emplace();
            for (const LanguageHost::Module& module : sources_.environment.host.modules()) add_types(module);
        }
        return type_files_->find(name) != std::string::npos;
    }

    void add_types(const LanguageHost::Module& module) {
        std::error_code error;
        const fs::path folder = fs::path(module.path) / "types";
        for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error)) {
            if (at->path().extension() != ".pp") continue;
            const std::string text = read_file(at->path(), "type");
            if (text.find("Object[") != std::string::npos) *type_files_ += text;
        }
    }

    void options_of(const std::string& function, const ast::Node& last, const FunctionOptions& options) {
        if (last.kind != NodeKind::Hash) return;
        for (const ast::Entry* entry : ast::as<ast::Hash>(last).entries) {
            const auto key = literal_text(*entry->key);
            if (!key) continue;
            if (auto finding = judge_option(function, *key, options, code_.at(*entry->key)))
                findings.push_back(std::move(*finding));
        }
    }

    void file_of(const ast::Node& argument, const FileArgument& file) {
        const auto name = literal_text(argument);
        if (!name) return;
        if (auto message = missing_file(*name, file, sources_)) complain(argument, std::move(*message));
    }

public:
    /// Why a file cannot be used.
    static std::optional<std::string> missing_file(const std::string& name, const FileArgument& file,
                                                   const CheckSources& sources) {
        const bool of_plans = file.folder == "files";
        const fs::path path(name);
        std::error_code ignored;
        std::optional<fs::path> found;
        if (path.is_absolute()) {
            if (fs::exists(path, ignored)) found = path;
        } else if (of_plans) {
            found = sources.library.find_file(name);
        } else if (const auto known = sources.environment.host.module_file_path(file.folder, name)) {
            found = *known;
        }
        if (found && (file.may_be_folder || fs::is_regular_file(*found, ignored))) return std::nullopt;
        if (found) return name + " is not a file";
        if (path.is_absolute()) return "The file " + name + " does not exist";
        return explain_missing(name, file, sources);
    }

private:
    /// Where it was looked for, and what is there in its place.
    static std::string explain_missing(const std::string& name, const FileArgument& file,
                                       const CheckSources& sources) {
        const std::size_t slash = name.find('/');
        if (slash == std::string::npos)
            return "'" + name + "' names no file: write MODULE/FILE, a file in the folder " +
                   std::string(file.folder) + " of a module or of the project";
        const tasks::Module* module = sources.library.find_module(name.substr(0, slash));
        if (!module)
            return "The file " + name + " does not exist: there is no module '" + name.substr(0, slash) +
                   "'" + meant_name(name.substr(0, slash), sources.library.module_names());
        const fs::path folder = module->path / file.folder;
        std::vector<std::string> there;
        std::error_code error;
        for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error))
            there.push_back(module->name + "/" + at->path().lexically_relative(folder).string());
        return "The file " + name + " does not exist in " + folder.string() + meant_name(name, there);
    }

    const PlanCode& code_;
    const CheckSources& sources_;
    std::optional<std::string> type_files_;
};

}  // namespace

std::vector<PlanFinding> check_function_calls(const PlanCode& code, const CheckSources& sources) {
    return std::move(CallWalk(code, sources).findings);
}

std::vector<PlanFinding> check_step_files(const PlanDefinition& plan, const CheckSources& sources) {
    std::vector<PlanFinding> findings;
    if (!plan.yaml) return findings;
    for (const YamlStep& step : plan.yaml->steps()) {
        const bool uploads = step.action == "upload";
        if (!uploads && step.action != "script") continue;
        const YamlValue& value = *step.body.find(step.action);
        const Json name = value.is_code() ? Json() : value.plain();
        if (!name.is_string()) continue;
        if (auto message = CallWalk::missing_file(name.get<std::string>(), {0, "files", uploads}, sources))
            findings.push_back({std::move(*message), place_of_yaml(value, plan.yaml->file())});
    }
    return findings;
}

}  // namespace volley::planner
