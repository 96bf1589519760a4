#include "apply/agent/text/pattern.hpp"

#include <algorithm>
#include <limits>

#include "apply/agent/text/code_points.hpp"
#include "apply/agent/values/errors.hpp"

namespace volley::agent {

using Step = Pattern::Step;
using Kind = Step::Kind;

namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
constexpr std::uint64_t most_matching_steps = 20'000'000;
constexpr int most_nested_matches = 200;

char32_t folded(char32_t c) { return c >= 'A' && c <= 'Z' ? c | 32U : c; }

bool is_word_character(char32_t c) {
    return (c >= '0' && c <= '9') || (folded(c) >= 'a' && folded(c) <= 'z') || c == '_' ||
           (c >= 0xaa && c <= 0x10ffff);
}

}  // namespace

bool Pattern::Set::holds(char32_t c) const {
    const auto in = [this](char32_t one) {
        return std::any_of(ranges.begin(), ranges.end(),
                           [one](const Range& range) { return one >= range.first && one <= range.last; });
    };
    bool found = in(c);
    if (!found && ignores_case && folded(c) >= 'a' && folded(c) <= 'z') found = in(c ^ 32U);
    for (const Set& other : both) found = found && other.holds(c);
    return found != negated;
}

/// Tries to match one text from one place, going back where it fails.
class PatternMatcher {
public:
    PatternMatcher(const Pattern& pattern, const std::u32string& text)
        : pattern_(pattern), text_(text), saves_(pattern.saves_, nowhere), marks_(pattern.marks_, nowhere) {}

    bool matches_at(std::size_t place) { return end_of_match(place) != nowhere; }
    std::size_t end_of_match(std::size_t place) {
        std::fill(saves_.begin(), saves_.end(), nowhere);
        return run(0, place, 0);
    }
    /// Where groups begin and end, after a match: two for each, from the second pair on.
    const std::vector<std::size_t>& saves() const noexcept { return saves_; }

private:
    /// A place to go back to, or an old value to put back.
    struct Retry {
        std::uint32_t step;
        std::size_t place;
        std::size_t* slot;
        std::size_t value;
    };

    /// Where the match ends that begins with a step; nowhere when there is none.
    std::size_t run(std::uint32_t at, std::size_t place, int depth) {
        if (depth > most_nested_matches) throw ApplyError("A regular expression is nested too deeply");
        std::vector<Retry> retries;
        const auto set = [&](std::size_t& slot, std::size_t value) {
            retries.push_back({0, 0, &slot, slot});
            slot = value;
        };
        for (;;) {
            if (++taken_ > most_matching_steps)
                throw ApplyError("A regular expression takes too long to match");
            const Step& step = pattern_.steps_[at];
            bool fits = true;
            switch (step.kind) {
                case Kind::Match:
                    return place;
                case Kind::Jump:
                    at = step.first;
                    continue;
                case Kind::Split:
                    retries.push_back({step.second, place, nullptr, 0});
                    at = step.first;
                    continue;
                case Kind::Save:
                    set(saves_[step.first], place);
                    break;
                case Kind::Mark:
                    set(marks_[step.first], place);
                    break;
                case Kind::Moved:
                    // A round that took nothing goes on after the loop.
                    if (marks_[step.first] == place) ++at;
                    break;
                case Kind::Look: {
                    const bool found = step.backward ? looks_back(step.first, place, depth)
                                                     : run(step.first, place, depth + 1) != nowhere;
                    fits = found != step.negated;
                    if (fits) at = step.second - 1;
                    break;
                }
                case Kind::Atomic: {
                    const std::size_t end = run(step.first, place, depth + 1);
                    fits = end != nowhere;
                    if (fits) {
                        place = end;
                        at = step.second - 1;
                    }
                    break;
                }
                case Kind::Back:
                    fits = takes_again(step, place);
                    break;
                default:
                    fits = takes(step, place);
                    break;
            }
            if (fits) {
                ++at;
                continue;
            }
            while (!retries.empty() && retries.back().slot != nullptr) {
                *retries.back().slot = retries.back().value;
                retries.pop_back();
            }
            if (retries.empty()) return nowhere;
            at = retries.back().step;
            place = retries.back().place;
            retries.pop_back();
        }
    }

