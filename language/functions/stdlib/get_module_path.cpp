#include "language/evaluator/environment.hpp"
#include "language/functions/stdlib/common.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_get_module_path(CallContext& context, std::span<const Value> args) {
    if (args.size() != 1) fail("get_module_path(): Wrong number of arguments, expects one");
    const std::string name = ruby_to_s(args[0]);
    const auto path = context.environment().host.module_path(name);
    if (!path)
        fail("Could not find module " + name + " in environment " +
             context.environment().settings.environment);
    return *path;
}

}  // namespace

const Builtin& get_module_path_function() {
    static const Builtin def{
        .name = "get_module_path",
        .doc = "The folder of a module. It is an error when there is no such module.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_get_module_path)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
