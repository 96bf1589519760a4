#include "planner/functions/plan_function.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

/// The door for PuppetDB, which another room opens.
Value do_puppetdb_command(PlanCall& call) {
    throw Error("volley/not-yet", std::string(call.context.name) + " needs PuppetDB, which this version does not have yet (issue 4)");
}

}  // namespace

const Builtin& puppetdb_command_function() {
    static const Builtin def{
        .name = "puppetdb_command",
        .doc = "Sends a command to PuppetDB.",
        .dispatches = {{.params = {{"String[1]", "command"}, {"Integer", "version"}, {"Hash[Data, Data]", "payload"}, {"String", "instance", Dispatch::Optional}}, .returns = "String", .call = plan_body<do_puppetdb_command>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
