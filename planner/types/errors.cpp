#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "language/types/object_instance.hpp"
#include "language/types/parse.hpp"
#include "planner/types/plan_types.hpp"

namespace volley::planner {
namespace {

const TypePtr& error_language_type() {
    static const TypePtr type = parse_type("Error");
    return type;
}

}  // namespace

Value make_error_value(const std::string& msg, const Value& kind, const Value& details,
                       const Value& issue_code) {
    const auto* type = types::object_type_of(*error_language_type());
    std::vector<Value> values{Value(msg), kind, details, issue_code};
    return Value(Kind::Object,
                 make_shared_object<ObjectInstance>(Ref<const types::ObjectType>(type), std::move(values)));
}

Value make_error_value(const Json& error) {
    const auto part = [&error](const char* key) {
        const auto found = error.find(key);
        return found == error.end() ? Value() : from_json(*found);
    };
    const Value msg = part("msg");
    return make_error_value(msg.is_string() ? msg.as_string() : error.dump(), part("kind"), part("details"),
                            part("issue_code"));
}

bool is_error_value(const Value& value) {
    return value.is(Kind::Object) && is_instance(*error_language_type(), value);
}

}  // namespace volley::planner
