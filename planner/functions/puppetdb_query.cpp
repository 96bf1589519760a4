#include "planner/functions/plan_function.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

/// The door for PuppetDB, which another room opens.
Value do_puppetdb_query(PlanCall& call) {
    throw Error("volley/not-yet", std::string(call.context.name) + " needs PuppetDB, which this version does not have yet (issue 4)");
}

}  // namespace

const Builtin& puppetdb_query_function() {
    static const Builtin def{
        .name = "puppetdb_query",
        .doc = "Asks PuppetDB.",
        .dispatches = {{.params = {{"Variant[String, Array[Data]]", "query"}, {"String", "instance", Dispatch::Optional}}, .returns = "Array[Data]", .call = plan_body<do_puppetdb_query>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
