#include "planner/plan/plan_run.hpp"

#include <algorithm>
#include <csignal>
#include <functional>
#include <nlohmann/json.hpp>

#include "language/interruption.hpp"
#include "language/serialization/json.hpp"
#include "language/syntax/node_kinds.hpp"
#include "language/types/explain.hpp"
#include "planner/apply/apply_tools.hpp"
#include "planner/interrupt.hpp"
#include "planner/plan/plan_hooks.hpp"
#include "planner/plan/plan_host.hpp"
#include "planner/plan/plan_log.hpp"
#include "planner/record/action_identity.hpp"
#include "planner/record/run_recorder.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"

namespace volley::planner {
namespace {

using Clock = std::chrono::steady_clock;

/// A plain value, or a list of such.
bool is_literal(const ast::Node& node) {
    if (node.kind != ast::NodeKind::List) return ast::is_plain_value(node.kind);
    const auto& values = static_cast<const ast::List&>(node).values;
    return std::all_of(values.begin(), values.end(), [](const ast::Node* one) { return is_literal(*one); });
}

/// Reports a plan's begin to listeners and, however it ends, its end; counts the plans the future is in.
class PlanCallGuard {
public:
    PlanCallGuard(PlanRun& run, PlanFuture& future, const std::string& name, const Location& at)
        : run_(run), future_(future), around_(future.scope) {
        future_.plans.push_back(run_.futures().new_plan_id());
        PlanScope scope = run_.futures().new_scope(PlanScope::Kind::Plan, name, at);
        future_.scope = std::make_shared<const PlanScope>(std::move(scope));
        run_.executor().publish(PlanStarted{name, future_.scope});
    }
    ~PlanCallGuard() {
        future_.plans.pop_back();
        const PlanScopePtr ended = std::exchange(future_.scope, around_);
        run_.executor().publish(PlanFinished{ended->name, Clock::now() - begin_, ended, !succeeded_});
    }
    PlanCallGuard(const PlanCallGuard&) = delete;
    PlanCallGuard& operator=(const PlanCallGuard&) = delete;

