#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/syntax/lexer/characters.hpp"

namespace volley::builtins {
namespace {

Value getvar(CallContext& context, std::span<const Value> args) {
    const std::string& text = args[0].as_string();
    std::size_t end = 0;
    while (end < text.size() && (is_word(text[end]) || (text[end] == ':'))) ++end;
    if (end < text.size() && text[end] != '.') {
        throw EvalError(
            "", "First character after var name in get string must be a '.' - got " + text.substr(end, 1));
    }
    Value otherwise = args.size() > 1 ? args[1] : Value();
    const auto value = context.evaluator.find_variable(text.substr(0, end), context.frame);
    if (!value) return otherwise;
    const std::string path = end < text.size() ? text.substr(end + 1) : "";
    return context.evaluator.call("get", {*value, Value(path), otherwise}, context.block, context.frame,
                                  context.at);
}
Value invalid(CallContext&, std::span<const Value>) {
    throw EvalError("", "'getvar' The given string does not start with a valid variable name");
}

}  // namespace

const Builtin& getvar_builtin() {
    static const Builtin def{
        .name = "getvar",
        .doc = "The value of a variable given by its name and a dotted path.",
        .pure = true,
        .reads_variables = true,
        .dispatches = {{.params = {{"Pattern[/\\A(?:::)?(?:[a-z]\\w*::)*[a-z_]\\w*(?:\\.|\\Z)/]",
                                    "get_string"},
                                   {"Any", "default_value", Dispatch::Optional}},
                        .block = "Optional[Callable[1,1]]",
                        .call = getvar},
                       {.params = {{"String", "get_string"}, {"Any", "default_value", Dispatch::Optional}},
                        .block = "Optional[Callable]",
                        .call = invalid,
                        .explains = true}},
    };
    return def;
}

}  // namespace volley::builtins
