#include "planner/functions/plan_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "language/serialization/json.hpp"
#include "language/text/regexp.hpp"
#include "language/text/text.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/plan/rollout_options.hpp"
#include "planner/types/collection_json.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// Bolt's messages name file and line only.
Location call_line(const Location& at) { return {at.file, at.line, 0}; }

const Value* step_option(const Hash& options, const std::string& name, bool any_name) {
    if (const Value* value = options.find("_" + name)) return value;
    return any_name ? options.find(name) : nullptr;
}

std::vector<std::pair<std::string, std::string>> environment_of(const Value& given) {
    if (!given.is_hash()) throw Error("bolt/validation-error", "Option 'env_vars' must be a hash");
    std::vector<std::pair<std::string, std::string>> environment;
    std::string bad;
    for (const Hash::Entry& entry : given.as_hash()) {
        if (!entry.key.is_string()) {
            bad += (bad.empty() ? "" : ", ") + to_program_text(entry.key);
            continue;
        }
        const bool structured = entry.value.is_array() || entry.value.is_hash();
        environment.emplace_back(entry.key.as_string(),
                                 structured ? to_json(entry.value).dump() : Evaluator::text(entry.value));
    }
    if (!bad.empty())
        throw Error("bolt/validation-error", "Keys for option 'env_vars' must be strings: " + bad);
    return environment;
}

/// Compatibility: options that a function does not have are ignored. One that is almost the name of another
/// was meant.
void warn_of_mistyped_options(const PlanCall& call, const Hash& given) {
    static const std::vector<std::string_view> names =
        with_rollout_options({"_catch_errors", "_description", "_env_vars", "_noop", "_run_as"});
    static const std::vector<std::string> known(names.begin(), names.end());
    for (const Hash::Entry& entry : given) {
        if (!entry.key.is_string() || !entry.key.as_string().starts_with('_')) continue;
        const std::string& name = entry.key.as_string();
        if (std::ranges::find(known, name) != known.end()) continue;
        const auto meant = closest_match(name, known);
        if (!meant) continue;
        log_warning_once("unknown_function_option", "planner",
                         fmt::format("{} has no option '{}'; it is ignored. Did you mean '{}'?",
                                     call.context.name, name, *meant));
    }
}

Json message_json(const Value& value) {
    if (auto collection = collection_json(value, message_json)) return *std::move(collection);
    if (value.is_number() || value.is_undef()) return to_json(value);
    if (object_in<ResultObject>(value) || object_in<ResultSetObject>(value)) return plan_json(value);
    return value.is(Kind::Regexp) ? value.as_regexp().to_text() : to_text(value);
}

}  // namespace

Value invoke_plan_function(CallContext& context, std::span<const Value> arguments, PlanBody body) {
    PlanCall call{context, PlanRun::of(context), arguments};
    try {
        return body(call);
    } catch (const PlanError& error) {
        if (error.location().known()) throw;
        throw PlanError(error.value(), context.at);
    } catch (const Error& error) {
        if (!is_catchable(error)) throw EvalError("", error.what(), call_line(context.at));
        throw to_plan_error(error, context.at);
    }
}

std::vector<std::pair<std::string_view, std::string_view>> plan_local_types() {
    return {{"Boltlib::TargetSpec",
             "# @summary a target, its name, or a list of them\n"
             "type Boltlib::TargetSpec = Variant[String[1], Target, Array[Boltlib::TargetSpec]]"}};
}

std::vector<Dispatch> step_dispatches(std::vector<Dispatch::Parameter> leading, Dispatch::Body body,
                                      std::string_view block) {
    leading.push_back({"Boltlib::TargetSpec", "targets"});
    const Dispatch::Parameter options{"Hash[String[1], Any]", "options", Dispatch::Optional};
    std::vector<Dispatch::Parameter> described = leading;
    described.push_back({"Optional[String]", "description"});
    described.push_back(options);
    leading.push_back(options);
    return {{.params = std::move(leading), .block = block, .returns = "ResultSet", .call = body},
            {.params = std::move(described), .block = block, .returns = "ResultSet", .call = body}};
}

