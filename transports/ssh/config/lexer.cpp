#include <stdexcept>

#include "support/text.hpp"
#include "transports/ssh/config/parsed_config.hpp"

namespace volley::transports::ssh {
namespace {

constexpr std::string_view blanks = " \t\r\n\f";

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }

void skip_blanks(std::string_view& text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

/// The next word by OpenSSH's quoting rules: '...' and "..." group, a backslash escapes quotes, itself and,
/// outside quotes, a space. A # where a word could begin ends the line.
bool next_word(std::string_view& text, std::string& word) {
    skip_blanks(text);
    if (text.empty() || text.front() == '#') return false;
    char quote = 0;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        if (c == '\\' && (next == '"' || next == '\'' || next == '\\' || (quote == 0 && next == ' '))) {
            word += next;
            ++at;
        } else if (quote == 0 && is_blank(c)) {
            break;
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (quote != 0 && c == quote) {
            quote = 0;
        } else {
            word += c;
        }
    }
    if (quote != 0) throw std::invalid_argument("unterminated quote");
    text.remove_prefix(at);
    return true;
}

}  // namespace

ConfigLine split_config_line(std::string_view line) {
    ConfigLine result;
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    skip_blanks(line);
    if (line.empty() || line.front() == '#') return result;
    std::size_t end = 0;
    while (end < line.size() && !is_blank(line[end]) && line[end] != '=') ++end;
    result.keyword = lower(line.substr(0, end));
    if (result.keyword.size() > 1 && result.keyword.front() == '"' && result.keyword.back() == '"') {
        result.keyword = result.keyword.substr(1, result.keyword.size() - 2);
    }
    line.remove_prefix(end);
    skip_blanks(line);
    if (!line.empty() && line.front() == '=') line.remove_prefix(1);
    skip_blanks(line);
    if (line.empty())
        throw std::invalid_argument("missing argument after '" + scrub_utf8(result.keyword) + "'");
    result.rest = line;
    for (std::string word; next_word(line, word); word.clear()) result.words.push_back(word);
    return result;
}

}  // namespace volley::transports::ssh
