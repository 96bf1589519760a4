#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/text/regexp.hpp"
#include "language/text/ruby_text.hpp"
#include "language/types/types.hpp"

namespace volley::builtins {
namespace {

Value groups_of_match(const std::string& text, const Regexp& regexp) {
    const auto match = regexp.search(text);
    if (!match) return {};
    std::vector<Value> groups;
    for (std::size_t i = 0; i < match->groups.size(); ++i) {
        groups.push_back(match->groups[i].begin < 0 ? Value() : Value(match->group(text, i)));
    }
    return groups;
}
Value match_any(const std::string& text, const Value& pattern);
Value match_type(const std::string& text, const Type& type) {
    switch (type.kind()) {
        case TypeKind::Alias:
            return match_type(text, as<types::AliasType>(type).resolved());
        case TypeKind::Regexp: {
            const auto& regexp = as<types::RegexpType>(type).regexp;
            if (!regexp) throw EvalError("", "Given Regexp Type has no regular expression");
            return groups_of_match(text, *regexp);
        }
        case TypeKind::Pattern:
            for (const auto& regexp : as<types::PatternType>(type).patterns) {
                if (Value found = groups_of_match(text, *regexp); !found.is_undef()) return found;
            }
            return {};
        case TypeKind::Variant:
            for (const TypePtr& choice : as<types::VariantType>(type).types) {
                if (Value found = match_type(text, *choice); !found.is_undef()) return found;
            }
            return {};
        default:
            return match_any(text, Value(type.self()));
    }
}
Value match_any(const std::string& text, const Value& pattern) {
    const NestingGuard guard;
    if (pattern.is_string()) return groups_of_match(text, *Regexp::compile(pattern.as_string()));
    if (pattern.is(Kind::Regexp)) return groups_of_match(text, pattern.as_regexp());
    if (pattern.is_array()) {
        for (const Value& one : pattern.as_array()) {
            if (Value found = match_any(text, one); !found.is_undef()) return found;
        }
        return {};
    }
    if (pattern.is(Kind::Type)) {
        const TypeKind kind = pattern.as_type()->kind();
        if (kind == TypeKind::Alias || kind == TypeKind::Regexp || kind == TypeKind::Pattern ||
            kind == TypeKind::Variant) {
            return match_type(text, *pattern.as_type());
        }
    }
    throw EvalError(
        "",
        "match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got " +
            ruby_class(pattern));
}
Value match_of_string(CallContext&, std::span<const Value> args) {
    return match_any(args[0].as_string(), args[1]);
}
Value of_list(CallContext&, std::span<const Value> args) {
    std::vector<Value> results;
    for (const Value& text : args[0].as_array()) results.push_back(match_any(text.as_string(), args[1]));
    return results;
}

}  // namespace

const Builtin& match_builtin() {
    static const Builtin def{
        .name = "match",
        .doc = "The groups that a pattern finds in text, or undef.",
        .pure = true,
        .dispatches = {{.params = {{"String", "string"}, {"Variant[Any, Type]", "pattern"}},
                        .call = match_of_string},
                       {.params = {{"Array[String]", "string"}, {"Variant[Any, Type]", "pattern"}},
                        .call = of_list}},
    };
    return def;
}

}  // namespace volley::builtins
