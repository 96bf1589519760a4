#include <algorithm>
#include <map>
#include <optional>

#include "apply/agent/text/code_points.hpp"
#include "apply/agent/text/pattern.hpp"
#include "apply/agent/values/errors.hpp"

namespace volley::agent {

using Step = Pattern::Step;
using Kind = Step::Kind;

namespace {

constexpr std::uint32_t most_repeats = 1000;
constexpr std::size_t most_steps = 50'000;
constexpr int most_nested = 200;
constexpr char32_t last_character = 0x10ffff;

using Ranges = std::vector<Pattern::Range>;

const Ranges& class_ranges(char32_t letter) {
    static const Ranges digits{{'0', '9'}};
    static const Ranges words{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    static const Ranges blanks{{'\t', '\r'}, {' ', ' '}};
    static const Ranges hexadecimal{{'0', '9'}, {'A', 'F'}, {'a', 'f'}};
    return letter == 'd' ? digits : letter == 'w' ? words : letter == 's' ? blanks : hexadecimal;
}

std::optional<Ranges> named_class(std::string_view name) {
    static const std::map<std::string_view, Ranges> classes = {
        {"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {0xaa, last_character}}},
        {"alpha", {{'A', 'Z'}, {'a', 'z'}, {0xaa, last_character}}},
        {"blank", {{'\t', '\t'}, {' ', ' '}}},
        {"cntrl", {{0, 31}, {127, 159}}},
        {"digit", {{'0', '9'}}},
        {"graph", {{33, 126}, {0xa1, last_character}}},
        {"lower", {{'a', 'z'}}},
        {"print", {{32, 126}, {0xa0, last_character}}},
        {"punct", {{33, 47}, {58, 64}, {91, 96}, {123, 126}}},
        {"space", {{'\t', '\r'}, {' ', ' '}, {0x85, 0x85}}},
        {"upper", {{'A', 'Z'}}},
        {"word", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}, {0xaa, last_character}}},
        {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}}};
    const auto found = classes.find(name);
    return found == classes.end() ? std::nullopt : std::optional(found->second);
}

void add_others(Ranges& ranges, Ranges without) {
    std::sort(without.begin(), without.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    char32_t next = 0;
    for (const auto& range : without) {
        if (range.first > next) ranges.push_back({next, range.first - 1});
        next = std::max(next, static_cast<char32_t>(range.last + 1));
    }
    if (next <= last_character) ranges.push_back({next, last_character});
}

}  // namespace

class PatternCompiler {
public:
    PatternCompiler(Pattern& pattern, std::string_view source)
        : pattern_(pattern), text_(code_points(source)), source_(source) {}

    void compile() {
        emit({.kind = Kind::Save, .first = 0});
        alternatives(0);
        if (at_ < text_.size()) fail("unmatched close parenthesis");
        emit({.kind = Kind::Save, .first = 1});
        emit({.kind = Kind::Match});
    }

private:
    using Code = std::vector<Step>;

    [[noreturn]] void fail(const std::string& why) const {
        throw ApplyError(why + ": /" + std::string(source_) + "/");
    }
    bool more() const { return at_ < text_.size(); }
    bool next_is(std::u32string_view word) const {
        return std::u32string_view(text_).substr(at_, word.size()) == word;
    }
    bool take(std::u32string_view word) {
        if (!next_is(word)) return false;
        at_ += word.size();
        return true;
    }
    std::uint32_t here() const { return static_cast<std::uint32_t>(steps().size()); }
    Code& steps() const { return pattern_.steps_; }
    void emit(const Step& step) {
        if (steps().size() >= most_steps) fail("too big a regular expression");
        steps().push_back(step);
    }
    /// Cuts off what was made since, to put it elsewhere. Places in it are relative to its begin.
    Code cut(std::uint32_t from) {
        Code code(steps().begin() + from, steps().end());
        for (Step& step : code) move(step, -static_cast<std::int64_t>(from));
        steps().resize(from);
        return code;
    }
    void paste(const Code& code) {
        const std::uint32_t begin = here();
        for (Step step : code) {
            move(step, begin);
            emit(step);
        }
    }
    static void move(Step& step, std::int64_t by) {
        const auto moved = [by](std::uint32_t place) { return static_cast<std::uint32_t>(place + by); };
        if (step.kind == Kind::Split || step.kind == Kind::Jump || step.kind == Kind::Look ||
            step.kind == Kind::Atomic) {
            step.first = moved(step.first);
            step.second = moved(step.second);
        }
    }

