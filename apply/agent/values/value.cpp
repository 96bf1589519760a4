#include "apply/agent/values/value.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "support/text.hpp"

namespace volley::agent {
namespace {

/// As Ruby writes it: 100.0, 1.0e+15, 0.0001, 1.0e-05.
std::string float_text(double number) {
    if (!std::isfinite(number)) return std::isnan(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity";
    std::array<char, 64> buffer{};
    const auto done =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific);
    std::string digits(buffer.data(), done.ptr);
    const std::string sign = digits.starts_with('-') ? "-" : "";
    digits.erase(0, sign.size());
    const std::size_t mark = digits.find('e');
    const int exponent = std::stoi(digits.substr(mark + 1));
    if (exponent < -4 || exponent > 14) {
        const bool whole = digits.find('.') == std::string::npos;
        return sign + digits.substr(0, mark) + (whole ? ".0" : "") + digits.substr(mark);
    }
    digits.resize(mark);
    std::erase(digits, '.');
    if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    const auto before = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= before) return sign + digits + std::string(before - digits.size(), '0') + ".0";
    return sign + digits.substr(0, before) + "." + digits.substr(before);
}

std::string double_quoted(std::string_view text, bool dollars) {
    std::string out = "\"";
    for (const char c : text) {
        switch (c) {
            case '\t':
                out += "\\t";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\r':
                out += "\\r";
                break;
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '$':
                out += dollars ? "\\$" : "$";
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20) {
                    std::array<char, 16> code{};
                    std::snprintf(code.data(), code.size(), "\\u{%X}", static_cast<unsigned>(c));
                    out += code.data();
                } else {
                    out += c;
                }
        }
    }
    return out + "\"";
}

Value list_from(const Json& json, bool& sensitive) {
    Value::Items items;
    for (const Json& item : json) items.push_back(value_from_json(item, sensitive));
    return Value(std::move(items));
}

std::string regexp_inspected(std::string_view pattern) {
    std::string out = "/";
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '/') out += '\\';
        out += pattern[i];
        if (pattern[i] == '\\' && i + 1 < pattern.size()) out += pattern[++i];
    }
    return out + "/";
}

/// What is written as a text and is none: {"__ptype": "Regexp", "__pvalue": "a.b"}.
Value object_from(std::string_view type, std::string text) {
    if (type == "Regexp") {
        std::string inspected = regexp_inspected(text);
        std::string to_text = "(?-mix:" + inspected.substr(1, inspected.size() - 2) + ")";
        return Value::object("Regexp", std::move(to_text), std::move(inspected), std::move(text));
    }
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> classes = {
        {{"SemVer", "SemanticPuppet::Version"},
         {"SemVerRange", "SemanticPuppet::VersionRange"},
         {"Timestamp", "Puppet::Pops::Time::Timestamp"},
         {"Timespan", "Puppet::Pops::Time::Timespan"},
         {"URI", "URI::Generic"}}};
    for (const auto& [name, ruby] : classes) {
        if (name == type) return Value::object(std::string(ruby), text, text, text);
    }
    const std::string kind = text.substr(0, text.find('['));  // "Integer" of "Integer[1, 2]"
    return Value::object("Puppet::Pops::Types::P" + kind + "Type", text, text, text);
}

