#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::agent {

/// A regular expression as Ruby reads it: ^ and $ stand for lines, [[:alpha:]], \h, (?i:...), (?=...),
/// (?<=...), \1, a*?, a*+. Matching goes back over what it tried, and gives up with an error after a number
/// of steps.
class Pattern {
public:
    /// Throws ApplyError for what is not a regular expression, or one of a kind that the agent does not have.
    explicit Pattern(std::string_view source);
    /// Whether it matches anywhere in the text. Throws ApplyError when that takes too many steps.
    bool matches(std::string_view text) const;
    /// What the groups of the first match hold, the whole match first; empty where a group took no part.
    /// nullopt when nothing matches.
    std::optional<std::vector<std::string_view>> groups(std::string_view text) const;

    struct Range {
        char32_t first, last;
    };
    /// A set of characters.
    struct Set {
        std::vector<Range> ranges;
        std::vector<Set> both;  ///< of [a&&b]: what must hold as well
        bool negated = false;
        bool ignores_case = false;
        bool holds(char32_t c) const;
    };
    struct Step {
        enum class Kind : std::uint8_t {
            Character,
            Any,
            AnyOrNewline,
            Set,
            Split,
            Jump,
            Save,
            LineBegin,
            LineEnd,
            TextBegin,
            TextEnd,
            TextEndOrNewline,
            WordEdge,
            NoWordEdge,
            Back,
            Look,
            Atomic,
            Mark,
            Moved,
            Match
        };
        Kind kind = Kind::Match;
        char32_t character = 0;
        bool ignores_case = false;
        bool negated = false;     ///< of Look
        bool backward = false;    ///< of Look
        std::uint32_t first = 0;  ///< where to go on, or a number
        std::uint32_t second = 0;
    };

private:
    std::vector<Step> steps_;
    std::vector<Set> sets_;
    std::uint32_t saves_ = 2;
    std::uint32_t marks_ = 0;
    friend class PatternCompiler;
    friend class PatternMatcher;
};

}  // namespace volley::agent
