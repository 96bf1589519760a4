#include <cstdlib>

#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/text/regexp.hpp"
#include "language/text/text.hpp"

namespace volley::builtins {
namespace {

/// One directive of a format: what it matches and what becomes of the text.
struct ScanfDirective {
    char conversion = 0;  // 'd', 's', '[' ...; 0 for literal text
    bool ignored = false;
    bool keeps_space = false;  // %c and sized sets see leading white space
    std::string pattern;
};

std::string scanf_counted(const std::string& set, const std::string& width) {
    return set + (width.empty() ? "+" : "{1," + width + "}");
}

/// A number of at most `width` characters, its sign and prefix included.
std::string scanf_number(char conversion, const std::string& width) {
    const int n = width.empty() ? 0 : std::atoi(width.c_str());
    const auto up_to = [n](int used) { return "{1," + std::to_string(n - used) + "}"; };
    switch (conversion) {
        case 'i': {
            if (n == 0) return "[-+]?(?:0[0-7]+|0[Xx]\\h+|[1-9]\\d*)";
            std::string any;
            if (n > 1) any += "[1-9]\\d" + up_to(1) + "|0[0-7]" + up_to(1) + "|";
            if (n > 2)
                any += "[-+]0[0-7]" + up_to(2) + "|[-+][1-9]\\d" + up_to(2) + "|0[Xx]\\h" + up_to(2) + "|";
            if (n > 3) any += "[-+]0[Xx]\\h" + up_to(3) + "|";
            return any + "\\d";
        }
        case 'x': {
            if (n == 0) return "[-+]?(?:0[Xx])?\\h+";
            std::string any;
            if (n > 3) any += "[-+]0[Xx]\\h" + up_to(3) + "|";
            if (n > 2) any += "0[Xx]\\h" + up_to(2) + "|";
            if (n > 1) any += "[-+]\\h" + up_to(1) + "|";
            return any + "\\h" + up_to(0);
        }
        default: {
            const std::string digit = conversion == 'o' ? "[0-7]" : "\\d";
            if (n == 0) return "[-+]?" + digit + "+";
            return (n > 1 ? "[-+]" + digit + up_to(1) + "|" : "") + digit + up_to(0);
        }
    }
}

std::string scanf_pattern(char conversion, const std::string& width, const std::string& set) {
    constexpr const char* real =
        "[-+]?(?:0[xX](?:\\.\\h+|\\h+(?:\\.\\h*)?)[pP][-+]?\\d+|\\d+(?![\\d.])|\\d*\\.\\d*(?:[eE][-+]?\\d+)?"
        ")";
    switch (conversion) {
        case 'f':
            return width.empty() ? std::string("(") + real + ")"
                                 : std::string("(?=") + real + ")(\\S{1," + width + "})";
        case 's':
            return "(" + scanf_counted("\\S", width) + ")";
        case 'c':
            return width.empty() ? "(.)" : "(.{1," + width + "})";
        case '[':
            return "(" + scanf_counted(set, width) + ")";
        default:
            return "(" + scanf_number(conversion, width) + ")";
    }
}

std::string scanf_escaped(std::string_view literal) {
    std::string result;
    for (const char c : literal) {
        if (std::string_view("\\^$.|?*+()[]{}-/#").find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

/// The letter by which conversions that mean the same are known; 0 when there is no such conversion.
char scanf_conversion(char letter) {
    const char small = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    switch (small) {
        case 'a':
        case 'e':
        case 'f':
        case 'g':
            return 'f';
        case 'd':
        case 'u':
            return 'd';
        case 'i':
        case 'o':
        case 'x':
        case 's':
        case 'c':
            return small;
        default:
            return 0;
    }
}

/// Reads a directive after its '%'; nullopt when there is none, which leaves `at` where it was.
std::optional<ScanfDirective> scanf_read_directive(std::string_view format, std::size_t& at, bool spaced) {
    std::size_t next = at;
    ScanfDirective directive;
    if (next < format.size() && format[next] == '*') {
        directive.ignored = true;
        ++next;
    }
    std::string width;
    while (next < format.size() && is_digit(format[next]) && width.size() < 5) width += format[next++];
    if (next >= format.size()) return std::nullopt;
    std::string set;
    if (format[next] == '[') {
        const std::size_t inside =
            format.substr(next).starts_with("[[:") ? format.find(":]]", next) : format.find(']', next + 1);
        if (inside == std::string_view::npos) return std::nullopt;
        const std::size_t end = inside + (format[inside] == ':' ? 3 : 1);
        set = std::string(format.substr(next, end - next));
        directive.conversion = '[';
        next = end;
    } else {
        directive.conversion = scanf_conversion(format[next++]);
        if (directive.conversion == 0) return std::nullopt;
    }
    directive.keeps_space =
        (directive.conversion == 'c' && !spaced) || (directive.conversion == '[' && !width.empty());
    directive.pattern = scanf_pattern(directive.conversion, width, set);
    at = next;
    return directive;
}

std::vector<ScanfDirective> scanf_directives(std::string_view format) {
    std::vector<ScanfDirective> list;
    for (std::size_t at = 0; at < format.size();) {
        bool spaced = false;
        while (at < format.size() && is_space(format[at])) {
            spaced = true;
            ++at;
        }
        if (at >= format.size()) break;
        if (format[at] != '%') {
            const std::size_t begin = at;
            while (at < format.size() && format[at] != '%' && !is_space(format[at])) ++at;
            list.push_back({.pattern = "(" + scanf_escaped(format.substr(begin, at - begin)) + ")"});
            continue;
        }
        if (format.substr(at).starts_with("%%")) {
            list.push_back({.pattern = "(\\s*%)"});
            at += 2;
            continue;
        }
        ++at;  // a '%' that begins nothing is left out (compatibility)
        if (auto directive = scanf_read_directive(format, at, spaced)) list.push_back(std::move(*directive));
    }
    return list;
}

Value scanf_integer(const std::string& text, int base) {
    errno = 0;
    const long long number = std::strtoll(text.c_str(), nullptr, base);
    if (errno == ERANGE)
        throw EvalError("NUMERIC_OVERFLOW", "scanf(): " + text + " is too large for an Integer");
    return static_cast<std::int64_t>(number);
}

Value scanf_value(char conversion, const std::string& text) {
    switch (conversion) {
        case 'd':
            return scanf_integer(text, 10);
        case 'i':
            return scanf_integer(text, 0);
        case 'o':
            return scanf_integer(text, 8);
        case 'x':
            return scanf_integer(text, 16);
        case 'f':
            return std::strtod(text.c_str(), nullptr);
        default:
            return text;
    }
}

std::vector<Value> scanf_all(std::string_view text, std::string_view format) {
    std::vector<Value> found;
    for (const ScanfDirective& directive : scanf_directives(format)) {
        while (!directive.keeps_space && !text.empty() && is_space(text[0])) text.remove_prefix(1);
        const auto match = Regexp::compile("\\A" + directive.pattern, Regexp::MultiLine)->search(text);
        if (!match) break;
        if (directive.conversion != 0 && !directive.ignored)
            found.push_back(scanf_value(directive.conversion, std::string(match->group(text, 1))));
        text.remove_prefix(static_cast<std::size_t>(match->groups[0].end));
        if (text.empty()) break;
    }
    return found;
}

Value scanf_call(CallContext& context, std::span<const Value> args) {
    Value found = scanf_all(args[0].as_string(), args[1].as_string());
    return context.block ? context.yield({std::move(found)}) : found;
}

}  // namespace

const Builtin& scanf_builtin() {
    static const Builtin def{
        .name = "scanf",
        .doc =
            "Reads values out of text by a format such as '%d %s': a list of what was found up to the first "
            "directive that does not fit. A lambda gets the list and decides what the call returns.",
        .pure = true,
        .dispatches = {{.params = {{"String", "data"}, {"String", "format"}},
                        .block = "Optional[Callable]",
                        .call = scanf_call}},
    };
    return def;
}

}  // namespace volley::builtins
