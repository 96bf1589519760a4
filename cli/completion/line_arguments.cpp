#include "cli/completion/line_arguments.hpp"

namespace volley::cli {

std::vector<std::string> line_arguments(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool begun = false;  // '' is a word, too
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool escapes = c == '\\' && quote != '\'' && i + 1 < line.size();
        if (escapes) {
            word += line[++i];
            begun = true;
        } else if (quote != '\0') {
            if (c == quote)
                quote = '\0';
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            begun = true;
        } else if (c == ' ' || c == '\t' || c == '\n') {
            if (begun) words.push_back(std::move(word));
            word.clear();
            begun = false;
        } else {
            word += c;
            begun = true;
        }
    }
    words.push_back(std::move(word));
    return words;
}

}  // namespace volley::cli
