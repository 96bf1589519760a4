#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/legacy.hpp"
#include "language/types/type.hpp"

namespace volley::builtins {
namespace {

std::string shellquote_quoted(const std::string& word) {
    const std::string_view safe = "-_./,:=@+%";
    const bool plain =
        !word.empty() &&
        word.find_first_not_of(std::string("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") +
                               std::string(safe)) == std::string::npos;
    if (plain) return word;
    if (word.find_first_of("$`\"\\!") == std::string::npos) return "\"" + word + "\"";
    if (word.find('\'') == std::string::npos) return "'" + word + "'";
    std::string result = "\"";
    for (const char c : word) {
        if (std::string_view("$`\"\\").find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result + "\"";
}
void append_words(const Value& value, std::string& out) {
    const NestingGuard guard;
    if (value.is_array()) {
        for (const Value& item : value.as_array()) append_words(item, out);
        return;
    }
    if (!value.is_string())
        throw EvalError("", "shellquote() takes strings and lists of them, got a value of type " +
                                to_display_string(*infer(value)));
    if (!out.empty()) out += ' ';
    out += shellquote_quoted(value.as_string());
}
Value shellquote(CallContext&, std::span<const Value> args) {
    std::string result;
    for (const Value& value : args) append_words(value, result);
    return result;
}

}  // namespace

const Builtin& shellquote_builtin() {
    static const Builtin def{
        .name = "shellquote",
        .doc = "The arguments quoted as words of a POSIX shell command.",
        .pure = true,
        .dispatches = {legacy_dispatch(shellquote)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::builtins
