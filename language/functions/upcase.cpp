#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"
#include "language/text/characters_case.hpp"

namespace volley::builtins {
namespace {

Value upcase(CallContext&, std::span<const Value> args) { return each_nested_string(args[0], to_upper); }

}  // namespace

const Builtin& upcase_builtin() {
    static const Builtin def = nested_string_function("upcase", "Text in upper case.", upcase);
    return def;
}

}  // namespace volley::builtins
