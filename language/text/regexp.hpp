#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/shared.hpp"

struct re_pattern_buffer;

namespace volley {

/// What a match found: byte ranges into the subject, group 0 is the whole match. A group that took no part
/// has begin -1.
struct RegexpMatch {
    struct Group {
        int begin = -1;
        int end = -1;
    };
    std::vector<Group> groups;
    std::string_view group(std::string_view subject, std::size_t index) const;
};

/// A regular expression with Ruby's syntax (Oniguruma), compiled once. Safe to use from several threads.
class Regexp final : public Shared {
public:
    enum Option : unsigned { None = 0, IgnoreCase = 1, Extended = 2, MultiLine = 4 };

    /// Throws EvalError with Oniguruma's reason when `source` is not a regular expression.
    static Ref<const Regexp> compile(std::string_view source, unsigned options = None);
    ~Regexp() override;

    const std::string& source() const noexcept { return source_; }
    unsigned options() const noexcept { return options_; }
    /// The pattern as Puppet keeps it in types: the source, inside "(?i-mx:...)" when there are options.
    std::string pattern() const;
    /// Ruby's Regexp#inspect: /source/, slashes escaped, and options as letters.
    std::string inspect() const;
    /// Ruby's Regexp#to_s: (?-mix:source).
    std::string to_text() const;

    /// First match at or after byte `start`. Throws EvalError when matching exceeds the engine's work limit.
    std::optional<RegexpMatch> search(std::string_view subject, std::size_t start = 0) const;
    bool matches(std::string_view subject) const { return search(subject).has_value(); }
    /// The names of named groups with their group numbers, in order.
    std::vector<std::pair<std::string, int>> group_names() const;

    bool equals(const Shared& other) const override;
    std::size_t hash() const override;

private:
    Regexp(std::string source, unsigned options, re_pattern_buffer* compiled);
    std::string source_;
    unsigned options_;
    re_pattern_buffer* compiled_;
};

}  // namespace volley
