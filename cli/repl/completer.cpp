#include "cli/repl/completer.hpp"

#include <algorithm>
#include <array>

#include "cli/help/type_docs.hpp"
#include "language/functions/builtin.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/syntax/parser.hpp"

namespace volley::cli {
namespace {

constexpr auto completed_keywords = std::to_array<std::string_view>(
    {"and", "case", "class", "default", "define", "else", "elsif", "false", "function", "if", "in",
     "inherits", "node", "or", "true", "type", "undef", "unless"});

void add_matching(std::vector<std::string>& candidates, std::string_view name, std::string_view begin) {
    if (name.starts_with(begin)) candidates.emplace_back(name);
}

}  // namespace

Completion complete_code(std::string_view text, std::size_t cursor, const Frame& top,
                         const std::vector<std::string>& functions) {
    std::size_t begin = cursor;
    while (begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == ':')) --begin;
    const std::string_view word = text.substr(begin, cursor - begin);
    Completion completion{begin, {}};
    if (begin > 0 && (text[begin - 1] == '$' || text.substr(0, begin).ends_with("${"))) {
        for (const auto& variable : top.variables())
            add_matching(completion.candidates, variable.first, word);
    } else if (!word.empty() && is_upper(word[0])) {
        for (const TypeDoc& type : type_docs()) add_matching(completion.candidates, type.name, word);
    } else if (!word.empty()) {
        for (const Builtin* builtin : all_builtins())
            add_matching(completion.candidates, builtin->name, word);
        for (const std::string& function : functions) add_matching(completion.candidates, function, word);
        for (const std::string_view keyword : completed_keywords)
            add_matching(completion.candidates, keyword, word);
    }
    auto& all = completion.candidates;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return completion;
}

bool is_incomplete_code(const std::string& code, bool tasks) {
    static constexpr auto open = std::to_array<std::string_view>(
        {"UNCLOSED_QUOTE", "UNCLOSED_MLCOMMENT", "HEREDOC_WITHOUT_TEXT", "HEREDOC_WITHOUT_END_TAGGED_LINE"});
    try {
        static_cast<void>(parse_program(code, {.file = {}, .tasks = tasks, .epp = false}));
        return false;
    } catch (const ParseError& error) {
        if (error.issue() == "SYNTAX_ERROR") return !error.location().known();  // at the end of the input
        return std::find(open.begin(), open.end(), error.issue()) != open.end();
    } catch (const LanguageError&) {
        return false;
    }
}

}  // namespace volley::cli