Value rich_value(const Json& json, bool& sensitive) {
    const auto type = json.find("__ptype");
    const std::string name = type->is_string() ? type->get<std::string>() : std::string();
    const auto found = json.find("__pvalue");
    const Json inner = found != json.end() ? *found : Json();
    if (name == "Deferred") {
        const auto function = json.find("name");
        const bool named = function != json.end() && function->is_string();
        return Value::deferred(named ? function->get<std::string>() : std::string("new"));
    }
    if (name == "Sensitive") {
        sensitive = true;
        return value_from_json(inner, sensitive);
    }
    if (name == "Binary" && inner.is_string()) {
        if (auto bytes = base64_decode(inner.get<std::string>())) return Value::binary(std::move(*bytes));
    }
    if (name == "Default") return Value::object("Symbol", "default", ":default", "default");
    if (name == "Hash" && inner.is_array()) {
        Value::Pairs pairs;
        for (std::size_t i = 0; i + 1 < inner.size(); i += 2) {
            Value key = value_from_json(inner[i], sensitive);
            pairs.emplace_back(std::move(key), value_from_json(inner[i + 1], sensitive));
        }
        return Value(std::move(pairs));
    }
    if (inner.is_string()) return object_from(name, inner.get<std::string>());
    return value_from_json(inner, sensitive);
}

}  // namespace

Value Value::object(std::string ruby_class, std::string text, std::string inspected, std::string shown) {
    Value made(Items{Value(std::move(ruby_class)), Value(std::move(text)), Value(std::move(inspected)),
                     Value(std::move(shown))});
    made.kind_ = Kind::Object;
    return made;
}

Value value_from_json(const Json& json, bool& sensitive) {
    switch (json.type()) {
        case Json::value_t::boolean:
            return Value(json.get<bool>());
        case Json::value_t::number_integer:
        case Json::value_t::number_unsigned:
            return Value(json.get<std::int64_t>());
        case Json::value_t::number_float:
            return Value(json.get<double>());
        case Json::value_t::string:
            return Value(json.get<std::string>());
        case Json::value_t::array:
            return list_from(json, sensitive);
        case Json::value_t::object: {
            if (json.contains("__ptype")) return rich_value(json, sensitive);
            Value::Pairs pairs;
            for (const auto& [key, item] : json.items())
                pairs.emplace_back(Value(std::string(key)), value_from_json(item, sensitive));
            return Value(std::move(pairs));
        }
        default:
            return {};
    }
}

Json value_to_json(const Value& value) {
    switch (value.kind()) {
        case Value::Kind::Undef:
            return nullptr;
        case Value::Kind::Boolean:
            return value.boolean();
        case Value::Kind::Integer:
            return value.integer();
        case Value::Kind::Float:
            return value.number();
        case Value::Kind::Array: {
            Json list = Json::array();
            for (const Value& item : value.items()) list.push_back(value_to_json(item));
            return list;
        }
        case Value::Kind::Hash: {
            Json object = Json::object();
            for (const auto& [key, item] : value.pairs())
                object[scrub_utf8(key.to_text())] = value_to_json(item);
            return object;
        }
        case Value::Kind::Object:
            return scrub_utf8(value.is_regexp() ? value.inspected() : value.shown());
        default:
            return scrub_utf8(value.text());
    }
}

std::string_view ruby_class(const Value& value) {
    switch (value.kind()) {
        case Value::Kind::Undef:
            return "NilClass";
        case Value::Kind::Boolean:
            return value.boolean() ? "TrueClass" : "FalseClass";
        case Value::Kind::Integer:
            return "Integer";
        case Value::Kind::Float:
            return "Float";
        case Value::Kind::Array:
            return "Array";
        case Value::Kind::Hash:
            return "Hash";
        case Value::Kind::Binary:
            return "Puppet::Pops::Types::PBinaryType::Binary";
        case Value::Kind::Object:
            return value.object_class();
        default:
            return "String";
    }
}

std::string not_a_text(const Value& value) {
    std::string kind(ruby_class(value));
    if (value.is_undef()) kind = "nil";
    if (value.is(Value::Kind::Boolean)) kind = value.to_text();
    return "no implicit conversion of " + kind + " into String";
}

std::string no_method(const Value& value, std::string_view method) {
    constexpr std::size_t longest = 65;  // of what is shown of the value
    std::string shown = value.inspected();
    const std::string kind(ruby_class(value));
    if (value.is(Value::Kind::Binary) || shown.size() > longest)
        shown = "#<" + kind + ">";
    else
        shown += ":" + kind;
    return "undefined method `" + std::string(method) + "' for " + shown;
}

