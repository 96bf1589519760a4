#include <cctype>

#include "language/functions/builtin.hpp"
#include "language/text/regexp.hpp"
#include "language/text/ruby_substitute.hpp"
#include "language/types/types.hpp"

namespace volley::builtins {
namespace {

constexpr std::string_view secret_target =
    "Variant[Array[Variant[String,Sensitive[String]]],Sensitive[Array[Variant[String,Sensitive[String]]]],"
    "Sensitive[String]]";

Value substitute_in(const Value& target, const Regexp& pattern, const Value& replacement, bool all) {
    if (target.is_array()) {
        std::vector<Value> results;
        for (const Value& item : target.as_array())
            results.push_back(substitute_in(item, pattern, replacement, all));
        return results;
    }
    // As in Puppet 8, but what is made of a secret list is secret too.
    if (target.is(Kind::Sensitive))
        return Value::sensitive(substitute_in(target.unwrap_sensitive(), pattern, replacement, all));
    return ruby_substitute(target.as_string(), pattern, replacement, all);
}
Value regsubst_by_text(CallContext&, std::span<const Value> args) {
    unsigned options = Regexp::None;
    bool all = false;
    if (args.size() > 3 && args[3].is_string()) {
        for (const char flag : args[3].as_string()) {
            if (flag == 'G')
                all = true;
            else if (flag == 'E')
                options |= Regexp::Extended;
            else if (flag == 'I')
                options |= Regexp::IgnoreCase;
            else
                options |= Regexp::MultiLine;
        }
    }
    return substitute_in(args[0], *Regexp::compile(args[1].as_string(), options), args[2], all);
}

/// The pattern that matches this text alone.
std::string literal_pattern(std::string_view text) {
    std::string pattern;
    for (const char c : text) {
        if (std::ispunct(static_cast<unsigned char>(c))) pattern += '\\';
        pattern += c;
    }
    return pattern;
}

Value regsubst_by_regexp(CallContext&, std::span<const Value> args) {
    const bool all = args.size() > 3 && args[3].as_string() == "G";
    if (args[1].is(Kind::Regexp)) return substitute_in(args[0], args[1].as_regexp(), args[2], all);
    // Compatibility: of a type the text of its pattern is looked for.
    const auto& regexp = as<types::RegexpType>(*args[1].as_type()).regexp;
    const std::string text = regexp ? regexp->pattern() : "";
    return substitute_in(args[0], *Regexp::compile(literal_pattern(text)), args[2], all);
}

}  // namespace

const Builtin& regsubst_builtin() {
    static const Builtin def{
        .name = "regsubst",
        .doc = "Replaces what a pattern matches.",
        .pure = true,
        .dispatches = {{.params = {{"Variant[Array[String],String]", "target"},
                                   {"String", "pattern"},
                                   {"Variant[String,Hash[String,String]]", "replacement"},
                                   {"Optional[Pattern[/^[GEIM]*$/]]", "flags", Dispatch::Optional},
                                   {"Enum['N','E','S','U']", "encoding", Dispatch::Optional}},
                        .call = regsubst_by_text},
                       {.params = {{"Variant[Array[String],String]", "target"},
                                   {"Variant[Regexp,Type[Regexp]]", "pattern"},
                                   {"Variant[String,Hash[String,String]]", "replacement"},
                                   {"Pattern[/^G?$/]", "flags", Dispatch::Optional}},
                        .call = regsubst_by_regexp},
                       {.params = {{secret_target, "target"},
                                   {"String", "pattern"},
                                   {"Variant[String,Hash[String,String]]", "replacement"},
                                   {"Optional[Pattern[/^[GEIM]*$/]]", "flags", Dispatch::Optional},
                                   {"Enum['N','E','S','U']", "encoding", Dispatch::Optional}},
                        .call = regsubst_by_text,
                        .explains = true},
                       {.params = {{secret_target, "target"},
                                   {"Variant[Regexp,Type[Regexp]]", "pattern"},
                                   {"Variant[String,Hash[String,String]]", "replacement"},
                                   {"Pattern[/^G?$/]", "flags", Dispatch::Optional}},
                        .call = regsubst_by_regexp,
                        .explains = true}},
    };
    return def;
}

}  // namespace volley::builtins
