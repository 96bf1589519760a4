#include "apply/compiler/compiler.hpp"
#include "language/errors.hpp"
#include "language/functions/legacy.hpp"

namespace volley::compiler_functions {
namespace {

Value add_tags(CallContext& context, std::span<const Value> args) {
    Compiler& compiler = Compiler::of(context);
    compiler.add_tags(*compiler.scope_of(context.frame).resource(), args);
    return {};
}

}  // namespace

const Builtin& tag_builtin() {
    static const Builtin def{
        .name = "tag",
        .doc = "Adds tags to the class or defined type around, and so to everything in it.",
        .dispatches = {legacy_dispatch(add_tags)},
        .legacy_arity = -2,
    };
    return def;
}

}  // namespace volley::compiler_functions
