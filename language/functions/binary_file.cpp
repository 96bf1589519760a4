#include "language/binary.hpp"
#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value binary_file(CallContext& context, std::span<const Value> args) {
    const std::string& name = args[0].as_string();
    const auto found = context.environment().host.module_file("files", name);
    if (!found) throw EvalError("", "binary_file(): The given file '" + name + "' does not exist");
    return Binary::make(found->text);
}

}  // namespace

const Builtin& binary_file_builtin() {
    static const Builtin def{
        .name = "binary_file",
        .doc = "The bytes of a file of a module.",
        .pure = true,
        .dispatches = {{.params = {{"String", "path"}}, .call = binary_file}},
    };
    return def;
}

}  // namespace volley::builtins
