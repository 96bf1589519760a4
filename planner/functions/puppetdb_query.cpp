#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "planner/functions/ask_puppetdb.hpp"

namespace volley::planner {
namespace {

Value do_puppetdb_query(PlanCall& call) {
    auto work = [query = to_json(call.arguments[0])](inventory::PuppetDb& database) {
        return database.query(query);
    };
    return from_json(ask_puppetdb(call, 1, std::move(work)));
}

}  // namespace

const Builtin& puppetdb_query_function() {
    static const Builtin def{
        .name = "puppetdb_query",
        .doc = "Asks PuppetDB.",
        .dispatches = {{.params = {{"Variant[String, Array[Data]]", "query"},
                                   {"String", "instance", Dispatch::Optional}},
                        .returns = "Array[Data]",
                        .call = plan_body<do_puppetdb_query>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