    void alternatives(int depth) {
        if (depth > most_nested) fail("too deep a regular expression");
        const bool before = ignores_case_;
        const std::uint32_t begin = here();
        sequence(depth);
        std::vector<Code> others{cut(begin)};
        while (take(U"|")) {
            sequence(depth);
            others.push_back(cut(begin));
        }
        std::vector<std::uint32_t> exits;
        for (std::size_t i = 0; i + 1 < others.size(); ++i) {
            const std::uint32_t split = here();
            emit({.kind = Kind::Split, .first = split + 1});
            paste(others[i]);
            exits.push_back(here());
            emit({.kind = Kind::Jump});
            steps()[split].second = here();
        }
        paste(others.back());
        for (const std::uint32_t exit : exits) steps()[exit].first = here();
        ignores_case_ = before;
    }

    void sequence(int depth) {
        while (more() && !next_is(U"|") && !next_is(U")")) {
            const std::uint32_t begin = here();
            if (!atom(depth)) continue;
            while (more() && repeat(begin)) {
            }
        }
    }

    /// False for what cannot be repeated: (?i), a comment.
    bool atom(int depth) {
        const char32_t c = text_[at_++];
        switch (c) {
            case '(':
                return group(depth);
            case '[':
                set();
                return true;
            case '.':
                emit({.kind = multiline_ ? Kind::AnyOrNewline : Kind::Any});
                return true;
            case '^':
                emit({.kind = Kind::LineBegin});
                return true;
            case '$':
                emit({.kind = Kind::LineEnd});
                return true;
            case '\\':
                escape();
                return true;
            case '*':
            case '+':
            case '?':
                fail("target of repeat operator is not specified");
            default:
                if (extended_ && (c == ' ' || (c >= '\t' && c <= '\r'))) return false;
                if (extended_ && c == '#') {
                    while (more() && text_[at_] != '\n') ++at_;
                    return false;
                }
                emit({.kind = Kind::Character, .character = c, .ignores_case = ignores_case_});
                return true;
        }
    }

    void close() {
        if (!take(U")")) fail("end pattern with unmatched parenthesis");
    }

    bool group(int depth) {
        if (take(U"?#")) {
            while (more() && text_[at_] != ')') ++at_;
            close();
            return false;
        }
        if (take(U"?:")) {
            alternatives(depth + 1);
            close();
            return true;
        }
        for (const auto& [mark, negated, back] :
             {std::tuple(U"?=", false, false), std::tuple(U"?!", true, false),
              std::tuple(U"?<=", false, true), std::tuple(U"?<!", true, true)}) {
            if (take(mark)) return inner({.kind = Kind::Look, .negated = negated, .backward = back}, depth);
        }
        if (take(U"?>")) return inner({.kind = Kind::Atomic}, depth);
        if (take(U"?<") || take(U"?'")) {
            const char32_t end = text_[at_ - 1] == '<' ? '>' : '\'';
            std::u32string name;
            while (more() && text_[at_] != end) name += text_[at_++];
            if (!more() || name.empty()) fail("group name is empty");
            ++at_;
            names_[name] = groups_ + 1;
            return capture(depth);
        }
        if (next_is(U"?")) return options(depth);
        return capture(depth);
    }

    bool capture(int depth) {
        const std::uint32_t number = ++groups_;
        pattern_.saves_ = std::max(pattern_.saves_, 2 * number + 2);
        emit({.kind = Kind::Save, .first = 2 * number});
        alternatives(depth + 1);
        emit({.kind = Kind::Save, .first = 2 * number + 1});
        close();
        return true;
    }

    bool inner(Step step, int depth) {
        const std::uint32_t place = here();
        emit(step);
        alternatives(depth + 1);
        emit({.kind = Kind::Match});
        steps()[place].first = place + 1;
        steps()[place].second = here();
        close();
        return true;
    }

    /// (?i), (?i-m:...)
    bool options(int depth) {
        ++at_;
        const bool case_before = ignores_case_, lines_before = multiline_, blanks_before = extended_;
        bool on = true;
        for (; more() && text_[at_] != ')' && text_[at_] != ':'; ++at_) {
            switch (text_[at_]) {
                case '-':
                    on = false;
                    break;
                case 'i':
                    ignores_case_ = on;
                    break;
                case 'm':
                    multiline_ = on;
                    break;
                case 'x':
                    extended_ = on;
                    break;
                default:
                    fail("undefined group option");
            }
        }
        if (take(U")")) return false;
        ++at_;
        alternatives(depth + 1);
        close();
        ignores_case_ = case_before;
        multiline_ = lines_before;
        extended_ = blanks_before;
        return true;
    }

    static std::optional<char32_t> control(char32_t letter) {
        switch (letter) {
            case 'n':
                return '\n';
            case 't':
                return '\t';
            case 'r':
                return '\r';
            case 'f':
                return '\f';
            case 'v':
                return '\v';
            case 'a':
                return 7;
            case 'e':
                return 27;
            default:
                return std::nullopt;
        }
    }

