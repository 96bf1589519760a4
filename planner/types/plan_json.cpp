#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/serialization/json.hpp"
#include "language/text/text.hpp"
#include "planner/types/collection_json.hpp"
#include "planner/types/plan_types.hpp"

namespace volley::planner {
namespace {

Json error_json(const ObjectBase& error) {
    Json json = Json::object();
    for (const char* key : {"kind", "msg", "details"}) {
        json[key] = plan_json(error.attribute(key).value_or(Value()));
    }
    if (json["details"].is_null()) json["details"] = Json::object();
    const Value issue = error.attribute("issue_code").value_or(Value());
    if (!issue.is_undef()) json["issue_code"] = plan_json(issue);
    return json;
}

Json resource_json(const ResourceObject& resource) {
    Json json = Json::object();
    for (const char* key : {"target", "type", "title", "state", "desired_state", "events"}) {
        json[key] = plan_json(resource.attribute(key).value_or(Value()));
    }
    return json;
}

Json object_json(const Value& value) {
    if (const auto* result = object_in<ResultObject>(value)) return result->result().to_json();
    if (const auto* target = object_in<TargetObject>(value)) return target->target().safe_name();
    if (const auto* resource = object_in<ResourceObject>(value)) return resource_json(*resource);
    if (const auto* container = object_in<ContainerResultObject>(value))
        return container->outcome().to_json();
    if (is_error_value(value)) return error_json(value.as<ObjectBase>());
    if (const auto* set = object_in<ResultSetObject>(value)) {
        Json list = Json::array();
        for (const ResultRef& one : set->results()) list.push_back(one->result().to_json());
        return list;
    }
    return value.as<ObjectBase>().text();
}

}  // namespace

std::optional<Json> collection_json(const Value& value, Json (*each)(const Value&)) {
    const NestingGuard guard;
    if (value.is_array()) {
        Json list = Json::array();
        for (const Value& item : value.as_array()) list.push_back(each(item));
        return list;
    }
    if (!value.is_hash()) return std::nullopt;
    Json map = Json::object();
    for (const Hash::Entry& entry : value.as_hash()) map[to_text(entry.key)] = each(entry.value);
    return map;
}

Json plan_json(const Value& value) {
    if (auto collection = collection_json(value, plan_json)) return *std::move(collection);
    return value.is(Kind::Object) ? object_json(value) : to_json(value);
}

}  // namespace volley::planner
