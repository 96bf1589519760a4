#include "apply/agent/types/ini/subsettings.hpp"

#include <algorithm>
#include <charconv>

#include "apply/agent/text/pattern.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {

Subsettings::Subsettings(const std::optional<std::string>& value, SubsettingStyle style)
    : style_(std::move(style)) {
    if (!value) return;
    std::string_view text = *value;
    for (const char quote : {'"', '\''}) {
        if (text.size() < 2 || text.front() != quote || text.back() != quote) continue;
        style_.quote = quote;
        text = text.substr(1, text.size() - 2);
        break;
    }
    // Compatibility: the first character of the separator is escaped in a set of a regular expression.
    const Pattern word("(?:(?:[^\\" + style_.separator + "]|\\.)+)");
    while (const auto found = word.groups(text)) {
        const std::string_view whole = (*found)[0];
        words_.emplace_back(trim(whole));
        text.remove_prefix(static_cast<std::size_t>(whole.data() - text.data()) + whole.size());
    }
}

bool Subsettings::is(const std::string& word, std::string_view name, bool whole) const {
    return whole ? word == name : word.starts_with(std::string(name) + style_.value_separator);
}

std::optional<std::size_t> Subsettings::find(std::string_view name, bool whole) const {
    const auto found = std::find_if(words_.begin(), words_.end(),
                                    [&](const std::string& word) { return is(word, name, whole); });
    if (found == words_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - words_.begin());
}

std::optional<std::string> Subsettings::value(std::string_view name) const {
    const auto at = find(name, false);
    if (!at) return std::nullopt;
    return words_[*at].substr(name.size() + style_.value_separator.size());
}

std::size_t Subsettings::place(std::string_view insert_type, const std::string& insert_value) const {
    if (insert_type == "start") return 0;
    if (insert_type == "before" || insert_type == "after") {
        const auto other = find(insert_value, style_.whole_words);
        return other ? *other + (insert_type == "after" ? 1 : 0) : words_.size();
    }
    if (insert_type != "index") return words_.size();
    long index = 0;
    std::from_chars(insert_value.data(), insert_value.data() + insert_value.size(), index);
    const auto count = static_cast<long>(words_.size());
    if (index < 0) index += count + 1;  // from the end
    if (index < 0)
        throw ApplyError("index " + insert_value + " too small for array; minimum: -" +
                         std::to_string(count + 1));
    return static_cast<std::size_t>(std::min(index, count));
}

void Subsettings::set(std::string_view name, const std::string& value, std::string_view insert_type,
                      const std::string& insert_value) {
    const std::string word = std::string(name) + style_.value_separator + value;
    if (has(name)) {
        for (std::string& one : words_) {
            if (is(one, name, style_.whole_words)) one = word;
        }
        return;
    }
    words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(place(insert_type, insert_value)), word);
}

void Subsettings::remove(std::string_view name) {
    std::erase_if(words_, [&](const std::string& word) { return is(word, name, style_.whole_words); });
}

std::string Subsettings::text() const { return style_.quote + join(words_, style_.separator) + style_.quote; }

}  // namespace volley::agent