    std::optional<char32_t> number_escape(char32_t letter) {
        const auto digits = [&](std::size_t most, int base) {
            char32_t value = 0;
            for (std::size_t i = 0; i < most && more(); ++i, ++at_) {
                const char32_t c = text_[at_];
                const int digit = c >= '0' && c <= '9'                 ? static_cast<int>(c - '0')
                                  : (c | 32) >= 'a' && (c | 32) <= 'f' ? static_cast<int>((c | 32) - 'a') + 10
                                                                       : 99;
                if (digit >= base) break;
                value = value * static_cast<char32_t>(base) + static_cast<char32_t>(digit);
            }
            return value;
        };
        if (letter == '0') return digits(2, 8);
        if (letter == 'x') {
            if (!take(U"{")) return digits(2, 16);
            const char32_t value = digits(8, 16);
            if (!take(U"}")) fail("invalid code point value");
            return value;
        }
        if (letter == 'u') return digits(4, 16);
        return std::nullopt;
    }

    void add_set(Pattern::Set set) {
        set.ignores_case = ignores_case_;
        emit({.kind = Kind::Set, .first = static_cast<std::uint32_t>(pattern_.sets_.size())});
        pattern_.sets_.push_back(std::move(set));
    }

    void escape() {
        if (!more()) fail("too short escape sequence");
        const char32_t c = text_[at_++];
        const auto character = [&](char32_t found) {
            emit({.kind = Kind::Character, .character = found, .ignores_case = ignores_case_});
        };
        switch (c) {
            case 'd':
            case 'w':
            case 's':
            case 'h':
                return add_set({class_ranges(c), {}, false, false});
            case 'D':
            case 'W':
            case 'S':
            case 'H':
                return add_set({class_ranges(c | 32), {}, true, false});
            case 'A':
                return emit({.kind = Kind::TextBegin});
            case 'z':
                return emit({.kind = Kind::TextEnd});
            case 'Z':
                return emit({.kind = Kind::TextEndOrNewline});
            case 'b':
                return emit({.kind = Kind::WordEdge});
            case 'B':
                return emit({.kind = Kind::NoWordEdge});
            case 'R':
                return add_set({{{'\n', '\r'}}, {}, false, false});
            case 'k': {
                if (!take(U"<")) fail("invalid backref number/name");
                std::u32string name;
                while (more() && text_[at_] != '>') name += text_[at_++];
                if (!take(U">") || !names_.contains(name)) fail("undefined name reference");
                return emit({.kind = Kind::Back, .ignores_case = ignores_case_, .first = names_[name]});
            }
            case 'p':
            case 'P':
            case 'X':
            case 'K':
            case 'G':
            case 'g':
                fail("the agent does not have this escape in a regular expression");
            default:
                break;
        }
        if (c >= '1' && c <= '9')
            return emit({.kind = Kind::Back, .ignores_case = ignores_case_, .first = c - '0'});
        if (const auto found = control(c)) return character(*found);
        if (const auto found = number_escape(c)) return character(*found);
        character(c);
    }

    void set() { add_set(bracket(0)); }

    Pattern::Set bracket(int depth) {
        if (depth > 20) fail("too deep a character class");
        Pattern::Set set;
        set.negated = take(U"^");
        bool first = true;
        for (;; first = false) {
            if (!more()) fail("premature end of char-class");
            if (!first && take(U"]")) return set;
            if (take(U"&&")) {
                Pattern::Set rest = bracket_rest(depth);
                set.both.push_back(std::move(rest));
                return set;
            }
            if (next_is(U"[:")) {
                const std::size_t end = text_.find(U":]", at_);
                if (end != std::u32string::npos) {
                    std::string name;
                    for (std::size_t i = at_ + 2; i < end; ++i) name += static_cast<char>(text_[i]);
                    const bool others = name.starts_with('^');
                    const auto found = named_class(others ? std::string_view(name).substr(1) : name);
                    if (!found) fail("invalid POSIX bracket type");
                    if (others)
                        add_others(set.ranges, *found);
                    else
                        set.ranges.insert(set.ranges.end(), found->begin(), found->end());
                    at_ = end + 2;
                    continue;
                }
            }
            if (take(U"[")) {
                const Pattern::Set nested = bracket(depth + 1);
                if (!nested.both.empty())
                    fail("the agent does not have an intersection inside of a character class");
                if (nested.negated)
                    add_others(set.ranges, nested.ranges);
                else
                    set.ranges.insert(set.ranges.end(), nested.ranges.begin(), nested.ranges.end());
                continue;
            }
            const auto low = member(set);
            if (!low) continue;
            char32_t high = *low;
            if (next_is(U"-") && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
                ++at_;
                Pattern::Set other;
                const auto end = member(other);
                if (!end || *end < *low) fail("empty range in char class");
                high = *end;
            }
            set.ranges.push_back({*low, high});
        }
    }

