#include "language/functions/stdlib/common.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "support/text.hpp"

namespace volley::stdlib {
namespace {

std::string stdlib_swap(std::string text, std::string_view from, std::string_view to) {
    for (char& c : text) {
        if (const std::size_t at = from.find(c); at != std::string_view::npos) c = to[at];
    }
    return text;
}

std::string stdlib_encode(const std::string& bytes, const std::string& method) {
    std::string text = base64_encode(bytes);
    if (method == "urlsafe") return stdlib_swap(std::move(text), "+/", "-_");
    if (method == "strict" || text.empty()) return text;
    for (std::size_t at = 60; at < text.size(); at += 61) text.insert(at, 1, '\n');
    return text + "\n";
}

std::string stdlib_decode(std::string text, const std::string& method) {
    if (method == "urlsafe") text = stdlib_swap(std::move(text), "-_", "+/");
    const bool lenient = method == "default";
    std::string clean;
    for (const char c : text) {
        const bool known = is_word(c) && c != '_';
        if (known || c == '+' || c == '/' || (!lenient && c == '='))
            clean += c;
        else if (lenient && c == '=')
            break;
        else if (!lenient)
            fail("invalid base64");
    }
    if (method == "urlsafe" || lenient) {
        if (lenient && clean.size() % 4 == 1) clean.pop_back();
        while (clean.size() % 4 != 0) clean += '=';
    }
    const auto bytes = clean.size() % 4 == 0 ? base64_decode(clean) : std::nullopt;
    if (!bytes) fail("invalid base64");
    return *bytes;
}

Value stdlib_base64(CallContext&, std::span<const Value> args) {
    if (args.size() < 2)
        fail("base64(): Wrong number of arguments (" + std::to_string(args.size()) + "; must be >= 2)");
    const bool encode = args[0] == Value("encode");
    if (!encode && !(args[0] == Value("decode")))
        fail("base64(): the first argument must be one of 'encode' or 'decode'");
    if (!args[1].is_string()) fail("base64(): the second argument must be a string to base64");
    const std::string method = args.size() < 3 ? "default" : args[2].is_string() ? args[2].as_string() : "";
    if (method != "default" && method != "strict" && method != "urlsafe")
        fail("base64(): the third argument must be one of 'default', 'strict', or 'urlsafe'");
    const std::string& text = args[1].as_string();
    return encode ? stdlib_encode(text, method) : stdlib_decode(text, method);
}

}  // namespace

const Builtin& base64_function() {
    static const Builtin def{
        .name = "base64",
        .doc =
            "Text as base64 and back: an action (encode, decode), the text, and how: default (lines of 60 "
            "characters), strict or urlsafe.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_base64)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
