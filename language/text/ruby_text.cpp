#include "language/text/ruby_text.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/text/regexp.hpp"
#include "language/text/text.hpp"
#include "language/text/uri.hpp"
#include "language/text/version.hpp"
#include "language/types/types.hpp"
#include "support/text/escapes.hpp"

namespace volley {
namespace {

std::string ruby_class_of_type(const Type& type) {
    const bool alias = type.kind() == TypeKind::Alias;
    return "Puppet::Pops::Types::P" + (alias ? "TypeAlias" : types::default_of(type.kind())->name()) + "Type";
}

std::string ruby_class_of_uri(const Uri& uri) {
    static constexpr std::pair<std::string_view, std::string_view> classes[] = {
        {"http", "HTTP"}, {"https", "HTTPS"}, {"ftp", "FTP"}, {"file", "File"},
        {"ldap", "LDAP"}, {"ldaps", "LDAPS"}, {"ws", "WS"},   {"mailto", "MailTo"},
    };
    for (const auto& [scheme, name] : classes) {
        if (uri.parts.scheme == scheme) return "URI::" + std::string(name);
    }
    return "URI::Generic";
}

}  // namespace

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
                const char letter = c == '"' || c == '\\' ? c : escape_letter(c, "nrt");
                if (letter != 0) result += '\\';
                result += letter != 0 ? letter : c;
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
            return ruby_class_of_type(*value.as_type());
        case Kind::SemVer:
            return "SemanticPuppet::Version";
        case Kind::SemVerRange:
            return "SemanticPuppet::VersionRange";
        case Kind::Timespan:
            return "Puppet::Pops::Time::Timespan";
        case Kind::Timestamp:
            return "Puppet::Pops::Time::Timestamp";
        case Kind::Sensitive:
            return "Puppet::Pops::Types::PSensitiveType::Sensitive";
        case Kind::Binary:
            return "Puppet::Pops::Types::PBinaryType::Binary";
        case Kind::Uri:
            return ruby_class_of_uri(value.as<Uri>());
        case Kind::Iterator:
            return "Puppet::Pops::Types::Iterator";
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
