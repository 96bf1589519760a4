#include "language/ruby/callbacks.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/legacy.hpp"
#include "language/functions/stdlib/old_checks.hpp"
#include "language/ruby/ruby.hpp"
#include "language/ruby/ruby_runner.hpp"

namespace volley {

Value call_from_ruby(CallContext& context, const std::string& name, std::vector<Value> arguments) {
    return call_with_block_from_ruby(context, name, std::move(arguments), nullptr);
}

Value call_with_block_from_ruby(CallContext& context, const std::string& name, std::vector<Value> arguments,
                                const Closure* block) {
    if (!context.evaluator.has_function(name)) throw EvalError("", "Unknown function: '" + name + "'");
    return context.evaluator.call(name, std::move(arguments), block, context.frame, context.at);
}

Value call_legacy_from_ruby(CallContext& context, const std::string& name, std::vector<Value> arguments) {
    if (const stdlib::OldCheck check = stdlib::old_check(name)) {
        check(arguments);
        return {};
    }
    if (const stdlib::OldQuestion ask = stdlib::old_question(name)) return ask(arguments);
    const Builtin* builtin = context.environment().find_builtin(name);
    CallContext inner{context.evaluator, context.frame, nullptr, name, context.at};
    Attempt* const attempt = context.environment().attempt;
    if (builtin && attempt && !builtin->pure) attempt->refuse(name);
    // Compatibility: "function_NAME" means functions of the older API, and the language's own of that name
    // are not.
    const auto is_of_language = [&] {
        const auto& all = all_builtins();
        return std::find(all.begin(), all.end(), builtin) != all.end();
    };
    if (builtin && !builtin->legacy_arity && context.environment().ruby().runner().knows_legacy(name) &&
        is_of_language())
        return context.environment().ruby().runner().call_legacy(inner, name, arguments);
    if (builtin && builtin->legacy_arity) {
        check_legacy_arity(name, *builtin->legacy_arity, arguments.size());
        return builtin->dispatches.front().call(inner, arguments);
    }
    if (builtin) return builtin->invoke(inner, arguments);
    return context.evaluator.call(name, std::move(arguments), nullptr, context.frame, context.at);
}

void replace_changed(CallContext& context, const Value& old, const Value& now) {
    if (CatalogHooks* catalog = context.evaluator.catalog()) catalog->replace_value(old, now);
    for (FramePtr frame = context.frame; frame; frame = frame->parent()) frame->replace(old, now);
}

}  // namespace volley
