#include "planner/checks/variable_checks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "language/syntax/ast_walk.hpp"
#include "planner/checks/static_types.hpp"

namespace volley::planner {
namespace {

using ast::NodeKind;

/// A variable of a scope at some place of the program.
struct SetVariable {
    bool surely = true;  ///< else by a branch that may not have been taken
    Location at;
    bool parameter = false;
};
using Variables = std::map<std::string, SetVariable, std::less<>>;

struct VariableScope {
    Variables variables;
    bool catalog = false;  ///< of an apply block
    int branches = 0;      ///< conditions that are open in it
};

bool is_match_variable(std::string_view name) {
    return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The name that a Variable node has; nullopt for what only the run knows.
std::optional<std::string> variable_name(const ast::Node& node) {
    return literal_text(*ast::as<ast::Variable>(node).expr);
}

/// Nothing runs after a call of these.
bool ends_the_way(const ast::Node* node) {
    if (!node) return false;
    if (node->kind == NodeKind::Block) {
        const auto& statements = ast::as<ast::Block>(*node).statements;
        return std::any_of(statements.begin(), statements.end(),
                           [](const ast::Node* one) { return ends_the_way(one); });
    }
    if (node->kind != NodeKind::Call) return false;
    static constexpr auto ends =
        std::to_array<std::string_view>({"break", "fail", "fail_plan", "next", "return"});
    const auto name = literal_text(*ast::as<ast::Call>(*node).functor);
    return name && std::ranges::find(ends, *name) != ends.end();
}

/// Names of variables in texts such as defined('$x') and getvar('x').
void collect_asked(const ast::Node& node, std::set<std::string, std::less<>>& asked) {
    if (node.kind == NodeKind::Call || node.kind == NodeKind::CallMethod) {
        const auto& call = ast::as<ast::Call>(node);
        const auto name = literal_text(*call.functor);
        for (const ast::Node* argument : call.arguments) {
            const auto text = literal_text(*argument);
            if (name && text && *name == "defined" && text->starts_with('$')) asked.insert(text->substr(1));
        }
    }
    ast::for_each_child(node, [&asked](const ast::Node& child) { collect_asked(child, asked); });
}

/// Walks through a program in the order in which it runs and knows at each place which variables are set.
class VariableWalk {
public:
    VariableWalk(const PlanCode& code, const CheckSources& sources) : code_(code), sources_(sources) {
        collect_asked(*code.root, asked_);
        collect_all_set(*code.root);
        scopes_.emplace_back();
        for (const std::string& name : code.names) scopes_.back().variables[name] = {};
        // Compatibility: code of a YAML plan has a scope of its own inside that of the plan.
        if (code.yaml) scopes_.emplace_back();
        visit(*code.root);
    }
    std::vector<PlanFinding> findings;

private:
    VariableScope& scope() { return scopes_.back(); }

    void visit(const ast::Node* node) {
        if (node) visit(*node);
    }
    void visit(const ast::Node& node) {
        switch (node.kind) {
            case NodeKind::Plan:
                parameters(ast::as<ast::Definition>(node).parameters);
                return visit(ast::as<ast::Definition>(node).body);
            case NodeKind::Lambda:
                return lambda(ast::as<ast::Lambda>(node));
            case NodeKind::Apply:
                for (const ast::Node* argument : ast::as<ast::Apply>(node).arguments) visit(*argument);
                scopes_.emplace_back().catalog = true;
                visit(ast::as<ast::Apply>(node).body);
                return leave();
            case NodeKind::NodeDefinition:
                scopes_.emplace_back().catalog = true;
                visit(ast::as<ast::NodeDefinition>(node).body);
                return leave();
            case NodeKind::Assignment:
                visit(ast::as<ast::Binary>(node).right);
                return assign(*ast::as<ast::Binary>(node).left);
            case NodeKind::Variable:
                return read(node);
            case NodeKind::If:
            case NodeKind::Unless: {
                const auto& condition = ast::as<ast::If>(node);
                visit(condition.test);
                return branches({condition.then, condition.otherwise}, true);
            }
            case NodeKind::Case:
                return visit_case(ast::as<ast::Case>(node));
            case NodeKind::Selector:
                return selector(ast::as<ast::Selector>(node));
            case NodeKind::And:
            case NodeKind::Or:
                visit(ast::as<ast::Binary>(node).left);
                return branches({ast::as<ast::Binary>(node).right}, false);
            default:
                ast::for_each_child(node, [this](const ast::Node& child) { visit(child); });
        }
    }

    void parameters(std::span<ast::Parameter* const> all) {
        for (const ast::Parameter* one : all) {
            visit(one->type);
            visit(one->value);
            scope().variables[std::string(one->name)] = {true, code_.at(*one), true};
        }
    }

    void lambda(const ast::Lambda& node) {
        const bool catalog = scope().catalog;
        scopes_.emplace_back().catalog = catalog;
        parameters(node.parameters);
        visit(node.body);
        leave();
    }

    void leave() {
        for (const auto& [name, one] : scope().variables) {
            if (!one.parameter) gone_.emplace(name, one.at);
        }
        scopes_.pop_back();
    }

    /// One of the ways is taken, or none when they are not `complete`. What all of them set is surely set.
    void branches(std::vector<const ast::Node*> ways, bool complete) {
        const Variables before = scope().variables;
        std::vector<Variables> after;
        ++scope().branches;
        for (const ast::Node* way : ways) {
            scope().variables = before;
            visit(way);
            if (!ends_the_way(way)) after.push_back(scope().variables);
        }
        --scope().branches;
        if (!complete) after.push_back(before);
        scope().variables = merged(after, before);
    }

    static Variables merged(const std::vector<Variables>& ways, const Variables& before) {
        if (ways.empty()) return before;  // nothing runs after it
        Variables all;
        for (const Variables& way : ways) all.insert(way.begin(), way.end());
        for (auto& [name, one] : all) {
            one.surely = std::ranges::all_of(ways, [&key = name](const Variables& way) {
                const auto found = way.find(key);
                return found != way.end() && found->second.surely;
            });
        }
        return all;
    }

    void visit_case(const ast::Case& node) {
        visit(node.test);
        std::vector<const ast::Node*> ways;
        bool complete = false;
        for (const ast::CaseOption* option : node.options) {
            for (const ast::Node* value : option->values) {
                complete = complete || value->kind == NodeKind::Default;
                visit(*value);
            }
            ways.push_back(option->then);
        }
        branches(std::move(ways), complete);
    }

    void selector(const ast::Selector& node) {
        visit(node.left);
        std::vector<const ast::Node*> ways;
        for (const ast::SelectorEntry* entry : node.selectors) {
            visit(entry->match);
            ways.push_back(entry->value);
        }
        branches(std::move(ways), false);
    }

    void assign(const ast::Node& target) {
        if (target.kind == NodeKind::List || target.kind == NodeKind::Hash)
            return ast::for_each_child(target, [this](const ast::Node& child) { assign(child); });
        if (target.kind == NodeKind::Entry) return assign(*ast::as<ast::Entry>(target).key);
        if (target.kind != NodeKind::Variable) return;
        const auto name = variable_name(target);
        if (!name) return;
        const auto known = scope().variables.find(*name);
        if (known != scope().variables.end()) complain_of_second(*name, known->second, target);
        scope().variables[*name] = {true, code_.at(target), false};
    }

    void complain_of_second(const std::string& name, const SetVariable& first, const ast::Node& target) {
        const std::string where = first.at.known() ? " in line " + std::to_string(first.at.line) : "";
        if (first.surely) {
            const std::string what = first.parameter ? "is a parameter" : "has its value already" + where;
            findings.push_back(
                {"The variable $" + name + " cannot be reassigned: it " + what, code_.at(target)});
        } else if (scope().branches == 0) {
            findings.push_back({"The variable $" + name + " may have a value already" + where +
                                    ", and then it cannot be set here",
                                code_.at(target), false});
        }
    }

    const SetVariable* find(std::string_view name) const {
        for (auto at = scopes_.rbegin(); at != scopes_.rend(); ++at) {
            const auto found = at->variables.find(name);
            if (found != at->variables.end()) return &found->second;
        }
        return nullptr;
    }

    void read(const ast::Node& node) {
        const auto name = variable_name(node);
        if (!name || name->find("::") != std::string::npos || is_match_variable(*name)) return;
        if (find(*name) || asked_.contains(*name)) return;
        if (scope().catalog) return read_in_catalog(*name, node);
        complain_of_unknown(*name, node, true, "");
    }

    /// An apply block has facts and variables of its targets too, and what nobody set is undef there.
    void read_in_catalog(const std::string& name, const ast::Node& node) {
        if (!sources_.is_catalog_variable || sources_.is_catalog_variable(name)) return;
        complain_of_unknown(name, node, false, ", and it is not a fact or variable of a known target");
    }

    void complain_of_unknown(const std::string& name, const ast::Node& node, bool error,
                             const std::string& besides) {
        std::vector<std::string> names;
        for (const VariableScope& one : scopes_) {
            for (const auto& [known, ignored] : one.variables) names.push_back("$" + known);
        }
        const auto later = all_set_.find(name);
        const auto gone = gone_.find(name);
        std::string message = "The variable $" + name;
        if (gone != gone_.end()) {
            message += " is set only inside a block (line " + std::to_string(gone->second.line) +
                       ") and is not visible after it";
        } else if (later != all_set_.end()) {
            message += " is not set yet: line " + std::to_string(later->second.line) + " sets it";
        } else {
            message += " is never set" + besides + meant_name("$" + name, names);
        }
        findings.push_back({std::move(message), code_.at(node), error});
    }

    void collect_all_set(const ast::Node& node) {
        if (node.kind == NodeKind::Assignment) {
            const ast::Node& left = *ast::as<ast::Binary>(node).left;
            if (left.kind == NodeKind::Variable) {
                if (const auto name = variable_name(left)) all_set_.emplace(*name, code_.at(left));
            }
        }
        ast::for_each_child(node, [this](const ast::Node& child) { collect_all_set(child); });
    }

    const PlanCode& code_;
    const CheckSources& sources_;
    std::vector<VariableScope> scopes_;
    std::set<std::string, std::less<>> asked_;
    std::map<std::string, Location, std::less<>> all_set_;  // anywhere in the plan
    std::map<std::string, Location, std::less<>> gone_;     // by blocks that have ended
};

}  // namespace

std::vector<PlanFinding> check_variables(const PlanCode& code, const CheckSources& sources) {
    return std::move(VariableWalk(code, sources).findings);
}

}  // namespace volley::planner
