#include "cli/run/result_filter.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/outputters/result_groups.hpp"
#include "language/compile.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/serialization/json.hpp"
#include "language/syntax/ast_walk.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

using ast::NodeKind;

constexpr auto filter_variables = std::to_array<std::string_view>(
    {"action", "message", "object", "ok", "result", "status", "target", "value"});

[[noreturn]] void fail_filter(const std::string& message) {
    throw Error("bolt/cli-error", "The --filter cannot be evaluated: " + message);
}

/// Finds what would only fail once there are results.
class FilterCheck {
public:
    explicit FilterCheck(Evaluator& evaluator) : evaluator_(evaluator) {}

    void look_at(const ast::Node& node) {
        if (node.kind == NodeKind::Lambda) {
            for (const ast::Parameter* parameter : ast::as<ast::Lambda>(node).parameters)
                own_.emplace(parameter->name);
        }
        if (node.kind == NodeKind::Variable) variable(ast::as<ast::Variable>(node));
        if (node.kind == NodeKind::Call || node.kind == NodeKind::CallMethod) call(ast::as<ast::Call>(node));
        ast::for_each_child(node, [this](const ast::Node& child) { look_at(child); });
    }

private:
    void variable(const ast::Variable& node) const {
        if (node.expr->kind != NodeKind::Name) return;
        const std::string_view name = ast::as<ast::Name>(*node.expr).value;
        const bool match_group = name.find_first_not_of("0123456789") == std::string_view::npos;
        if (match_group || own_.contains(name) ||
            std::ranges::find(filter_variables, name) != filter_variables.end())
            return;
        const std::vector<std::string> known(filter_variables.begin(), filter_variables.end());
        const std::string hint = did_you_mean(std::string(name), known);
        fail_filter("there is no variable '$" + std::string(name) + "'; a filter has $" + join(known, ", $") +
                    (hint.empty() ? "" : "." + hint));
    }

    void call(const ast::Call& node) const {
        const ast::Node* name = node.functor;
        if (name->kind == NodeKind::NamedAccess) name = ast::as<ast::Binary>(*name).right;
        if (name->kind != NodeKind::Name) return;
        const std::string function(ast::as<ast::Name>(*name).value);
        if (!evaluator_.has_function(function))
            fail_filter("there is no function '" + function + "' in filters");
    }

    Evaluator& evaluator_;
    std::set<std::string, std::less<>> own_;  // parameters of lambdas
};

}  // namespace

struct ResultFilter::State {
    LanguageHost host;
    Environment environment{host};
    Evaluator evaluator{environment};
    std::shared_ptr<const ast::Program> program;
    bool warned = false;
};

ResultFilter::ResultFilter(const std::string& expression) : state_(std::make_unique<State>()) {
    if (trim(expression).empty()) fail_filter("it is empty");
    try {
        CheckedProgram checked = check_program(expression, state_->environment.settings);
        for (const Diagnostic& one : checked.diagnostics) {
            if (one.severity == Severity::Err) fail_filter(one.message);
        }
        state_->program = std::move(checked.program);
    } catch (const LanguageError& error) {
        fail_filter(error.full_message());
    }
    if (!state_->program->definitions.empty()) fail_filter("it defines something");
    FilterCheck(state_->evaluator).look_at(*state_->program->body);
}

ResultFilter::~ResultFilter() = default;

bool ResultFilter::matches(const planner::Result& result) {
    try {
        const auto frame = std::make_shared<Frame>(state_->evaluator.top());
        Json whole = result.to_json();
        frame->set("target", Value(result.target()));
        frame->set("status", Value(std::string(to_string(result.status()))));
        frame->set("ok", Value(result.ok()));
        frame->set("action", Value(result.action()));
        frame->set("object", result.object() ? Value(*result.object()) : Value());
        frame->set("message", result.ok() ? Value() : Value(failure_message(result)));
        frame->set("value", from_json(whole["value"]));
        frame->set("result", from_json(whole));
        return state_->evaluator.evaluate_body(*state_->program, frame).truthy();
    } catch (const LanguageError& error) {
        if (!std::exchange(state_->warned, true)) {
            log_warning("unfiltered_result", "cli",
                        "The --filter cannot be evaluated for the result of " + result.target() +
                            ", which is therefore shown: " + error.what());
        }
        return true;
    }
}

}  // namespace volley::cli
