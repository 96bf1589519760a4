#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_bool2str(CallContext&, std::span<const Value> args) {
    if (args.size() != 1 && args.size() != 3)
        fail("bool2str(): Wrong number of arguments given (" + std::to_string(args.size()) + " for 3)");
    if (!args[0].is(Kind::Boolean)) fail("bool2str(): Requires a boolean to work with");
    const auto text = [&args](std::size_t index, std::string_view standard) {
        return args.size() > index && args[index].truthy() ? args[index] : Value(standard);
    };
    const Value yes = text(1, "true");
    const Value no = text(2, "false");
    if (!yes.is_string() || !no.is_string()) fail("bool2str(): Requires strings to convert to");
    return args[0].as_boolean() ? yes : no;
}

}  // namespace

const Builtin& bool2str_function() {
    static const Builtin def{
        .name = "bool2str",
        .doc = "'true' or 'false' for a Boolean, or the two texts that are given.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_bool2str)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
