#include <nlohmann/json.hpp>

#include "language/functions/builtin.hpp"
#include "language/serialization/json.hpp"
#include "planner/types/declarations.hpp"
#include "planner/types/plan_types.hpp"

namespace volley::planner {
namespace {

const ContainerOutcome& container_self(const Value& self) {
    return self.as<ContainerResultObject>().outcome();
}

Value container_part(const Value& self, const char* key) {
    return self.as<ContainerResultObject>().indexed(key).value_or(Value());
}

Value container_error(CallContext&, const Value& self, std::span<const Value>) {
    return container_self(self).ok() ? Value() : make_error_value(container_self(self).value->at("_error"));
}
Value container_ok(CallContext&, const Value& self, std::span<const Value>) {
    return container_self(self).ok();
}
Value container_status(CallContext&, const Value& self, std::span<const Value>) {
    return container_self(self).ok() ? "success" : "failure";
}
Value container_stdout(CallContext&, const Value& self, std::span<const Value>) {
    return container_part(self, "stdout");
}
Value container_stderr(CallContext&, const Value& self, std::span<const Value>) {
    return container_part(self, "stderr");
}
Value container_to_data(CallContext&, const Value& self, std::span<const Value>) {
    return from_json(container_self(self).to_json());
}
Value container_at(CallContext&, const Value& self, std::span<const Value> arguments) {
    return container_part(self, arguments[0].as_string().c_str());
}

}  // namespace

std::optional<Value> ContainerResultObject::attribute(std::string_view name) const {
    if (name == "value") return from_json(*outcome_.value);
    return std::nullopt;
}

std::optional<Value> ContainerResultObject::indexed(std::string_view key) const {
    const auto found = outcome_.value->find(std::string(key));
    return found == outcome_.value->end() ? Value() : from_json(*found);
}

std::string ContainerResultObject::text() const { return outcome_.to_json().dump(); }

const NativeType& container_result_type() {
    static const NativeType type{
        .name = "ContainerResult",
        .interface = R"(
            attributes => { 'value' => Hash[String[1], Data] },
            functions => {
                '[]' => Callable[[String[1]], Data],
                error => Callable[[], Optional[Error]],
                ok => Callable[[], Boolean],
                status => Callable[[], String],
                stdout => Callable[[], String],
                stderr => Callable[[], String],
                to_data => Callable[[], Hash]
            })",
        .methods = {{"[]", container_at},
                    {"error", container_error},
                    {"ok", container_ok},
                    {"status", container_status},
                    {"stdout", container_stdout},
                    {"stderr", container_stderr},
                    {"to_data", container_to_data}},
        .instances = false,
    };
    return type;
}

}  // namespace volley::planner
