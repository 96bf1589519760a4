#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_set_config(PlanCall& call) {
    inventory::Target target = object_in<TargetObject>(call.arguments[0])->target();
    std::vector<std::string> path;
    if (call.arguments[1].is_string()) {
        path.push_back(call.text(1));
    } else {
        for (const Value& key : call.arguments[1].as_array()) path.push_back(key.as_string());
    }
    if (path.size() == 1 && path.front().empty()) path.clear();
    target.set_config(path, to_json(call.arguments[2]));
    return call.arguments[0];
}

}  // namespace

const Builtin& set_config_function() {
    static const Builtin def{
        .name = "set_config",
        .doc = "Changes a part of a target's configuration.",
        .dispatches = {{.params = {{"Target", "target"},
                                   {"Variant[String, Array[String]]", "key_or_key_path"},
                                   {"Any", "value"}},
                        .returns = "Target",
                        .call = plan_body<do_set_config>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
