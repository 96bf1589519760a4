#include "language/validation/heredoc_syntax.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/syntax/parser.hpp"
#include "language/validation/checker.hpp"
#include "support/json/json_reader.hpp"

namespace volley {
namespace {

constexpr std::size_t longest_quote = 500;

std::optional<std::string> check_json_text(std::string_view text) {
    if (!try_parse_json(text).is_discarded()) return std::nullopt;
    std::string shown(text.substr(0, longest_quote));
    for (std::size_t at = shown.find('\n'); at != std::string::npos; at = shown.find('\n', at))
        shown.replace(at, 1, "\\n");
    return "JSON syntax checker: Cannot parse invalid JSON string. \"unexpected token at '" + shown + "'\"";
}

bool is_base64_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

/// Strict: whole groups of four, filled up with "=".
bool is_strict_base64(std::string_view text) {
    if (text.size() % 4 != 0) return false;
    std::size_t letters = text.size();
    for (int i = 0; i < 2 && letters > 0 && text[letters - 1] == '='; ++i) --letters;
    return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(letters), is_base64_letter);
}

std::optional<std::string> check_base64_text(std::string_view text) {
    std::string cleaned;
    for (const char c : text) {
        if (c != '\r' && c != '\n' && c != ' ' && c != '\t' && c != '?') cleaned += c;
    }
    if (is_strict_base64(cleaned)) return std::nullopt;
    const std::string start = "Base64 syntax checker: Cannot parse invalid Base64 string - ";
    return start + (cleaned.size() * 8 % 6 != 0
                        ? "padding is not correct"
                        : "contains letters outside strict base 64 range (or whitespace)");
}

std::optional<std::string> check_program_text(std::string_view text, bool epp,
                                              const LanguageSettings& settings) {
    try {
        const auto program =
            parse_program(std::string(text), {.file = {}, .tasks = settings.tasks, .epp = epp});
        for (const Diagnostic& found : Checker(settings).run(*program)) {
            if (found.severity == Severity::Err) throw ParseError(found.issue, found.message, found.at);
        }
        return std::nullopt;
    } catch (const LanguageError& error) {
        return std::string(epp ? "EPP" : "PP") + " syntax checker: \"" +
               error.full_message().substr(0, longest_quote) + "\"";
    }
}

}  // namespace

std::optional<std::string> check_heredoc_syntax(std::string_view text, std::string_view syntax,
                                                const LanguageSettings& settings) {
    std::string_view known = syntax;
    while (known.ends_with('+')) known.remove_suffix(1);
    known = known.substr(known.rfind('+') + 1);
    std::optional<std::string> mistake;
    if (known == "json") {
        mistake = check_json_text(text);
    } else if (known == "base64") {
        mistake = check_base64_text(text);
    } else if (known == "pp" || known == "epp") {
        if (known != syntax) {
            throw EvalError("", "Could not parse for environment " + settings.environment + ": " +
                                    (known == "pp" ? "PP" : "EPP") +
                                    " syntax checker: the syntax identifier must be a String, e.g. pp");
        }
        mistake = check_program_text(text, known == "epp", settings);
    }
    if (!mistake) return std::nullopt;
    return "Invalid produced text having syntax: '" + std::string(syntax) + "'. " + *mistake;
}

}  // namespace volley
