#include "planner/plan/plan_error.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "language/evaluator/wrapped_error.hpp"
#include "language/serialization/json.hpp"

namespace volley::planner {
namespace {

ErrorInfo info_of(const Value& error) {
    const Json json = plan_json(error);
    const auto text = [&json](const char* key) {
        const auto found = json.find(key);
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    return ErrorInfo(text("kind"), text("msg"), json.value("details", Json::object()), text("issue_code"));
}

/// Added after what the details say, unless they name a file (JSN-007).
Json with_location(Json details, const Location& at) {
    if (details.is_null()) details = Json::object();
    if (!details.is_object() || details.contains("file") || !at.known()) return details;
    if (!at.file.empty()) details["file"] = at.file;
    details["line"] = at.line;
    if (at.column > 0) details["column"] = at.column;
    return details;
}

/// Variables that plans do not have, although manifests do (PLN-004).
std::optional<std::string> missing_catalog_variable(const LanguageError& error) {
    static constexpr std::array<std::string_view, 4> names{"facts", "trusted", "server_facts", "settings"};
    const auto* unknown = dynamic_cast<const UnknownVariable*>(&error);
    if (unknown == nullptr || std::ranges::find(names, unknown->name()) == names.end()) return std::nullopt;
    return "Evaluation Error: Variable '" + unknown->name() +
           "' is not available in the current scope unless explicitly defined.";
}

/// What went wrong on each target, one below the other.
std::string messages_of_failed(const ResultSetObject& results) {
    std::string messages;
    for (const ResultRef& one : results.results()) {
        const Result& result = one->result();
        if (result.ok()) continue;
        const Json& error = result.error();
        const bool has_text = error.is_object() && error.contains("msg") && error["msg"].is_string();
        messages +=
            (messages.empty() ? "" : "\n") + (has_text ? error["msg"].get<std::string>() : error.dump());
    }
    return messages;
}

}  // namespace

PlanError::PlanError(Value error, Location at)
    : Error(info_of(error)), value_(std::move(error)), location_(std::move(at)) {}

PlanError run_failure(const Ref<const ResultSetObject>& results, const std::string& action,
                      const std::string& object, const Location& at) {
    const auto& all = results->results();
    const auto count = [&all](Status status) {
        return std::count_if(all.begin(), all.end(),
                             [status](const ResultRef& one) { return one->result().status() == status; });
    };
    const auto failed = count(Status::Failure);
    const auto left = count(Status::NotStarted);
    HashBuilder details;
    details.set("action", action);
    details.set("object", object.empty() ? Value() : Value(object));
    details.set("result_set", object_value(results));
    const std::string name = object.empty() ? "" : " '" + object + "'";
    std::string msg =
        action + name + " failed on " + std::to_string(failed) + " target" + (failed == 1 ? "" : "s");
    if (left > 0) msg += ", and was not started on " + std::to_string(left);
    if (action == "apply") msg = messages_of_failed(*results);
    return PlanError(make_error_value(msg, action == "apply" ? "bolt/apply-failure" : "bolt/run-failure",
                                      details.build(), {}),
                     at);
}

bool is_catchable(const Error& error) noexcept { return error.info().kind() != "bolt/pal-error"; }

PlanError to_plan_error(const Error& error, const Location& at) {
    if (const auto* known = dynamic_cast<const PlanError*>(&error)) return *known;
    return PlanError(make_error_value(error.info().to_json()), at);
}

ErrorInfo final_error(const std::exception& error) {
    if (const auto* language = dynamic_cast<const LanguageError*>(&error)) {
        const auto* wrapped = dynamic_cast<const WrappedError*>(language);
        // What a function or type raised is shown in its own words; the position is in the details.
        if (wrapped != nullptr) {
            const std::string hint = wrapped->hint().empty() ? "" : ". " + wrapped->hint();
            return ErrorInfo("bolt/pal-error", wrapped->inner() + hint,
                             with_location(Json::object(), wrapped->origin()));
        }
        std::string message = missing_catalog_variable(*language).value_or(language->helpful_message());
        if (language->issue() == "HIERA_UNDEFINED_VARIABLE")  // HIE-002
            message.insert(0, "Interpolations are not supported in lookups outside of an apply block: ");
        return ErrorInfo("bolt/pal-error", message, with_location(Json::object(), language->location()));
    }
    const auto& known = dynamic_cast<const Error&>(error);
    const auto* plan = dynamic_cast<const PlanError*>(&error);
    if (plan == nullptr) return known.info();
    return ErrorInfo(known.info().kind(), known.info().msg(),
                     with_location(known.info().details(), plan->location()), known.info().issue_code());
}

}  // namespace volley::planner
