#include <oniguruma.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "language/execution_state.hpp"
#include "language/ruby/native/object.hpp"
#include "language/ruby/native/text/characters.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "support/text/escapes.hpp"

namespace volley::ruby {
namespace {

using Kind = Object::Kind;

bool inspect_printable(char32_t code) {
    if (code < 0x80) return code >= 0x20 && code < 0x7f;
    return ONIGENC_IS_CODE_PRINT(ONIG_ENCODING_UTF8, code) != 0;
}

/// Throws NotNative for a control character in a text of ASCII: it is shown as \x00 where the text came from
/// a number, a symbol or a pattern, which are US-ASCII, and as \u0000 elsewhere.
std::string inspect_text(std::string_view text) {
    std::string out = "\"";
    std::array<char, 16> code_text{};
    for (std::size_t at = 0; at < text.size();) {
        const Character c = character_at(text, at);
        const bool named = text[at] == '"' || text[at] == '\\';
        if (!c.valid) {
            std::snprintf(code_text.data(), code_text.size(), "\\x%02X",
                          static_cast<unsigned char>(text[at]));
            out += code_text.data();
        } else if (const char letter = named ? text[at] : escape_letter(text[at], "abefnrtv"); letter != 0) {
            out += '\\';
            out += letter;
        } else if (text[at] == '#' && at + 1 < text.size() &&
                   (text[at + 1] == '{' || text[at + 1] == '$' || text[at + 1] == '@')) {
            out += "\\#";
        } else if (inspect_printable(c.code)) {
            out += text.substr(at, c.length);
        } else {
            if (c.code < 0x80 && is_ascii(text)) throw NotNative{"a control character in a text of ASCII"};
            std::snprintf(code_text.data(), code_text.size(), c.code < 0x10000 ? "\\u%04X" : "\\u{%X}",
                          static_cast<unsigned>(c.code));
            out += code_text.data();
        }
        at += c.length;
    }
    return out + '"';
}

bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

bool is_name(std::string_view text) {
    if (text.empty() || !is_name_start(text[0])) return false;
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return is_name_start(c) || (c >= '0' && c <= '9'); });
}

/// Whether a symbol needs no quotes.
bool is_plain_symbol(std::string_view name) {
    static constexpr std::string_view operators[] = {
        "!",  "!=",  "!~", "%",   "&",  "*", "**", "+",  "+@", "-",   "-@", "/", "<", "<<",
        "<=", "<=>", "==", "===", "=~", ">", ">=", ">>", "[]", "[]=", "^",  "`", "|", "~"};
    if (std::find(std::begin(operators), std::end(operators), name) != std::end(operators)) return true;
    if (name.starts_with("@@")) return is_name(name.substr(2));
    if (name.starts_with('@')) return is_name(name.substr(1));
    if (name.starts_with('$')) {
        if (is_name(name.substr(1))) return true;
        throw NotNative{"the text of a symbol with $"};
    }
    if (name.ends_with('?') || name.ends_with('!') || name.ends_with('=')) name.remove_suffix(1);
    return is_name(name);
}

std::string inspect_symbol(const std::string& name) {
    for (std::size_t at = 0; at < name.size();) {
        const Character c = character_at(name, at);
        if (!c.valid || !inspect_printable(c.code)) return ":" + inspect_text(name);
        at += c.length;
    }
    return ":" + (is_plain_symbol(name) ? name : inspect_text(name));
}

/// Ruby looks into (?i:...) and escapes control characters; both are rare.
void check_pattern_text(const Regexp& pattern, bool as_text) {
    const std::string& source = pattern.source();
    if (as_text && source.starts_with("(?") && source.size() > 2 &&
        std::string_view("mix-:").find(source[2]) != std::string_view::npos)
        throw NotNative{"Regexp#to_s of (?" + source.substr(2, 1)};
    for (std::size_t at = 0; at < source.size();) {
        const Character c = character_at(source, at);
        const bool space = c.length == 1 && (c.code == ' ' || (c.code >= 9 && c.code <= 13));
        if (!c.valid || (!space && !inspect_printable(c.code)))
            throw NotNative{"the text of a pattern with control characters"};
        at += c.length;
    }
}

std::string pattern_to_text(const Regexp& pattern) {
    check_pattern_text(pattern, true);
    return pattern.to_text();
}

std::string foreign_text(const Value& value, std::string (*text)(const Value&)) {
    switch (value.kind()) {
        case volley::Kind::Sensitive:
        case volley::Kind::Type:
        case volley::Kind::SemVer:
            return text(value);
        default:
            throw NotNative{"the text of a value of Puppet"};
    }
}

