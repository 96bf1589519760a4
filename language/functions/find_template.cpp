#include "language/functions/builtin.hpp"
#include "language/functions/first_found.hpp"

namespace volley::builtins {
namespace {

Value find_template(CallContext& context, std::span<const Value> args) {
    return first_found(context, args, "templates");
}

}  // namespace

const Builtin& find_template_builtin() {
    static const Builtin def{
        .name = "find_template",
        .doc = "The path of the first of several templates that exists, or undef.",
        .pure = true,
        .dispatches = {{.params = {{"String", "paths", Dispatch::Repeated}}, .call = find_template},
                       {.params = {{"Array[String]", "paths_array", Dispatch::Repeated}},
                        .call = find_template}},
    };
    return def;
}

}  // namespace volley::builtins
