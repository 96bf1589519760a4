#include "language/functions/builtin.hpp"
#include "language/functions/first_found.hpp"

namespace volley::builtins {
namespace {

Value module_directory(CallContext& context, std::span<const Value> args) {
    return first_found(context, args, "");
}

}  // namespace

const Builtin& module_directory_builtin() {
    static const Builtin def{
        .name = "module_directory",
        .doc = "The folder of the first of several modules that exists, or undef.",
        .pure = true,
        .dispatches = {{.params = {{"String", "names", Dispatch::Repeated}}, .call = module_directory},
                       {.params = {{"Array[String]", "names", Dispatch::Repeated}},
                        .call = module_directory}},
    };
    return def;
}

}  // namespace volley::builtins
