#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/legacy.hpp"
#include "language/functions/module_text.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value file(CallContext& context, std::span<const Value> args) {
    std::string names;
    for (const Value& name : args) {
        const auto found = module_text(context, "files", ruby_to_s(name));
        if (found) return found->text;
        names += (names.empty() ? "" : ", ") + ruby_to_s(name);
    }
    throw EvalError("", "Could not find any files from " + names);
}

}  // namespace

const Builtin& file_builtin() {
    static const Builtin def{
        .name = "file",
        .doc = "The content of the first of several files that exists.",
        .pure = true,
        .dispatches = {legacy_dispatch(file)},
        .legacy_arity = -2,
        .file = FileArgument{0, "files"},
    };
    return def;
}

}  // namespace volley::builtins
