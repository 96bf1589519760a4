#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "planner/functions/ask_puppetdb.hpp"

namespace volley::planner {
namespace {

Value do_puppetdb_command(PlanCall& call) {
    auto work = [command = call.text(0), version = static_cast<int>(call.arguments[1].as_integer()),
                 payload = to_json(call.arguments[2])](inventory::PuppetDb& database) {
        return database.command(command, version, payload);
    };
    return from_json(ask_puppetdb(call, 3, std::move(work)));
}

}  // namespace

const Builtin& puppetdb_command_function() {
    static const Builtin def{
        .name = "puppetdb_command",
        .doc = "Sends a command to PuppetDB.",
        .dispatches = {{.params = {{"String[1]", "command"},
                                   {"Integer", "version"},
                                   {"Hash[Data, Data]", "payload"},
                                   {"String", "instance", Dispatch::Optional}},
                        .returns = "String",
                        .call = plan_body<do_puppetdb_command>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
