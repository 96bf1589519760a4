#include "language/text/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "language/binary.hpp"
#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/text/regexp.hpp"
#include "language/text/uri.hpp"
#include "language/text/version.hpp"
#include "language/time/time_text.hpp"
#include "language/types/type.hpp"
#include "support/text.hpp"
#include "support/text/escapes.hpp"

namespace volley {
namespace {

std::string double_quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        const bool named = c == '"' || c == '$' || c == '\\';
        if (const char letter = named ? c : escape_letter(c, "nrt"); letter != 0) {
            result += '\\';
            result += letter;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            std::array<char, 16> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u{%X}", static_cast<unsigned>(c));
            result += escape.data();
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string list_text(const Array& items) {
    std::string result = "[";
    for (const Value& item : items) {
        if (result.size() > 1) result += ", ";
        result += to_program_text(item);
    }
    return result + "]";
}

std::string hash_text(const Hash& hash) {
    std::string result = "{";
    for (const auto& entry : hash) {
        if (result.size() > 1) result += ", ";
        result += to_program_text(entry.key) + " => " + to_program_text(entry.value);
    }
    return result + "}";
}

}  // namespace

std::string puppet_quote(std::string_view text) {
    std::string result = "'";
    bool escaped = false;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20) return double_quoted(text);
        if (escaped) {
            result += '\\';
            result += c;
            escaped = false;
        } else if (c == '\'') {
            result += "\\'";
        } else if (c == '\\') {
            escaped = true;
        } else {
            result += c;
        }
    }
    if (escaped) result += '\\';
    return result + "'";
}

std::string float_text(double number) {
    if (std::isnan(number)) return "NaN";
    if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
    if (number == 0) return std::signbit(number) ? "-0.0" : "0.0";
    std::array<char, 64> buffer{};
    const auto shortest =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific);
    std::string text(buffer.data(), shortest.ptr);
    const std::size_t mark = text.find('e');
    const int exponent = std::stoi(text.substr(mark + 1));
    // Ruby: 16 digits before the point are written out only where digits follow the point.
    const auto digits = static_cast<int>(std::ranges::count_if(std::string_view(text).substr(0, mark),
                                                               [](char c) { return c >= '0' && c <= '9'; }));
    if (exponent < -4 || (exponent >= 15 && exponent + 1 >= digits)) {
        std::string mantissa = text.substr(0, mark);
        if (mantissa.find('.') == std::string::npos) mantissa += ".0";
        std::array<char, 16> tail{};
        std::snprintf(tail.data(), tail.size(), "e%+03d", exponent);
        return mantissa + tail.data();
    }
    const auto plain =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
    std::string result(buffer.data(), plain.ptr);
    if (result.find('.') == std::string::npos) result += ".0";
    return result;
}

std::string capitalize_segments(std::string_view qualified_name) {
    std::string result(qualified_name);
    if (!result.empty() && result[0] >= 'A' && result[0] <= 'Z') return result;
    bool first = true;
    for (std::size_t i = 0; i < result.size(); ++i) {
        char& c = result[i];
        if (c == ':') {
            first = true;
            continue;
        }
        if (first && c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
        else if (!first && c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
        first = false;
    }
    return result;
}

std::string to_program_text(const Value& value) {
    const NestingGuard guard;
    switch (value.kind()) {
        case Kind::Undef:
            return "undef";
        case Kind::String:
            return puppet_quote(value.as_string());
        case Kind::Array:
            return list_text(value.as_array());
        case Kind::Hash:
            return hash_text(value.as_hash());
        case Kind::Uri:
            return "URI(" + puppet_quote(value.as<Uri>().text()) + ")";
        case Kind::Regexp: {
            const Regexp& regexp = value.as_regexp();
            return regexp.options() == Regexp::None ? regexp.inspect() : "/" + regexp.to_text() + "/";
        }
        default:
            return to_text(value);
    }
}

std::string to_text(const Value& value) {
    const NestingGuard guard;
    switch (value.kind()) {
        case Kind::Undef:
            return "";
        case Kind::Default:
            return "default";
        case Kind::Boolean:
            return value.as_boolean() ? "true" : "false";
        case Kind::Integer:
            return std::to_string(value.as_integer());
        case Kind::Float:
            return float_text(value.as_float());
        case Kind::String:
            return value.as_string();
        case Kind::Array:
            return list_text(value.as_array());
        case Kind::Hash:
            return hash_text(value.as_hash());
        case Kind::Regexp:
            return to_program_text(value);
        case Kind::Type:
            return to_string(*value.as_type());
        case Kind::Sensitive:
            return "Sensitive [value redacted]";
        case Kind::Timespan:
            return timespan_text(value.as_integer());
        case Kind::Timestamp:
            return timestamp_text(value.as_integer());
        case Kind::SemVer:
            return value.as<Version>().text();
        case Kind::SemVerRange:
            return value.as<VersionRange>().text();
        case Kind::Binary:
            return base64_encode(value.as<Binary>().bytes);
        case Kind::Iterator:
            return "Iterator[" + to_string(*value.as<IteratorObject>().element_type()->generalize()) +
                   "]-Value";
        case Kind::Uri:
            return value.as<Uri>().text();
        case Kind::Object:
            return value.as<ObjectBase>().text();
        default:
            return std::string(kind_name(value.kind()));
    }
}

}  // namespace volley