    /// What follows && up to the closing bracket.
    Pattern::Set bracket_rest(int depth) {
        if (take(U"[")) {
            Pattern::Set set = bracket(depth + 1);
            if (!take(U"]")) fail("premature end of char-class");
            return set;
        }
        Pattern::Set set;
        while (more() && !take(U"]")) {
            if (const auto one = member(set)) set.ranges.push_back({*one, *one});
        }
        return set;
    }

    /// A character of a class; nullopt when it stood for several, which are in the set now.
    std::optional<char32_t> member(Pattern::Set& set) {
        const char32_t c = text_[at_++];
        if (c != '\\') return c;
        if (!more()) fail("end pattern at escape");
        const char32_t letter = text_[at_++];
        switch (letter) {
            case 'd':
            case 'w':
            case 's':
            case 'h': {
                const Ranges& ranges = class_ranges(letter);
                set.ranges.insert(set.ranges.end(), ranges.begin(), ranges.end());
                return std::nullopt;
            }
            case 'D':
            case 'W':
            case 'S':
            case 'H':
                add_others(set.ranges, class_ranges(letter | 32));
                return std::nullopt;
            case 'b':
                return 8;
            default:
                break;
        }
        if (const auto found = control(letter)) return found;
        if (const auto found = number_escape(letter)) return found;
        return letter;
    }

    std::optional<std::pair<std::uint32_t, std::optional<std::uint32_t>>> counts() {
        const std::size_t begin = at_;
        const auto number = [&]() -> std::optional<std::uint32_t> {
            std::optional<std::uint32_t> value;
            for (; more() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
                value = std::min<std::uint32_t>(value.value_or(0) * 10 + (text_[at_] - '0'), 100'000);
            return value;
        };
        ++at_;
        const auto least = number();
        std::optional<std::uint32_t> most = least;
        const bool comma = take(U",");
        if (comma) most = number();
        if (!take(U"}") || (!least && !most)) {
            at_ = begin;
            return std::nullopt;
        }
        if (least.value_or(0) > most_repeats || most.value_or(0) > most_repeats)
            fail("too big number for repeat range");
        return std::pair(least.value_or(0), comma ? most : least);
    }

    bool repeat(std::uint32_t begin) {
        std::uint32_t least = 0;
        std::optional<std::uint32_t> most;
        bool counted = false;
        if (take(U"*")) {
        } else if (take(U"+")) {
            least = 1;
        } else if (take(U"?")) {
            most = 1;
        } else if (next_is(U"{")) {
            const auto found = counts();
            if (!found) return false;
            least = found->first;
            most = found->second;
            counted = true;
        } else {
            return false;
        }
        const bool lazy = take(U"?");
        const bool possessive = !lazy && !counted && take(U"+");
        const Code body = cut(begin);
        std::uint32_t place = 0;
        if (possessive) {
            place = here();
            emit({.kind = Kind::Atomic});
        }
        for (std::uint32_t i = 0; i < least; ++i) paste(body);
        if (!most)
            loop(body, lazy);
        else
            optional_copies(body, *most > least ? *most - least : 0, lazy);
        if (possessive) {
            emit({.kind = Kind::Match});
            steps()[place].first = place + 1;
            steps()[place].second = here();
        }
        return true;
    }

    void set_split(std::uint32_t split, std::uint32_t inside, std::uint32_t outside, bool lazy) {
        steps()[split].first = lazy ? outside : inside;
        steps()[split].second = lazy ? inside : outside;
    }

    void loop(const Code& body, bool lazy) {
        const std::uint32_t mark = pattern_.marks_++;
        const std::uint32_t split = here();
        emit({.kind = Kind::Split});
        emit({.kind = Kind::Mark, .first = mark});
        paste(body);
        emit({.kind = Kind::Moved, .first = mark});  // a round that took nothing is the last
        emit({.kind = Kind::Jump, .first = split});
        set_split(split, split + 1, here(), lazy);
    }

    void optional_copies(const Code& body, std::uint32_t count, bool lazy) {
        std::vector<std::uint32_t> splits;
        for (std::uint32_t i = 0; i < count; ++i) {
            splits.push_back(here());
            emit({.kind = Kind::Split});
            paste(body);
        }
        for (const std::uint32_t split : splits) set_split(split, split + 1, here(), lazy);
    }

    Pattern& pattern_;
    std::u32string text_;
    std::string_view source_;
    std::size_t at_ = 0;
    std::uint32_t groups_ = 0;
    std::map<std::u32string, std::uint32_t> names_;
    bool ignores_case_ = false, multiline_ = false, extended_ = false;
};

Pattern::Pattern(std::string_view source) { PatternCompiler(*this, source).compile(); }

}  // namespace volley::agent
