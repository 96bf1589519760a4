#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"
#include "language/text/characters_case.hpp"

namespace volley::builtins {
namespace {

Value capitalize_change(CallContext&, std::span<const Value> args) {
    return each_string(args[0], to_capitalized);
}

}  // namespace

const Builtin& capitalize_builtin() {
    static const Builtin def{
        .name = "capitalize",
        .doc = "The first letter in upper case, the others in lower case.",
        .pure = true,
        .dispatches = {string_or_list_dispatches(capitalize_change)},
    };
    return def;
}

}  // namespace volley::builtins
