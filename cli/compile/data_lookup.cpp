#include "cli/compile/data_lookup.hpp"

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/loaders/disk_host.hpp"
#include "language/lookup/explain.hpp"
#include "support/log.hpp"

namespace volley::cli {
namespace {

class LookupHost final : public DiskHost {
public:
    LookupHost(std::shared_ptr<const DiskEnvironment> environment, LanguageSettings settings, bool in_plan)
        : DiskHost(std::move(environment), std::move(settings),
                   [](const LogEntry& entry) {
                       const bool warning = entry.severity >= Severity::Warning;
                       volley::log(warning ? LogLevel::Warn : LogLevel::Debug, "lookup", entry.message);
                   }),
          in_plan_(in_plan) {}
    HieraSettings hiera() override {
        HieraSettings settings = DiskHost::hiera();
        settings.in_plan = in_plan_;
        return settings;
    }

private:
    const bool in_plan_;
};

void set_lookup_variables(Frame& frame, const Value& variables) {
    if (!variables.is_hash()) return;
    for (const auto& entry : variables.as_hash()) {
        if (entry.key.is_string()) frame.set(entry.key.as_string(), entry.value);
    }
}

void set_lookup_scope(Frame& frame, const LookupScope& scope, const std::string& environment) {
    const Value nothing = HashBuilder().build();
    set_lookup_variables(frame, scope.facts);
    frame.set("facts", scope.facts.is_hash() ? scope.facts : nothing);
    frame.set("environment", environment);
    frame.set("clientcert", scope.node);
    const std::size_t dot = scope.node.find('.');
    frame.set("trusted",
              HashBuilder()
                  .set("authenticated", "local")
                  .set("certname", scope.node)
                  .set("domain", dot == std::string::npos ? Value() : Value(scope.node.substr(dot + 1)))
                  .set("extensions", nothing)
                  .set("external", nothing)
                  .set("hostname", scope.node.substr(0, dot))
                  .build());
    frame.set("server_facts", HashBuilder().set("environment", environment).build());
    set_lookup_variables(frame, scope.variables);
}

}  // namespace

LookupAnswer look_up(const std::shared_ptr<const DiskEnvironment>& environment, const LookupScope& scope,
                     const LookupRequest& request, bool in_plan, LookupExplanation explanation) {
    LanguageSettings settings;
    settings.environment = environment->name();
    settings.deprecations = true;
    settings.tasks = in_plan;
    LookupHost host(environment, settings, in_plan);
    Environment language(host, settings);
    Evaluator evaluator(language);
    // A plan has no node: what its data refer to has to be given.
    if (in_plan)
        set_lookup_variables(*evaluator.top(), scope.variables);
    else
        set_lookup_scope(*evaluator.top(), scope, settings.environment);
    lookup::Explainer explainer(explanation == LookupExplanation::OptionsOnly);
    const bool explains = explanation != LookupExplanation::None;
    LookupAnswer answer;
    try {
        answer.value =
            language.lookup().find(evaluator, evaluator.top(), request, explains ? &explainer : nullptr);
    } catch (const LookupError& error) {
        answer.problem = error.full_message();
        if (in_plan && error.issue() == "HIERA_UNDEFINED_VARIABLE")
            answer.problem =
                "Interpolations are not supported in lookups outside of an apply block: " + answer.problem;
        explainer.text_line(error.what());
    }
    if (explains) {
        answer.explanation = explainer.text();
        answer.explained = explainer.data();
    }
    return answer;
}

}  // namespace volley::cli
