#include "language/ruby_text.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/regexp.hpp"
#include "language/text.hpp"
#include "language/types/types.hpp"
#include "language/version.hpp"

namespace volley {

std::string ruby_to_s(const Value& value) {
    switch (value.kind()) {
        case Kind::Array:
        case Kind::Hash:
            return ruby_inspect(value);
        case Kind::Type:
            return to_expanded_string(*value.as_type());
        case Kind::Regexp:
            return value.as_regexp().to_text();
        default:
            return to_text(value);
    }
}

std::string ruby_inspect(const Value& value) {
    const NestingGuard guard;
    switch (value.kind()) {
        case Kind::Undef:
            return "nil";
        case Kind::Default:
            return ":default";
        case Kind::String: {
            std::string result = "\"";
            for (const char c : value.as_string()) {
                switch (c) {
                    case '"':
                        result += "\\\"";
                        break;
                    case '\\':
                        result += "\\\\";
                        break;
                    case '\n':
                        result += "\\n";
                        break;
                    case '\t':
                        result += "\\t";
                        break;
                    case '\r':
                        result += "\\r";
                        break;
                    case '#':
                        result += '#';
                        break;
                    default:
                        result += c;
                }
            }
            return result + "\"";
        }
        case Kind::Array: {
            std::string result = "[";
            for (const Value& item : value.as_array())
                result += (result.size() > 1 ? ", " : "") + ruby_inspect(item);
            return result + "]";
        }
        case Kind::Hash: {
            std::string result = "{";
            for (const auto& entry : value.as_hash()) {
                result += (result.size() > 1 ? ", " : "") + ruby_inspect(entry.key) + "=>" +
                          ruby_inspect(entry.value);
            }
            return result + "}";
        }
        case Kind::Sensitive:
            return "#<Sensitive [value redacted]>";
        default:
            return ruby_to_s(value);
    }
}

std::string ruby_class(const Value& value) {
    switch (value.kind()) {
        case Kind::Undef:
            return "NilClass";
        case Kind::Default:
            return "Symbol";
        case Kind::Boolean:
            return value.as_boolean() ? "TrueClass" : "FalseClass";
        case Kind::Type:
            return "Puppet::Pops::Types::P" + types::default_of(value.as_type()->kind())->name() + "Type";
        case Kind::SemVer:
            return "SemanticPuppet::Version";
        case Kind::Sensitive:
            return "Puppet::Pops::Types::PSensitiveType::Sensitive";
        default:
            return std::string(kind_name(value.kind()));
    }
}

int ruby_compare(const Value& a, const Value& b) {
    const auto sign = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : 0; };
    if (a.is(Kind::Integer) && b.is(Kind::Integer)) return sign(a.as_integer(), b.as_integer());
    if (a.is_number() && b.is_number()) return sign(a.as_float(), b.as_float());
    if (a.is_string() && b.is_string()) return sign(a.as_string(), b.as_string());
    if (a.kind() == b.kind() && (a.is(Kind::Timespan) || a.is(Kind::Timestamp)))
        return sign(a.as_integer(), b.as_integer());
    if (a.is(Kind::SemVer) && b.is(Kind::SemVer)) return a.as<Version>().compare(b.as<Version>());
    if (a.is_array() && b.is_array()) {
        const std::size_t shared = std::min(a.as_array().size(), b.as_array().size());
        for (std::size_t i = 0; i < shared; ++i) {
            if (const int order = ruby_compare(a.as_array()[i], b.as_array()[i]); order != 0) return order;
        }
        return sign(a.as_array().size(), b.as_array().size());
    }
    if (a == b) return 0;
    const bool shown = b.is_number() || b.is_undef() || b.is(Kind::Boolean);
    throw EvalError("", "comparison of " + ruby_class(a) + " with " +
                            (shown ? ruby_inspect(b) : ruby_class(b)) + " failed");
}

}  // namespace volley