std::string interpolated(const Value& value) {
    return value.is(Value::Kind::Binary) ? base64_encode(value.text()) : value.to_text();
}

std::string puppet_quoted(std::string_view text) {
    std::string out = "'";
    bool escaped = false;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20) return double_quoted(text, true);
        if (escaped) {
            out += '\\';
            out += c;
            escaped = false;
        } else if (c == '\\') {
            escaped = true;
        } else {
            if (c == '\'') out += '\\';
            out += c;
        }
    }
    if (escaped) out += '\\';
    return out + "'";
}

std::string Value::to_text() const {
    switch (kind_) {
        case Kind::Undef:
            return {};
        case Kind::Boolean:
            return boolean() ? "true" : "false";
        case Kind::Integer:
            return std::to_string(integer());
        case Kind::Float:
            return float_text(number());
        case Kind::Array:
        case Kind::Hash:
            return inspected();
        case Kind::Object:
            return std::get<Items>(data_)[1].text();
        default:
            return text();
    }
}

/// The entries of a hash stand on lines of their own, and so do lists in a list and what comes after one.
std::string Value::shown_at(std::size_t depth) const {
    switch (kind_) {
        case Kind::Undef:
            return "undef";
        case Kind::Array: {
            std::string out = "[";
            bool after_list = false;
            for (const Value& item : items()) {
                const bool is_list = item.is(Kind::Array) || item.is(Kind::Hash);
                const bool begins_line = is_list || after_list;
                if (out.size() > 1) out += begins_line ? "," : ", ";
                if (begins_line) out += "\n" + std::string(2 * (depth + 1), ' ');
                out += item.shown_at(depth + 1);
                after_list = is_list;
            }
            return out + "]";
        }
        case Kind::Float: {
            if (depth > 0) return to_text();
            constexpr std::size_t longest = 400;
            std::array<char, longest> fixed{};
            const int length = std::snprintf(fixed.data(), fixed.size(), "%f", number());
            return {fixed.data(), static_cast<std::size_t>(length)};
        }
        case Kind::Hash: {
            const std::string indent(2 * depth, ' ');
            if (pairs().empty()) return "{\n\n" + indent + "}";
            std::string out = "{";
            for (const auto& [key, item] : pairs())
                out += (out.size() > 1 ? ",\n" : "\n") + indent + "  " + key.shown_at(depth + 1) + " => " +
                       item.shown_at(depth + 1);
            return out + "\n" + indent + "}";
        }
        case Kind::String:
        case Kind::Symbol:
            return puppet_quoted(text());
        case Kind::Binary:
            return "Binary(\"" + base64_encode(text()) + "\")";
        case Kind::Object:
            // Compatibility: a regular expression of its own is shown without the slashes.
            return depth > 0 && is_regexp() ? inspected() : std::get<Items>(data_)[3].text();
        default:
            return to_text();
    }
}

std::string Value::inspected() const {
    switch (kind_) {
        case Kind::Undef:
            return "nil";
        case Kind::Array: {
            std::string out = "[";
            for (const Value& item : items()) out += (out.size() > 1 ? ", " : "") + item.inspected();
            return out + "]";
        }
        case Kind::Hash: {
            std::string out = "{";
            for (const auto& [key, item] : pairs())
                out += (out.size() > 1 ? ", " : "") + key.inspected() + "=>" + item.inspected();
            return out + "}";
        }
        case Kind::String:
        case Kind::Binary:
            return double_quoted(text(), false);
        case Kind::Symbol:
            return ":" + text();
        case Kind::Object:
            return std::get<Items>(data_)[2].text();
        default:
            return to_text();
    }
}

bool Value::operator==(const Value& other) const {
    if (is_text() && other.is_text()) return text() == other.text();
    return kind_ == other.kind_ && data_ == other.data_;
}

}  // namespace volley::agent