    void succeed() noexcept { succeeded_ = true; }

private:
    PlanRun& run_;
    PlanFuture& future_;
    PlanScopePtr around_;
    bool succeeded_ = false;
    Clock::time_point begin_ = Clock::now();
};

ErrorInfo interrupted_plan() {
    return ErrorInfo("volley/interrupted", "The plan was interrupted; what ran on targets was stopped");
}

thread_local bool runs_plan_code = false;

/// Ends code that goes round and round, which keeps the loop from hearing of a signal. Catalogs are compiled
/// on other threads, where it is an error like others.
void stop_when_interrupted() {
    if (InterruptHandler::signal() == 0) return;
    if (runs_plan_code) throw PlanInterrupted();
    throw EvalError("", "Interrupted");
}

/// Code looks for signals while it lives.
struct Interruptible {
    Interruptible() {
        runs_plan_code = true;
        interruption_check = &stop_when_interrupted;
    }
    ~Interruptible() {
        // Other threads may still compile for a run that was given up.
        if (InterruptHandler::signal() == 0) interruption_check = nullptr;
        runs_plan_code = false;
    }
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;
};

}  // namespace

PlanRun::PlanRun(PlanWorld world)
    : world_(world),
      fibers_(world.runtime.loop()),
      futures_(fibers_),
      host_(std::make_unique<PlanHost>(world.library, this)),
      environment_(*host_, plan_language_settings()),
      hooks_(std::make_unique<PlanHooks>(*this)),
      evaluator_(std::make_unique<Evaluator>(environment_, hooks_.get())),
      plans_(world.library, world.config, environment_),
      resources_(std::make_shared<ResourceStore>()) {
    add_plan_language(environment_);
    plan_result_ = parse_type("Boltlib::PlanResult", environment_.types);
}

// Resources hold their target, and targets hold this store.
PlanRun::~PlanRun() { resources_->clear(); }

PlanRun* PlanRun::find(const CallContext& context) {
    auto* host = dynamic_cast<PlanHost*>(&context.environment().host);
    return host == nullptr ? nullptr : host->run();
}

PlanRun& PlanRun::of(const CallContext& context) {
    PlanRun* run = find(context);
    if (run != nullptr) return *run;
    throw EvalError("PLAN_OPERATION_NOT_SUPPORTED_WHEN_COMPILING",
                    "Plan language function '" + std::string(context.name) +
                        "' cannot be used from declarative manifest code or apply blocks");
}

PlanOutcome PlanRun::run(const std::string& plan, const Value& parameters) {
    return run(plan, [this, &plan, &parameters] {
        check_targets(plan, parameters);
        return call_plan(plan, parameters);
    });
}

const std::shared_ptr<ApplyTools>& PlanRun::apply_tools() {
    if (!apply_tools_)
        apply_tools_ =
            std::make_shared<ApplyTools>(world_.config, world_.library, world_.runtime, &world_.inventory);
    return apply_tools_;
}

PlanOutcome PlanRun::run(const std::string& name, const std::function<Value()>& body) {
    PlanOutcome outcome = run_fibers(name, body);
    close_sessions();
    settle(outcome);
    return outcome;
}

PlanOutcome PlanRun::run_input(const std::function<Value()>& body) {
    futures_.start_again();
    fibers_.start_again();
    PlanOutcome outcome = run_fibers("input", body);
    settle(outcome);
    if (executor().interrupted()) {
        close_sessions();
        if (InterruptHandler::signal() != SIGINT) return outcome;
        executor().forget_interruption();
        interruption_check = nullptr;
    }
    return outcome;
}

void PlanRun::close_sessions() { executor().close_sessions(); }

PlanOutcome PlanRun::run_fibers(const std::string& name, const std::function<Value()>& body) {
    PlanOutcome outcome;
    const FuturePtr main = futures_.start(
        [&outcome, &body] {
            try {
                outcome.value = body();
            } catch (const Error& error) {
                outcome.error = final_error(error);
                outcome.error_value = to_plan_error(error, {}).value();
            }
            return Value();
        },
        name, PlanFuture::no_plan);
    {
        const Interruptible guard;
        executor().run_until([this] { return fibers_.running() == 0; },
                             [this] { fibers_.stop(std::make_exception_ptr(PlanInterrupted())); });
    }
    return outcome;
}

/// What ended the whole run takes the place of what its code returned.
void PlanRun::settle(PlanOutcome& outcome) {
    if (executor().interrupted()) {
        outcome.error = interrupted_plan();
        outcome.error_value = {};
    } else if (futures_.fatal()) {
        try {
            std::rethrow_exception(futures_.fatal());
        } catch (const LanguageError& error) {
            outcome.error = final_error(error);
        } catch (const Error& error) {
            outcome.error = final_error(error);
        } catch (const Jump& jump) {
            const char* what = jump.kind == Jump::Kind::Break ? "break()" : "next()";
            outcome.error = final_error(
                EvalError("", std::string(what) + " from context where this is illegal", jump.at));
        }
        outcome.error_value = {};
    }
}

/// PMD-006: ad-hoc targets join the inventory before the plan begins, and wrong wildcards show early.
PlanRun::TargetParameters PlanRun::resolve_target_parameters(const PlanDefinition& plan,
                                                             const Hash& parameters) {
    TargetParameters found;
    const auto resolve_one = [&](std::string_view name, std::string_view type) {
        const Value* value = parameters.find(name);
        if (type.find("TargetSpec") == std::string_view::npos || !value) return;
        static const TypePtr spec = parse_type("Boltlib::TargetSpec", environment_.types);
        if (is_instance(*spec, *value)) found.emplace_back(name, resolve(*value));
    };
    if (plan.yaml) {
        for (const auto& parameter : plan.yaml->parameters()) {
            resolve_one(parameter.name, parameter.type_text.value_or(""));
        }
        return found;
    }
    for (const ast::Parameter* parameter : plan.definition->parameters) {
        if (parameter->type) resolve_one(parameter->name, source_of(*parameter->type));
    }
    return found;
}

Value PlanRun::run_code(const PlanDefinition& plan, const Value& parameters) {
    try {
        if (plan.yaml) return plan.yaml->run(*evaluator_, parameters.as_hash());
        const auto code =
            make_shared_object<Closure>(*evaluator_, Closure::Form::Function, plan.definition->parameters,
                                        plan.definition->body, nullptr, evaluator_->top(), plan.name);
        code->call_by_name(parameters.as_hash(), true);
        return {};  // PLN-006: the last expression is not the result
    } catch (const Jump& jump) {
        if (jump.kind != Jump::Kind::Return) throw;
        return jump.value;
    }
}

/// Before the plan begins, where that is possible: types may depend on other parameters.
void PlanRun::check_parameters(const PlanDefinition& plan, const Hash& given) {
    std::vector<ParameterDeclaration> declared;
    const auto add = [&declared](const std::string& name, TypePtr type, bool has_default) {
        declared.push_back({name, std::move(type), has_default});
    };
    if (plan.yaml) {
        for (const auto& one : plan.yaml->parameters()) add(one.name, one.type, one.default_value != nullptr);
    } else {
        for (const ast::Parameter* one : plan.definition->parameters) {
            TypePtr type;  // null: Any
            try {
                if (one->type) type = interpret_type(*one->type, environment_.types);
            } catch (const LanguageError&) {
                return;
            }
            add(std::string(one->name), std::move(type), one->value != nullptr);
        }
    }
    HashBuilder chosen;
    for (const Hash::Entry& entry : given) {
        const auto with_default = std::find_if(declared.begin(), declared.end(), [&entry](const auto& one) {
            return one.has_default && entry.key.is_string() && one.name == entry.key.as_string();
        });
        if (!entry.value.is_undef() || with_default == declared.end()) chosen.set(entry.key, entry.value);
    }
    const Value checked = chosen.build();
    if (const auto message = explain_parameters(plan.name, declared, checked.as_hash()))
        throw EvalError("", *message);
}

/// With the defaults that stand in the plan's text; one that has to be computed is known only when it runs.
Value PlanRun::with_literal_defaults(const PlanDefinition& plan, const Hash& given) {
    HashBuilder all(given);
    const auto is_missing = [&given](std::string_view name) {
        const Value* value = given.find(name);
        return !value || value->is_undef();
    };
    if (plan.yaml) {
        for (const auto& one : plan.yaml->parameters()) {
            if (is_missing(one.name) && one.default_value)
                all.set(Value(one.name), from_json(*one.default_value));
        }
        return all.build();
    }
    for (const ast::Parameter* one : plan.definition->parameters) {
        if (is_missing(one->name) && one->value && is_literal(*one->value))
            all.set(Value(std::string(one->name)), evaluator_->evaluate(*one->value, evaluator_->top()));
    }
    return all.build();
}

PlanRun::TargetParameters PlanRun::check_call(const std::string& name, const Value& parameters) {
    const auto plan = plans_.find(name);
    check_parameters(*plan, parameters.as_hash());
    const Value all = with_literal_defaults(*plan, parameters.as_hash());
    return resolve_target_parameters(*plan, all.as_hash());
}

void PlanRun::check_targets(const std::string& name, const Value& parameters) {
    resolve_target_parameters(*plans_.find(name), parameters.as_hash());
}

Value PlanRun::call_plan(const std::string& name, const Value& parameters, const Location& at) {
    const auto plan = plans_.find(name);
    check_parameters(*plan, parameters.as_hash());
    PlanCallGuard guard(*this, futures_.current(), plan->name, at);
    Value result = run_code(*plan, parameters);
    if (is_plan_result(result)) {
        guard.succeed();
        return result;
    }
    HashBuilder details;
    const std::string text = Evaluator::text(result);
    details.set("plan_name", plan->name);
    details.set("result_string", text);
    throw PlanError(make_error_value("Plan " + plan->name + " returned an invalid result: " + text,
                                     "bolt/invalid-plan-result", details.build(), {}),
                    {});
}

std::vector<inventory::Target> PlanRun::resolve(const Value& targets) {
    std::vector<inventory::TargetTerm> terms;
    const std::function<void(const Value&)> visit = [&](const Value& value) {
        if (value.is_array()) {
            const NestingGuard nesting;
            for (const Value& item : value.as_array()) visit(item);
        } else if (const auto* target = object_in<TargetObject>(value)) {
            terms.emplace_back(target->target());
        } else {
            terms.emplace_back(value.as_string());
        }
    };
    visit(targets);
    return inventory().resolve(terms, inventory::TargetSyntax::Plan);
}

Value PlanRun::target_value(const inventory::Target& target) {
    return object_value(make_shared_object<TargetObject>(target, resources_));
}

Ref<const ResultSetObject> PlanRun::result_set(const ResultSet& results) {
    std::vector<ResultRef> wrapped;
    wrapped.reserve(results.size());
    for (const Result& result : results.results()) {
        const auto target = make_shared_object<TargetObject>(inventory().target(result.target()), resources_);
        wrapped.push_back(make_shared_object<ResultObject>(result, target));
    }
    return make_shared_object<ResultSetObject>(std::move(wrapped));
}

bool PlanRun::is_plan_result(const Value& value) { return is_instance(*plan_result_, value); }

ResultSet PlanRun::execute(Action action, std::vector<inventory::Target> targets) {
    if (!action.run_as) action.run_as = futures_.current().run_as;
    action.scope = futures_.current().scope;
    PlanLog* const record = world_.log;
    const bool logged = record != nullptr && record->in_use();
    const ProjectKey* const key = world_.recorder != nullptr ? world_.recorder->key() : nullptr;
    if (!logged && key == nullptr) return fibers_.await(executor().run(action, std::move(targets)));
    const std::vector<std::filesystem::path> files = files_of(action);
    std::string contents;
    // Without files at once: steps of parallel branches then begin in the same order each time.
    if (!files.empty()) {
        auto reading = runtime().blocking([files] { return contents_digest(files); });
        contents = fibers_.await(std::move(reading));
    } else {
        contents = contents_digest({});
    }
    if (key != nullptr) action.key = action_key(*key, action, contents);
    if (!logged) return fibers_.await(executor().run(action, std::move(targets)));
    const PlanLog::Step step = record->next(action, targets, contents);
    if (!step.settled.empty() && world_.recorder != nullptr) world_.recorder->settle(action, step.settled);
    if (!step.taken_on.empty()) {
        executor().publish(ActionTaken{action_description(action), step.taken_on, step.open.size()});
    }
    ResultSet ran;
    if (!step.open.empty()) {
        ran = fibers_.await(executor().run(action, step.open));
        record->learn(ran);
    }
    return results_in_order(targets, step.taken, ran);
}

}  // namespace volley::planner
