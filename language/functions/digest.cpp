#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/functions/legacy.hpp"
#include "language/text/characters_case.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value digest_digest(CallContext& context, std::span<const Value> args) {
    if (!args[0].is_string())
        throw EvalError("", "no implicit conversion of " + ruby_class(args[0]) + " into String");
    return digest_text(to_upper(context.environment().settings.digest_algorithm), args[0].as_string());
}

}  // namespace

const Builtin& digest_builtin() {
    static const Builtin def{
        .name = "digest",
        .doc = "A digest of text by the algorithm that the settings name.",
        .pure = true,
        .dispatches = {legacy_dispatch(digest_digest)},
        .legacy_arity = 1,
    };
    return def;
}

}  // namespace volley::builtins
