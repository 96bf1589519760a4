#include "language/functions/builtin.hpp"
#include "language/regexp.hpp"
#include "language/types/types.hpp"

namespace volley::builtins {
namespace {

Value split_text(const std::string& text, const Regexp& pattern) {
    std::vector<Value> parts;
    std::size_t begin = 0;
    std::size_t from = 0;
    while (from <= text.size() && !text.empty()) {
        const auto match = pattern.search(text, from);
        if (!match) break;
        const auto start = static_cast<std::size_t>(match->groups[0].begin);
        const auto end = static_cast<std::size_t>(match->groups[0].end);
        if (end == start) {  // an empty match splits between characters
            if (start >= text.size()) break;
            std::size_t next = start + 1;
            while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80) ++next;
            if (start == begin) {
                if (next >= text.size()) break;
                from = next;
                const auto again = pattern.search(text, from);
                if (!again) break;
                if (again->groups[0].begin != static_cast<int>(next) ||
                    again->groups[0].end != again->groups[0].begin)
                    continue;
                parts.emplace_back(text.substr(begin, next - begin));
                begin = next;
                continue;
            }
            parts.emplace_back(text.substr(begin, start - begin));
            begin = start;
            from = start;
            continue;
        }
        parts.emplace_back(text.substr(begin, start - begin));
        for (std::size_t i = 1; i < match->groups.size(); ++i) {
            if (match->groups[i].begin >= 0) parts.emplace_back(match->group(text, i));
        }
        begin = from = end;
    }
    parts.emplace_back(text.substr(begin));
    while (!parts.empty() && parts.back().as_string().empty()) parts.pop_back();
    return parts;
}
Ref<const Regexp> compiled(const Value& pattern) {
    if (pattern.is(Kind::Regexp)) return Ref<const Regexp>(&pattern.as_regexp());
    if (pattern.is_string())
        return Regexp::compile(pattern.as_string() == " " ? "\\s+" : pattern.as_string());
    const auto& regexp = as<types::RegexpType>(*pattern.as_type()).regexp;
    return regexp ? regexp : Regexp::compile("");
}
Value of_string(CallContext&, std::span<const Value> args) {
    if (args[1].is_string()) return split_text(args[0].as_string(), *Regexp::compile(args[1].as_string()));
    return split_text(args[0].as_string(), *compiled(args[1]));
}
Value of_sensitive(CallContext&, std::span<const Value> args) {
    return Value::sensitive(split_text(args[0].unwrap_sensitive().as_string(), *compiled(args[1])));
}

}  // namespace

const Builtin& split_builtin() {
    static const Builtin def{
        .name = "split",
        .doc = "Splits text where a pattern matches.",
        .dispatches = {{.params = {{"String", "str"}, {"String", "pattern"}}, .call = of_string},
                       {.params = {{"String", "str"}, {"Regexp", "pattern"}}, .call = of_string},
                       {.params = {{"String", "str"}, {"Type[Regexp]", "pattern"}}, .call = of_string},
                       {.params = {{"Sensitive[String]", "sensitive"}, {"String", "pattern"}},
                        .call = of_sensitive},
                       {.params = {{"Sensitive[String]", "sensitive"}, {"Regexp", "pattern"}},
                        .call = of_sensitive},
                       {.params = {{"Sensitive[String]", "sensitive"}, {"Type[Regexp]", "pattern"}},
                        .call = of_sensitive}},
    };
    return def;
}

}  // namespace volley::builtins
