#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/legacy.hpp"
#include "language/ruby/ruby.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value inline_template_call(CallContext& context, std::span<const Value> args) {
    require_catalog(context, "ERB inline_template");
    std::string result;
    for (const Value& text : args) {
        try {
            result +=
                context.environment().ruby().render(context, ruby_to_s(text), "", "of inline_template()");
        } catch (const RubyError& error) {
            throw EvalError("", "Failed to parse inline template: " + error.fault.message);
        }
    }
    return result;
}

}  // namespace

const Builtin& inline_template_builtin() {
    static const Builtin def{
        .name = "inline_template",
        .doc =
            "Renders ERB templates given as text, with the variables of the scope, and puts the results "
            "together. Needs a ruby on PATH only for Ruby that is not native.",
        .pure = true,
        .dispatches = {legacy_dispatch(inline_template_call)},
        .legacy_arity = -2,
    };
    return def;
}

}  // namespace volley::builtins
