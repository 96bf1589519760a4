#include "apply/agent/types/tables/alias_line.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "apply/agent/types/tables/table_text.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

bool needs_quotes(const std::string& recipient) {
    return std::any_of(recipient.begin(), recipient.end(), [](char c) {
        const bool plain =
            std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<signed char>(c) > 0;
        return !plain && std::string_view("-+_@.").find(c) == std::string_view::npos;
    });
}

std::string without_quotes(std::string_view text) {
    const auto is_quote = [](char c) { return c == '"' || c == '\''; };
    if (!text.empty() && is_quote(text.front())) text.remove_prefix(1);
    if (!text.empty() && is_quote(text.back())) text.remove_suffix(1);
    return std::string(text);
}

/// The parts between commas, but for those in double quotes: an even number of quotes comes after the others.
std::vector<std::string_view> recipients_in(std::string_view text) {
    std::vector<std::string_view> parts;
    auto quotes = std::count(text.begin(), text.end(), '"');
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        quotes -= text[at] == '"' ? 1 : 0;
        if (text[at] != ',' || quotes % 2 != 0) continue;
        parts.push_back(text.substr(begin, at - begin));
        begin = at + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

}  // namespace

AliasLine alias_line(const std::string& line) {
    AliasLine found;
    found.text = line;
    const std::size_t colon = line.find(':');
    if (line.starts_with('#') || colon == std::string::npos || trim(line).empty()) return found;
    found.name = trim(std::string_view(line).substr(0, colon));
    const std::vector<std::string> parts = split(line, ':');
    if (parts.size() >= 4 && trim(parts[2]) == "include") {
        const std::size_t third = line.find(':', line.find(':', colon + 1) + 1);
        found.file = trim(std::string_view(line).substr(third + 1));
        return found;
    }
    found.recipients.emplace();
    const std::string_view rest = trim(std::string_view(line).substr(colon + 1));
    if (rest.empty()) return found;
    for (const std::string_view part : recipients_in(rest))
        found.recipients->push_back(without_quotes(trim(part)));
    while (!found.recipients->empty() && found.recipients->back().empty()) found.recipients->pop_back();
    return found;
}

std::string AliasLine::line() const {
    if (!is_entry()) return text;
    if (recipients) {
        std::vector<std::string> words;
        for (const std::string& recipient : *recipients)
            words.push_back(needs_quotes(recipient) ? "\"" + recipient + "\"" : recipient);
        return name + ": " + join(words, ",");
    }
    return file.empty() ? std::string() : name + ": :include: " + file;
}

}  // namespace volley::agent
