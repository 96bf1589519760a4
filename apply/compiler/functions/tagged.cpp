#include <algorithm>

#include "apply/compiler/compiler.hpp"
#include "language/errors.hpp"
#include "language/functions/legacy.hpp"

namespace volley::compiler_functions {
namespace {

Value tagged(CallContext& context, std::span<const Value> args) {
    Compiler& compiler = Compiler::of(context);
    const Resource& resource = *compiler.scope_of(context.frame).resource();
    return std::all_of(args.begin(), args.end(),
                       [&](const Value& tag) { return compiler.is_tagged(resource, tag); });
}

}  // namespace

const Builtin& tagged_builtin() {
    static const Builtin def{
        .name = "tagged",
        .doc = "Whether the class or defined type around, or the catalog so far, has all of several tags.",
        .pure = true,
        .dispatches = {legacy_dispatch(tagged)},
        .legacy_arity = -2,
    };
    return def;
}

}  // namespace volley::compiler_functions
