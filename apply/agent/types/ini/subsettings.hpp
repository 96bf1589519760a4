#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volley::agent {

/// How the value of a setting holds several words, each with a value of its own: `"-Xmx512m -Xms256m"`.
struct SubsettingStyle {
    std::string separator = " ";  ///< between words; each of its characters counts
    std::string value_separator;  ///< between the name in a word and its value
    std::string quote;            ///< around a new value
    bool whole_words = false;     ///< names are whole words, which have no value
};

/// The words of a setting's value.
class Subsettings {
public:
    /// `value`: nullopt where there is no such setting. Throws ApplyError when the separator cannot be one.
    Subsettings(const std::optional<std::string>& value, SubsettingStyle style);

    std::size_t count() const noexcept { return words_.size(); }
    /// Whether there is a word of that name.
    bool has(std::string_view name) const { return find(name, style_.whole_words).has_value(); }
    /// What follows the name in the first word that begins with it.
    std::optional<std::string> value(std::string_view name) const;
    /// Changes all words of that name. `insert_type`: start, end, before, after or index, for a new word;
    /// `insert_value`: the word or the index that it is about.
    void set(std::string_view name, const std::string& value, std::string_view insert_type,
             const std::string& insert_value);
    void remove(std::string_view name);
    std::string text() const;

private:
    bool is(const std::string& word, std::string_view name, bool whole) const;
    std::optional<std::size_t> find(std::string_view name, bool whole) const;
    std::size_t place(std::string_view insert_type, const std::string& insert_value) const;

    SubsettingStyle style_;
    std::vector<std::string> words_;
};

}  // namespace volley::agent
