#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "planner/plan/plan_run.hpp"
#include "planner/types/declarations.hpp"
#include "planner/types/plan_types.hpp"

namespace volley::planner {
namespace {

const ResultObject& result_self(const Value& self) { return self.as<ResultObject>(); }

Value result_error(CallContext&, const Value& self, std::span<const Value>) {
    return result_self(self).error();
}
Value result_message(CallContext&, const Value& self, std::span<const Value>) {
    const Value* message = result_self(self).value().as_hash().find("_output");
    if (message) return *message;
    // An apply that never came to resources has no summary of them, but a reason.
    const Result& result = result_self(self).result();
    const bool says_why =
        result.action() == "apply" && result.error().is_object() && result.error().contains("msg");
    return says_why ? from_json(result.error()["msg"]) : Value();
}
Value result_sensitive(CallContext&, const Value& self, std::span<const Value>) {
    const Value* secret = result_self(self).value().as_hash().find("_sensitive");
    return secret ? *secret : Value();
}
Value result_action(CallContext&, const Value& self, std::span<const Value>) {
    return result_self(self).result().action();
}
Value result_status(CallContext&, const Value& self, std::span<const Value>) {
    return std::string(to_string(result_self(self).result().status()));
}
Value result_to_data(CallContext&, const Value& self, std::span<const Value>) {
    return from_json(result_self(self).result().to_json());
}
Value result_ok(CallContext&, const Value& self, std::span<const Value>) {
    return result_self(self).result().ok();
}
Value result_at(CallContext&, const Value& self, std::span<const Value> arguments) {
    return result_self(self).indexed(arguments[0].as_string()).value_or(Value());
}
Value result_value(CallContext&, const Value& self, std::span<const Value>) {
    return result_self(self).value();
}

Value result_create(CallContext&, const Hash& given) {
    const auto* target = object_in<TargetObject>(*given.find("target"));
    const Value* value = given.find("value");
    Json json = value ? to_json(*value) : Json::object();
    Result result = Result::of_value(target->target().name(), "action", std::nullopt, std::move(json));
    return object_value(make_shared_object<ResultObject>(std::move(result), Ref<const TargetObject>(target)));
}

}  // namespace

TypePtr ResultObject::type() const {
    return plan_types().type(result_.action() == "apply" ? "ApplyResult" : "Result");
}

const Value& ResultObject::value() const {
    if (value_) return *value_;
    const Json json = result_.full_value();
    Value converted = from_json(json);
    if (json.is_object() && json.contains("_sensitive")) {
        HashBuilder marked(converted.as_hash());
        marked.set(Value("_sensitive"), Value::sensitive(*converted.as_hash().find("_sensitive")));
        converted = marked.build();
    }
    return value_.emplace(std::move(converted));
}

Value ResultObject::error() const { return result_.ok() ? Value() : make_error_value(result_.error()); }

std::optional<Value> ResultObject::attribute(std::string_view name) const {
    if (name == "value") return value();
    if (name == "target") return object_value(target_);
    if (name == "error") return error();
    if (name == "report") return indexed("report");
    if (name == "catalog") {
        const Value* secret = value().as_hash().find("_sensitive");
        if (!secret || !secret->is(Kind::Sensitive) || !secret->unwrap_sensitive().is_hash()) return Value();
        const Value* catalog = secret->unwrap_sensitive().as_hash().find("catalog");
        return catalog ? *catalog : Value();
    }
    return std::nullopt;
}

std::optional<Value> ResultObject::indexed(std::string_view key) const {
    const Value* found = value().as_hash().find(key);
    return found ? *found : Value();
}

bool ResultObject::equals(const Shared& other) const {
    const auto* that = dynamic_cast<const ResultObject*>(&other);
    return that != nullptr && result_.target() == that->result_.target() && value() == that->value();
}

const NativeType& result_type() {
    static const NativeType type{
        .name = "Result",
        .interface = R"(
            attributes => { 'target' => Target, 'value' => Hash[String[1], Data] },
            functions => {
                error => Callable[[], Optional[Error]],
                message => Callable[[], Optional[String]],
                sensitive => Callable[[], Optional[Sensitive[Data]]],
                action => Callable[[], String],
                status => Callable[[], String],
                to_data => Callable[[], Hash],
                ok => Callable[[], Boolean],
                '[]' => Callable[[String[1]], Variant[Data, Sensitive[Data]]]
            })",
        .methods = {{"error", result_error},
                    {"message", result_message},
                    {"sensitive", result_sensitive},
                    {"action", result_action},
                    {"status", result_status},
                    {"to_data", result_to_data},
                    {"ok", result_ok},
                    {"[]", result_at}},
        .create = result_create,
    };
    return type;
}

const NativeType& apply_result_type() {
    static const NativeType type{
        .name = "ApplyResult",
        .interface = R"(
            attributes => {
                'report' => Hash[String[1], Data],
                'target' => Target,
                'error' => Optional[Error],
                'catalog' => Optional[Hash]
            },
            functions => {
                ok => Callable[[], Boolean],
                message => Callable[[], Optional[String]],
                action => Callable[[], String],
                to_data => Callable[[], Hash],
                value => Callable[[], Hash]
            })",
        .methods = {{"ok", result_ok},
                    {"message", result_message},
                    {"action", result_action},
                    {"to_data", result_to_data},
                    {"value", result_value}},
        .instances = false,
    };
    return type;
}

}  // namespace volley::planner
