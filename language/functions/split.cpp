#include "language/functions/builtin.hpp"
#include "language/text/regexp.hpp"
#include "language/types/types.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::builtins {
namespace {

/// As Ruby's String#split: an empty match splits off one character, unless text is matched right after that
/// character; groups are kept, empty ends are dropped.
Value split_text(const std::string& text, const Regexp& pattern) {
    std::vector<Value> parts;
    std::size_t begin = 0;
    std::size_t from = 0;
    bool was_empty = false;  // the match at `begin`, so that the search went on after the next character
    while (!text.empty() && from <= text.size()) {
        const auto match = pattern.search(text, from);
        if (!match) break;
        const auto start = static_cast<std::size_t>(match->groups[0].begin);
        const auto end = static_cast<std::size_t>(match->groups[0].end);
        if (start == from && start == end && !was_empty) {
            from = from < text.size() ? next_character(text, from) : from + 1;
            was_empty = true;
            continue;
        }
        if (start == from && start == end) {
            parts.emplace_back(text.substr(begin, from - begin));
            begin = from;
        } else {
            parts.emplace_back(text.substr(begin, start - begin));
            begin = from = end;
        }
        was_empty = false;
        for (std::size_t i = 1; i < match->groups.size(); ++i) {
            if (match->groups[i].begin >= 0) parts.emplace_back(match->group(text, i));
        }
    }
    parts.emplace_back(text.substr(begin));
    while (!parts.empty() && parts.back().as_string().empty()) parts.pop_back();
    return parts;
}
Value split_by_text(CallContext&, std::span<const Value> args) {
    return split_text(args[0].as_string(), *Regexp::compile(args[1].as_string()));
}
Value split_by_regexp(CallContext&, std::span<const Value> args) {
    return split_text(args[0].as_string(), args[1].as_regexp());
}
Value split_by_type(CallContext&, std::span<const Value> args) {
    const auto& regexp = as<types::RegexpType>(*args[1].as_type()).regexp;
    return split_text(args[0].as_string(), regexp ? *regexp : *Regexp::compile(""));
}

/// As in Puppet 8: parts of a secret are secret.
Value split_secret(CallContext&, std::span<const Value> args) {
    const std::string& text = args[0].unwrap_sensitive().as_string();
    if (args[1].is_string()) return Value::sensitive(split_text(text, *Regexp::compile(args[1].as_string())));
    if (args[1].is(Kind::Regexp)) return Value::sensitive(split_text(text, args[1].as_regexp()));
    const auto& regexp = as<types::RegexpType>(*args[1].as_type()).regexp;
    return Value::sensitive(split_text(text, regexp ? *regexp : *Regexp::compile("")));
}

}  // namespace

const Builtin& split_builtin() {
    static const Builtin def{
        .name = "split",
        .doc = "Splits text where a pattern matches.",
        .pure = true,
        .dispatches = {{.params = {{"String", "str"}, {"String", "pattern"}}, .call = split_by_text},
                       {.params = {{"String", "str"}, {"Regexp", "pattern"}}, .call = split_by_regexp},
                       {.params = {{"String", "str"}, {"Type[Regexp]", "pattern"}}, .call = split_by_type},
                       {.params = {{"Sensitive[String]", "sensitive"},
                                   {"Variant[String,Regexp,Type[Regexp]]", "pattern"}},
                        .call = split_secret,
                        .explains = true}},
    };
    return def;
}

}  // namespace volley::builtins
