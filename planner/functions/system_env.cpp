#include <cstdlib>

#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_system_env(CallContext&, std::span<const Value> arguments) {
    const char* value = std::getenv(arguments[0].as_string().c_str());
    return value ? Value(value) : Value();
}

}  // namespace

const Builtin& system_env_function() {
    static const Builtin def{
        .name = "system::env",
        .doc = "An environment variable of the controller.",
        .dispatches = {{.params = {{"String", "name"}},
                        .returns = "Optional[String]",
                        .call = do_system_env}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
