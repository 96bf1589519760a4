#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "language/ruby/native/arguments.hpp"

/// Regular expressions as String and Regexp use them.
namespace volley::ruby {

/// First match at or after byte `start`. Throws NotNative where Ruby's engine may find something else.
std::optional<RegexpMatch> search_pattern(const Regexp& pattern, std::string_view text,
                                          std::size_t start = 0);
/// Throws NotNative when this text may not be searched with this pattern.
void check_search(const Regexp& pattern, std::string_view text);

/// The names of groups in the order of the groups.
std::vector<std::pair<std::string, int>> named_groups(const Regexp& pattern);
/// Regexp.escape
std::string escape_pattern(std::string_view text);
/// A pattern from text of the program; RegexpError and syntax that is Ruby's own are NotNative.
Ref<const Regexp> compile_pattern_text(std::string_view source, unsigned options);

/// What searches a text: a pattern, or a text that is taken as it is.
class Finder {
public:
    /// Raises TypeError for anything but a pattern or String. `self` is the text that will be searched; a
    /// copy of it lives in the heap once somebody wants to remember a match.
    Finder(const Call& call, const Object& pattern);

    bool is_pattern() const noexcept { return pattern_ != nullptr; }
    /// The literal text when it is none.
    const std::string& literal() const noexcept { return *literal_; }
    std::optional<RegexpMatch> find(std::string_view text, std::size_t start) const;
    /// Sets $~ to a match in `text`, which must be self's text of when the search began; nullopt: to nil.
    void remember(const std::optional<RegexpMatch>& found, std::string_view text);
    const Regexp& pattern();  ///< of a literal: one that matches it

private:
    const Call& call_;
    const Regexp* pattern_ = nullptr;
    const std::string* literal_ = nullptr;
    const Regexp* made_ = nullptr;
    Object subject_;
};

/// Where the next search starts after a match: after an empty one, a character further.
std::size_t after_match(std::string_view text, const RegexpMatch& match) noexcept;
inline std::size_t match_begin(const RegexpMatch& match) {
    return static_cast<std::size_t>(match.groups[0].begin);
}
inline std::size_t match_end(const RegexpMatch& match) {
    return static_cast<std::size_t>(match.groups[0].end);
}

/// The text of a group as an object; nil when it took no part.
Object group_object(const Call& call, std::string_view subject, const RegexpMatch& match, std::size_t group);
/// The group that a capture argument names: a number from either end, a name as String or Symbol (IndexError
/// when there is none). nullopt for a number beyond the groups.
std::optional<std::size_t> group_number(const Regexp& pattern, const RegexpMatch& match, const Object& name);

}  // namespace volley::ruby
