#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "planner/functions/ask_puppetdb.hpp"

namespace volley::planner {
namespace {

Value do_puppetdb_fact(PlanCall& call) {
    std::vector<std::string> names;
    for (const Value& name : call.arguments[0].as_array()) names.push_back(name.as_string());
    auto work = [names = std::move(names)](inventory::PuppetDb& database) { return database.facts(names); };
    return from_json(ask_puppetdb(call, 1, std::move(work)));
}

}  // namespace

const Builtin& puppetdb_fact_function() {
    static const Builtin def{
        .name = "puppetdb_fact",
        .doc = "The facts that PuppetDB knows of nodes.",
        .dispatches = {{.params = {{"Array[String]", "certnames"},
                                   {"String", "instance", Dispatch::Optional}},
                        .returns = "Hash[String, Data]",
                        .call = plan_body<do_puppetdb_fact>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
