#include "language/evaluator/evaluator.hpp"
#include "language/functions/stdlib/common.hpp"
#include "support/text.hpp"

namespace volley::stdlib {
namespace {

/// `where` is the description of a scope: "Class[A::B]" or "A::B[title]".
std::string stdlib_private_message(const std::string& where) {
    const std::size_t bracket = where.find('[');
    const std::string type = lower(where.substr(0, bracket));
    if (type != "class") return "Definition " + type + " is private";
    return "Class " + lower(where.substr(bracket + 1, where.size() - bracket - 2)) + " is private";
}

Value stdlib_assert_private(CallContext& context, std::span<const Value> args) {
    if (args.size() > 1) {
        // Compatibility: the brace is the module's.
        fail("assert_private(): Wrong number of arguments given (" + std::to_string(args.size()) +
             "}) for 0 or 1)");
    }
    const std::string& where = context.frame->root().description();
    const auto variable = [&context](std::string_view name) {
        return context.evaluator.find_variable(name, context.frame).value_or(Value());
    };
    const bool outermost = where.empty() || where == "Class[main]";
    if (!outermost && variable("module_name") == variable("caller_module_name")) return {};
    if (!args.empty() && args[0].is_string()) fail(args[0].as_string());
    fail(stdlib_private_message(outermost ? "Class[]" : where));
}

}  // namespace

const Builtin& assert_private_function() {
    static const Builtin def{
        .name = "assert_private",
        .doc =
            "Ends the compilation when the class or defined type it stands in is used from outside of its "
            "module.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_assert_private)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
