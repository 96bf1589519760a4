#include "apply/compiler/compiler.hpp"
#include "language/errors.hpp"
#include "language/functions/legacy.hpp"

namespace volley::compiler_functions {
namespace {

/// The items of nested lists. An undef is a reference without text, which there cannot be.
void add_realized(const Value& value, std::vector<Value>& references) {
    if (!value.is_array()) {
        references.push_back(value.is_undef() ? Value("") : value);
        return;
    }
    const NestingGuard guard;
    for (const Value& item : value.as_array()) add_realized(item, references);
}

Value realize(CallContext& context, std::span<const Value> args) {
    Compiler& compiler = Compiler::of(context);
    std::vector<Value> references;
    for (const Value& one : args) add_realized(one, references);
    compiler.realize(std::move(references), compiler.scope_of(context.frame));
    return {};
}

}  // namespace

const Builtin& realize_builtin() {
    static const Builtin def{
        .name = "realize",
        .doc = "Makes virtual resources, given by their references, real.",
        .dispatches = {legacy_dispatch(realize)},
        .legacy_arity = -2,
    };
    return def;
}

}  // namespace volley::compiler_functions