StepOptions step_options(const PlanCall& call, std::size_t first, bool any_name) {
    StepOptions options;
    options.all = HashBuilder().build();
    for (std::size_t i = first; i < call.arguments.size(); ++i) {
        if (call.arguments[i].is_string()) options.description = call.arguments[i].as_string();
        if (call.arguments[i].is_hash()) options.all = call.arguments[i];
    }
    const Hash& given = options.all.as_hash();
    warn_of_mistyped_options(call, given);
    const auto truthy = [&](const char* name) {
        const Value* value = step_option(given, name, any_name);
        return value && value->truthy();
    };
    options.catch_errors = truthy("catch_errors");
    options.noop = truthy("noop");
    const Value* run_as = step_option(given, "run_as", any_name);
    if (run_as && run_as->is_string()) options.run_as = run_as->as_string();
    const Value* description = step_option(given, "description", any_name);
    if (!options.description && description && description->is_string())
        options.description = description->as_string();
    const Value* environment = step_option(given, "env_vars", any_name);
    if (environment && environment->truthy()) options.environment = environment_of(*environment);
    options.rollout = rollout_of(given, any_name);
    return options;
}

std::shared_ptr<const Json> call_position(const PlanCall& call) {
    if (!call.at().known()) return nullptr;
    Json position = Json::object();
    if (!call.at().file.empty()) position["file"] = call.at().file;
    position["line"] = call.at().line;
    return std::make_shared<const Json>(std::move(position));
}

Value finish_step(const PlanCall& call, const Ref<const ResultSetObject>& results, bool catch_errors,
                  const std::string& function, const std::string& object) {
    if (!results->ok() && !catch_errors) throw run_failure(results, function, object, call.at());
    return object_value(results);
}

Value run_step(const PlanCall& call, decltype(Action::what) what, std::vector<inventory::Target> targets,
               const StepOptions& options, const std::string& function, const std::string& object) {
    if (targets.empty()) {
        log(LogLevel::Debug, "planner",
            fmt::format("Simulating {}('{}') - no targets given - no action taken", function, object));
        return object_value(make_shared_object<ResultSetObject>(std::vector<ResultRef>()));
    }
    Action action{std::move(what), options.run_as, options.description, call_position(call)};
    action.rollout = options.rollout;
    const ResultSet results = call.run.execute(std::move(action), std::move(targets));
    return finish_step(call, call.run.result_set(results), options.catch_errors, function, object);
}

std::optional<std::filesystem::path> look_for_plan_file(PlanRun& run, const std::string& name) {
    const std::filesystem::path path(name);
    std::error_code ignored;
    if (path.is_absolute())
        return std::filesystem::exists(path, ignored) ? std::optional(path) : std::nullopt;
    return run.library().find_file(name);
}

std::filesystem::path find_plan_file(const PlanCall& call, const std::string& name, bool folder_allowed) {
    const auto found = look_for_plan_file(call.run, name);
    if (!found) fail_call(call, "NO_SUCH_FILE_OR_DIRECTORY", "No such file or directory: " + name);
    std::error_code ignored;
    if (!folder_allowed && !std::filesystem::is_regular_file(*found, ignored)) {
        fail_call(call, "NOT_A_FILE", name + " is not a file");
    }
    return *found;
}

std::string message_text(const Value& value) {
    if (value.is_number()) return to_text(value);
    const Json json = message_json(value);
    if (json.is_string()) return json.get<std::string>();
    if (json.is_null()) return {};
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

void fail_call_at(const CallContext& context, std::string_view issue, const std::string& message) {
    throw EvalError(issue, message, call_line(context.at));
}

void fail_as_ruby(const std::string& message) { throw EvalError("", message); }

void fail_call(const PlanCall& call, std::string_view issue, const std::string& message) {
    throw EvalError(issue, message, call_line(call.at()));
}

}  // namespace volley::planner