/// Knows which lists and hashes it is inside of: Ruby shows one that holds itself as [...].
class Inspector {
public:
    std::string inspect(const Object& object) {
        if (stack_is_low()) throw NotNative{"objects that are nested too deeply"};
        switch (object.kind()) {
            case Kind::Nil:
                return "nil";
            case Kind::String:
                return inspect_text(object.string().text);
            case Kind::Symbol:
                return inspect_symbol(object.name());
            case Kind::Array:
                return nested(&object.array(), "[...]", [&] { return array(object.array()); });
            case Kind::Hash:
                return nested(&object.hash(), "{...}", [&] { return hash(object.hash()); });
            case Kind::Range:
                return range(object.range());
            case Kind::Pattern:
                check_pattern_text(object.pattern(), false);
                return object.pattern().inspect();
            case Kind::Match:
                return match(object.match());
            case Kind::Foreign:
                return foreign_text(object.foreign(), ruby_inspect);
            case Kind::Enumerator:
                throw NotNative{"Enumerator#inspect"};
            default:
                return to_text(object);
        }
    }

private:
    template <class Write>
    std::string nested(const void* object, const char* again, Write write) {
        if (std::find(inside_.begin(), inside_.end(), object) != inside_.end()) return again;
        inside_.push_back(object);
        std::string text = write();
        inside_.pop_back();
        if (text.size() > Heap::most_bytes) throw NotNative{"a very long text"};
        return text;
    }

    std::string array(const Array& array) {
        std::string out = "[";
        for (const Object& item : array.items) {
            if (out.size() > 1) out += ", ";
            out += inspect(item);
            if (out.size() > Heap::most_bytes) throw NotNative{"a very long text"};
        }
        return out + "]";
    }

    std::string hash(const Hash& hash) {
        std::string out = "{";
        for (const Hash::Entry& entry : hash.entries) {
            if (out.size() > 1) out += ", ";
            out += inspect(entry.key);
            out += "=>";
            out += inspect(entry.value);
            if (out.size() > Heap::most_bytes) throw NotNative{"a very long text"};
        }
        return out + "}";
    }

    std::string range(const Range& range) {
        std::string out;
        if (!range.first.is_nil() || range.last.is_nil()) out += inspect(range.first);
        out += range.exclusive ? "..." : "..";
        if (range.first.is_nil() || !range.last.is_nil()) out += inspect(range.last);
        return out;
    }

    std::string match(const Match& match) {
        if (match.of_text) return "#<MatchData: " + std::string(match.found.group(match.subject, 0)) + ">";
        const auto names = match.pattern->group_names();
        std::string out = "#<MatchData " + inspect_text(match.found.group(match.subject, 0));
        for (std::size_t group = 1; group < match.found.groups.size(); ++group) {
            std::string name = std::to_string(group);
            for (const auto& [known, number] : names) {
                if (static_cast<std::size_t>(number) == group) name = known;
            }
            out += " " + name + ":";
            out += match.found.groups[group].begin < 0
                       ? "nil"
                       : inspect_text(match.found.group(match.subject, group));
        }
        return out + ">";
    }

    std::vector<const void*> inside_;
};

}  // namespace

std::string to_text(const Object& object) {
    switch (object.kind()) {
        case Kind::Nil:
            return "";
        case Kind::False:
            return "false";
        case Kind::True:
            return "true";
        case Kind::Integer:
            return std::to_string(object.integer());
        case Kind::Float:
            return float_text(object.number());
        case Kind::Symbol:
        case Kind::Module:
            return object.name();
        case Kind::String:
            return object.string().text;
        case Kind::Array:
        case Kind::Hash:
            return inspect(object);
        case Kind::Range:
            return to_text(object.range().first) + (object.range().exclusive ? "..." : "..") +
                   to_text(object.range().last);
        case Kind::Pattern:
            return pattern_to_text(object.pattern());
        case Kind::Match:
            return std::string(object.match().found.group(object.match().subject, 0));
        case Kind::Foreign:
            return foreign_text(object.foreign(), ruby_to_s);
        default:
            throw NotNative{"the text of an object with an address"};
    }
}

std::string inspect(const Object& object) { return Inspector().inspect(object); }

std::string_view class_name(const Object& object) {
    switch (object.kind()) {
        case Kind::Nil:
            return "NilClass";
        case Kind::False:
            return "FalseClass";
        case Kind::True:
            return "TrueClass";
        case Kind::Integer:
            return "Integer";
        case Kind::Float:
            return "Float";
        case Kind::Symbol:
            return "Symbol";
        case Kind::String:
            return "String";
        case Kind::Array:
            return "Array";
        case Kind::Hash:
            return "Hash";
        case Kind::Range:
            return "Range";
        case Kind::Pattern:
            return "Regexp";
        case Kind::Match:
            return "MatchData";
        case Kind::Proc:
            return "Proc";
        case Kind::Enumerator:
            return "Enumerator";
        case Kind::Module:
            throw NotNative{"the class of a class"};
        case Kind::Foreign:
            if (object.foreign().is(volley::Kind::Sensitive))
                return "Puppet::Pops::Types::PSensitiveType::Sensitive";
            if (object.foreign().is(volley::Kind::SemVer)) return "SemanticPuppet::Version";
            throw NotNative{"the class of a value of Puppet"};
        case Kind::Host:
            break;
    }
    throw NotNative{"the class of scope"};
}

}  // namespace volley::ruby
