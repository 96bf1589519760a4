#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/characters.hpp"

/// String: tr, delete, squeeze and count, whose arguments are sets of characters such as "a-z" and "^0-9".
namespace volley::ruby::methods {
namespace {

const std::string& set_text(const Call& call) { return call.self.string().text; }

std::u32string decode_characters(const std::string& text) {
    check_characters(text);
    std::u32string codes;
    for (std::size_t at = 0; at < text.size();) {
        const Character c = character_at(text, at);
        codes += c.code;
        at += c.length;
    }
    return codes;
}

/// The characters of "a-cx" in turn. A backslash takes the next one as it is.
std::u32string spell_out(const Call& call, std::u32string_view set) {
    std::u32string out;
    for (std::size_t at = 0; at < set.size();) {
        if (set[at] == U'\\' && at + 1 < set.size()) ++at;
        const char32_t first = set[at++];
        if (at + 1 >= set.size() || set[at] != U'-') {
            out += first;
            continue;
        }
        const char32_t last = set[at + 1];
        at += 2;
        if (first > last) {
            if (first >= 0x80 || last >= 0x80) raise_argument("invalid range in string transliteration");
            raise_argument("invalid range \"" + character_text(first) + "-" + character_text(last) +
                           "\" in string transliteration");
        }
        call.machine.step(1 + (last - first));
        for (char32_t code = first; code <= last; ++code) out += code;
    }
    return out;
}

/// The characters that all arguments have in common.
class CharacterSet {
public:
    CharacterSet(const Call& call, std::span<const Object> arguments) {
        for (const Object& argument : arguments) {
            std::u32string set = decode_characters(to_string(argument));
            const bool negated = set.size() > 1 && set[0] == U'^';
            if (negated) set.erase(0, 1);
            const std::u32string members = spell_out(call, set);
            parts_.push_back({{members.begin(), members.end()}, negated});
        }
    }
    bool contains(char32_t code) const {
        return std::all_of(parts_.begin(), parts_.end(),
                           [&](const Part& part) { return part.members.contains(code) != part.negated; });
    }

private:
    struct Part {
        std::unordered_set<char32_t> members;
        bool negated;
    };
    std::vector<Part> parts_;
};

std::string delete_characters(const Call& call) {
    if (set_text(call).empty()) return {};
    const CharacterSet set(call, call.arguments);
    std::string out;
    for (const char32_t code : decode_characters(set_text(call))) {
        if (!set.contains(code)) out += character_text(code);
    }
    return out;
}

std::string squeeze_characters(const Call& call) {
    const CharacterSet set(call, call.arguments);
    std::string out;
    char32_t previous = 0x110000;
    for (const char32_t code : decode_characters(set_text(call))) {
        if (code != previous || !set.contains(code)) out += character_text(code);
        previous = code;
    }
    return out;
}

Object string_count(const Call& call) {
    const CharacterSet set(call, call.arguments);
    const std::u32string codes = decode_characters(set_text(call));
    call.machine.step(1 + codes.size() / 16);
    return size_object(static_cast<std::size_t>(
        std::count_if(codes.begin(), codes.end(), [&](char32_t code) { return set.contains(code); })));
}

/// What tr makes of each character; nullopt: it stays.
class Transliteration {
public:
    Transliteration(const Call& call, std::u32string from, const std::u32string& to) {
        negated_ = from.size() > 1 && from[0] == U'^';
        if (negated_) from.erase(0, 1);
        const std::u32string sources = spell_out(call, from);
        const std::u32string targets = targets_of(call, to);
        last_ = targets.back();
        for (std::size_t at = 0; at < sources.size(); ++at)
            map_[sources[at]] = at < targets.size() ? targets[at] : last_;
    }
    std::optional<char32_t> operator()(char32_t code) const {
        const auto found = map_.find(code);
        if (negated_) return found == map_.end() ? std::optional(last_) : std::nullopt;
        return found == map_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    /// Ruby reads no more of them than there are sources, and raises an error only if it gets there.
    static std::u32string targets_of(const Call& call, const std::u32string& to) {
        try {
            return spell_out(call, to);
        } catch (const Raised&) {
            not_native("tr to an invalid range");
        }
    }

    bool negated_ = false;
    char32_t last_ = 0;
    std::unordered_map<char32_t, char32_t> map_;
};

template <bool squeezes>
std::string transliterate(const Call& call) {
    const std::u32string from = decode_characters(to_string(call.arguments[0]));
    const std::u32string to = decode_characters(to_string(call.arguments[1]));
    if (set_text(call).empty()) return {};
    if (to.empty()) {
        return delete_characters({call.machine, call.self, call.arguments.first(1)});
    }
    const Transliteration transliteration(call, from, to);
    std::string out;
    std::optional<char32_t> previous;
    for (const char32_t code : decode_characters(set_text(call))) {
        const auto changed = transliteration(code);
        if (!(squeezes && changed && changed == previous)) out += character_text(changed.value_or(code));
        previous = changed;
    }
    return out;
}

template <std::string (*make)(const Call&)>
Object string_of_set(const Call& call) {
    return text(call, make(call));
}
template <std::string (*make)(const Call&)>
Object string_of_set_bang(const Call& call) {
    std::string made = make(call);  // Ruby reads the arguments before it looks whether the text is frozen
    check_changeable(call, call.block ? 1 : 0);
    if (made == set_text(call)) return {};
    call.machine.heap().grown(made.size());
    call.self.string().text = std::move(made);
    return call.self;
}

/// Compatibility: nobody minds that an empty text is frozen.
Object delete_bang(const Call& call) {
    if (set_text(call).empty()) return {};
    return string_of_set_bang<delete_characters>(call);
}

/// The receiver when some character was one of those looked for, even if the text is the same.
template <bool squeezes>
Object transliterate_bang(const Call& call) {
    to_string(call.arguments[0]);
    to_string(call.arguments[1]);
    if (set_text(call).empty()) return {};
    std::string made = transliterate<squeezes>(call);
    check_changeable(call, call.block ? 1 : 0);
    if (made == set_text(call)) {
        if (delete_characters({call.machine, call.self, call.arguments.first(1)}) != made)
            not_native("tr! of characters to themselves");
        return {};
    }
    call.machine.heap().grown(made.size());
    call.self.string().text = std::move(made);
    return call.self;
}

constexpr Method string_set_table[] = {
    {"count", 1, Method::any, string_count},
    {"delete", 1, Method::any, string_of_set<delete_characters>},
    {"delete!", 1, Method::any, delete_bang},
    {"squeeze", 0, Method::any, string_of_set<squeeze_characters>},
    {"squeeze!", 0, Method::any, string_of_set_bang<squeeze_characters>},
    {"tr", 2, 2, string_of_set<transliterate<false>>},
    {"tr!", 2, 2, transliterate_bang<false>},
    {"tr_s", 2, 2, string_of_set<transliterate<true>>},
    {"tr_s!", 2, 2, transliterate_bang<true>},
};

}  // namespace

Table string_set_methods() { return string_set_table; }

}  // namespace volley::ruby::methods