    bool looks_back(std::uint32_t step, std::size_t place, int depth) {
        for (std::size_t from = place + 1; from-- > 0;) {
            const std::size_t end = run(step, from, depth + 1);
            if (end == place) return true;
        }
        return false;
    }

    bool takes_again(const Step& step, std::size_t& place) const {
        const std::size_t index = 2 * std::size_t{step.first};
        if (index + 1 >= saves_.size() || saves_[index] == nowhere || saves_[index + 1] == nowhere)
            return false;
        for (std::size_t i = saves_[index]; i < saves_[index + 1]; ++i, ++place) {
            if (place >= text_.size()) return false;
            const bool same =
                step.ignores_case ? folded(text_[i]) == folded(text_[place]) : text_[i] == text_[place];
            if (!same) return false;
        }
        return true;
    }

    bool at_word_edge(std::size_t place) const {
        const bool before = place > 0 && is_word_character(text_[place - 1]);
        const bool after = place < text_.size() && is_word_character(text_[place]);
        return before != after;
    }

    bool takes(const Step& step, std::size_t& place) const {
        const bool end = place == text_.size();
        switch (step.kind) {
            case Kind::LineBegin:
                return place == 0 || (text_[place - 1] == '\n' && !end);
            case Kind::LineEnd:
                return end || text_[place] == '\n';
            case Kind::TextBegin:
                return place == 0;
            case Kind::TextEnd:
                return end;
            case Kind::TextEndOrNewline:
                return end || (place + 1 == text_.size() && text_[place] == '\n');
            case Kind::WordEdge:
                return at_word_edge(place);
            case Kind::NoWordEdge:
                return !at_word_edge(place);
            default:
                break;
        }
        if (end) return false;
        const char32_t c = text_[place++];
        switch (step.kind) {
            case Kind::Character:
                return step.ignores_case ? folded(c) == folded(step.character) : c == step.character;
            case Kind::Any:
                return c != '\n';
            case Kind::AnyOrNewline:
                return true;
            default:
                return pattern_.sets_[step.first].holds(c);
        }
    }

    const Pattern& pattern_;
    const std::u32string& text_;
    std::vector<std::size_t> saves_, marks_;
    std::uint64_t taken_ = 0;
};

bool Pattern::matches(std::string_view text) const {
    const std::u32string characters = code_points(text);
    PatternMatcher matcher(*this, characters);
    for (std::size_t place = 0; place <= characters.size(); ++place) {
        if (matcher.matches_at(place)) return true;
    }
    return false;
}

std::optional<std::vector<std::string_view>> Pattern::groups(std::string_view text) const {
    const std::u32string characters = code_points(text);
    PatternMatcher matcher(*this, characters);
    for (std::size_t place = 0; place <= characters.size(); ++place) {
        const std::size_t end = matcher.end_of_match(place);
        if (end == nowhere) continue;
        std::vector<std::size_t> bytes;  // where each character begins
        for (std::size_t at = 0; at < text.size(); at += character_at(text, at).length) bytes.push_back(at);
        bytes.push_back(text.size());
        std::vector<std::string_view> found;
        const auto add = [&](std::size_t first, std::size_t last) {
            found.push_back(first == nowhere || last == nowhere
                                ? std::string_view()
                                : text.substr(bytes[first], bytes[last] - bytes[first]));
        };
        add(place, end);
        for (std::size_t i = 2; i + 1 < matcher.saves().size(); i += 2)
            add(matcher.saves()[i], matcher.saves()[i + 1]);
        return found;
    }
    return std::nullopt;
}

}  // namespace volley::agent
