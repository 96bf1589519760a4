#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"
#include "language/text/characters_case.hpp"

namespace volley::builtins {
namespace {

Value downcase(CallContext&, std::span<const Value> args) { return each_nested_string(args[0], to_lower); }

}  // namespace

const Builtin& downcase_builtin() {
    static const Builtin def = nested_string_function("downcase", "Text in lower case.", downcase);
    return def;
}

}  // namespace volley::builtins
