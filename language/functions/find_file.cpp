#include "language/functions/builtin.hpp"
#include "language/functions/first_found.hpp"

namespace volley::builtins {
namespace {

Value find_file(CallContext& context, std::span<const Value> args) {
    return first_found(context, args, "files");
}

}  // namespace

const Builtin& find_file_builtin() {
    static const Builtin def{
        .name = "find_file",
        .doc = "The path of the first of several files that exists, or undef.",
        .pure = true,
        .dispatches = {{.params = {{"String", "paths", Dispatch::Repeated}}, .call = find_file},
                       {.params = {{"Array[String]", "paths_array", Dispatch::Repeated}}, .call = find_file}},
    };
    return def;
}

}  // namespace volley::builtins
