#include "language/lookup/lookup.hpp"

#include <optional>

#include "language/evaluator/closure.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/data/data_store.hpp"
#include "language/lookup/explain.hpp"
#include "support/text.hpp"

namespace volley {

namespace {

constexpr const char* explanation_issue = "LOOKUP_EXPLANATION";

/// Logs how a lookup was done, as `lookup --explain` prints it, whether it found something or not.
class LoggedLookup {
public:
    LoggedLookup(Evaluator& evaluator, std::string what, lookup::Explainer*& explainer)
        : environment_(evaluator.environment()), what_(std::move(what)) {
        if (explainer || !environment_.settings.explained_lookups) return;
        own_.emplace();
        explainer = &*own_;
    }
    ~LoggedLookup() {
        if (!own_) return;
        std::string text = what_;
        for (const std::string& line : split(own_->text(), '\n')) {
            if (!line.empty()) text += "\n  " + line;
        }
        environment_.log({Severity::Debug, std::move(text), {}, {}, explanation_issue});
    }
    LoggedLookup(const LoggedLookup&) = delete;
    LoggedLookup& operator=(const LoggedLookup&) = delete;

private:
    Environment& environment_;
    std::string what_;
    std::optional<lookup::Explainer> own_;
};

std::string names_of_lookup(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "'" : ", '") + name + "'";
    return all;
}

}  // namespace

Lookup::Lookup(HieraSettings settings)
    : settings_(std::move(settings)), adapter_(std::make_unique<lookup::Adapter>(settings_)) {}

Lookup::~Lookup() = default;

Value Lookup::find(Evaluator& evaluator, const FramePtr& scope, const LookupRequest& request,
                   lookup::Explainer* explainer) {
    const LoggedLookup logged(evaluator, "Lookup of " + names_of_lookup(request.names), explainer);
    lookup::Invocation invocation(*adapter_, evaluator, scope, request.override_values,
                                  request.default_values, explainer);
    if (request.hiera_call) {
        invocation.hiera_call = true;
        invocation.global_only = invocation.global_only || !adapter_->has_environment_data(invocation);
        if (request.hiera_levels.is_array()) {
            for (const Value& level : request.hiera_levels.as_array())
                if (level.is_string()) invocation.hiera_levels.push_back(level.as_string());
        } else if (request.hiera_levels.is_string()) {
            invocation.hiera_levels = {request.hiera_levels.as_string()};
        }
    }
    std::function<Value()> block;
    if (request.block) {
        const auto named = [&request] {
            if (!request.names_are_list) return Value(request.names[0]);
            return Value(std::vector<Value>(request.names.begin(), request.names.end()));
        };
        block = [&request, named] { return request.block->call({named()}); };
    }
    return adapter_->find(invocation, request.names, request.type, request.merge, request.default_value,
                          block);
}

std::optional<Value> Lookup::class_parameter(Evaluator& evaluator, const FramePtr& scope,
                                             std::string_view class_name, std::string_view parameter) {
    if (!evaluator.environment().settings.explained_lookups) {
        lookup::Invocation quiet(*adapter_, evaluator, scope);
        return adapter_->class_parameter(class_name, parameter, quiet);
    }
    lookup::Explainer* explainer = nullptr;
    const LoggedLookup logged(
        evaluator,
        "Automatic Parameter Lookup of '" + std::string(class_name) + "::" + std::string(parameter) + "'",
        explainer);
    lookup::Invocation invocation(*adapter_, evaluator, scope, {}, {}, explainer);
    return adapter_->class_parameter(class_name, parameter, invocation);
}

}  // namespace volley
