#include "language/conversion/to_string.hpp"

#include <array>
#include <cstdio>

#include "language/callable.hpp"
#include "language/conversion/format_map.hpp"
#include "language/conversion/indented_text.hpp"
#include "language/conversion/ruby_format.hpp"
#include "language/errors.hpp"
#include "language/evaluator/iterate.hpp"
#include "language/float_to_integer.hpp"
#include "language/text/characters_case.hpp"
#include "language/text/regexp.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "language/text/version.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"
#include "support/text/escapes.hpp"

namespace volley {
namespace {

using namespace types;

struct Indentation {
    int level = 0;
    bool first = true;
    bool indenting = false;
    bool breaks() const { return indenting && level > 0 && !first; }
    std::string padding() const { return std::string(static_cast<std::size_t>(level) * 2, ' '); }
    Indentation deeper(bool indent) const { return {level + 1, true, indent}; }
};

const FormatMap& element_formats() {
    static const FormatMap map({{any(), StringFormat("%p")}});
    return map;
}

const FormatMap& standard_formats() {
    static const FormatMap map = [] {
        StringFormat list("%a");
        StringFormat hash("%h");
        // What a program passes for the elements comes on top of this.
        list.elements = hash.elements = std::make_shared<const FormatMap>(element_formats());
        return FormatMap({{default_of(TypeKind::Object), StringFormat("%p")},
                          {default_of(TypeKind::Float), StringFormat("%f")},
                          {default_of(TypeKind::Numeric), StringFormat("%d")},
                          {default_of(TypeKind::Array), list},
                          {default_of(TypeKind::Hash), hash},
                          {default_of(TypeKind::Binary), StringFormat("%B")},
                          {any(), StringFormat("%s")}});
    }();
    return map;
}

bool one_of(char letter, std::string_view letters) { return letters.find(letter) != std::string_view::npos; }

[[noreturn]] void illegal(std::string_view type, const StringFormat& format, std::string_view expected) {
    throw EvalError("", "Illegal format '" + std::string(1, format.letter) + "' specified for value of " +
                            std::string(type) + " type - expected one of the characters '" +
                            std::string(expected) + "'");
}

std::string formatted(const std::string& format, const Value& value) {
    return ruby_format(format, std::span(&value, 1));
}

/// Width and precision alone.
std::string fit(const StringFormat& format, const std::string& text) {
    if (!format.left && !format.width && !format.precision) return text;
    std::string spec = "%";
    if (format.left) spec += '-';
    if (format.width) spec += std::to_string(*format.width);
    if (format.precision) spec += "." + std::to_string(*format.precision);
    return formatted(spec + "s", Value(text));
}

/// As Ruby shows bytes that are not text of an encoding.
std::string inspected_bytes(std::string_view bytes) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string out = "\"";
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        const std::string_view next = bytes.substr(i + 1, 1);
        const bool named = byte == '"' || byte == '\\';
        if (const char letter = named ? bytes[i] : escape_letter(bytes[i], "abefnrtv"); letter != 0) {
            out += '\\';
            out += letter;
        } else if (byte == '#' && (next == "{" || next == "$" || next == "@")) {
            out += "\\#";
        } else if (byte >= 0x20 && byte < 0x7f) {
            out += bytes[i];
        } else {
            out += "\\x";
            out += hex[byte >> 4];
            out += hex[byte & 0xf];
        }
    }
    return out + '"';
}

std::string double_quoted(const std::string& text) {
    std::string forced = puppet_quote(text + "\n");  // a control character makes it use double quotes
    return forced.substr(0, forced.size() - 3) + "\"";
}

class Converter {
public:
    std::string convert(const Value& value, const FormatMap& formats, const Indentation& indentation) {
        const NestingGuard guard;
        TypePtr type = infer_set(value);
        // Compatibility: a parameterized Object type is looked up without its parameters.
        if (type->kind() == TypeKind::ObjectExtension) type = type->generalize();
        const StringFormat& format = formats.find(*type);
        switch (value.kind()) {
            case Kind::Undef:
                return undef_text(format);
            case Kind::Default:
                return default_text(format);
            case Kind::Boolean:
                return boolean_text(value.as_boolean(), format);
            case Kind::Integer:
                return integer_text(value, format);
            case Kind::Float:
                return float_text_of(value, format);
            case Kind::String:
                return string_text(value, format);
            case Kind::Regexp:
                return regexp_text(value, format);
            case Kind::Type:
                return type_text(value, format);
            case Kind::Array:
                return array_text(value, format, formats, indentation);
            case Kind::Hash:
                return hash_text(value, format, formats, indentation);
            case Kind::Iterator:
                return convert(iterate_all(value), formats, indentation);
            case Kind::Binary:
                return binary_text(value, format);
            case Kind::Uri:
                if (!one_of(format.letter, "sp")) illegal("URI", format, "sp");
                if (format.letter == 's' && format.alternate)
                    return fit(format, puppet_quote(to_text(value)));
                return formatted(format.with('s'),
                                 Value(format.letter == 'p' ? to_program_text(value) : to_text(value)));
            case Kind::SemVer:
                version_letter(value, format.letter);
                return formatted(format.with('s'),
                                 Value(format.letter == 'p' ? to_program_text(value) : to_text(value)));
            case Kind::SemVerRange:
                version_letter(value, format.letter);
                return formatted(
                    format.with('s'),
                    Value(format.letter == 'p' ? value.as<VersionRange>().normal_text() : to_text(value)));
            case Kind::Object:
                return object_text(value, format, indentation);
            case Kind::Timespan:
            case Kind::Timestamp:
                if (one_of(format.letter, integer_letters) || one_of(format.letter, float_letters))
                    return formatted(format.with(format.letter), value);
                return formatted(format.text, Value(to_text(value)));
            case Kind::Sensitive:
                return formatted(format.with(format.letter == 'p' ? 's' : format.letter),
                                 Value(format.letter == 'p' ? ruby_inspect(value) : to_text(value)));
            default:
                return formatted(format.text, Value(to_text(value)));
        }
    }

private:
    static constexpr std::string_view integer_letters = "dxXobBiu";
    static constexpr std::string_view float_letters = "eEfgGaA";

    /// Compatibility: a version counts as a number that cannot be made into one.
    static void version_letter(const Value& value, char letter) {
        if (one_of(letter, "sp")) return;
        const bool integer = one_of(letter, integer_letters);
        if (!integer && !one_of(letter, float_letters))
            throw EvalError("", std::string("malformed format string - %") + letter);
        throw EvalError("",
                        "can't convert " + ruby_class(value) + " into " + (integer ? "Integer" : "Float"));
    }

    static std::string undef_text(const StringFormat& f) {
        std::string text;
        if (f.letter == 'n')
            text = f.alternate ? "null" : "nil";
        else if (f.letter == 'u')
            text = f.alternate ? "undefined" : "undef";
        else if (one_of(f.letter, "dxXobBeEfgGaA"))
            text = "NaN";
        else if (f.letter == 'v')
            text = "n/a";
        else if (f.letter == 'V')
            text = "N/A";
        else if (f.letter == 's')
            text = f.alternate ? "\"\"" : "";
        else if (f.letter == 'p')
            text = f.alternate ? "\"undef\"" : "undef";
        else
            illegal("Undef", f, "nudxXobBeEfgGaAvVsp");
        return fit(f, text);
    }

    static std::string default_text(const StringFormat& f) {
        if (one_of(f.letter, "dsp")) return fit(f, f.alternate ? "\"default\"" : "default");
        if (f.letter == 'D') return fit(f, f.alternate ? "\"Default\"" : "Default");
        illegal("Default", f, "dDsp");
    }

    static std::string boolean_text(bool value, const StringFormat& f) {
        const auto shown = [&f](const std::string& text) {
            return fit(f, f.alternate ? text.substr(0, 1) : text);
        };
        switch (f.letter) {
            case 't':
                return shown(value ? "true" : "false");
            case 'T':
                return shown(value ? "True" : "False");
            case 'y':
                return shown(value ? "yes" : "no");
            case 'Y':
                return shown(value ? "Yes" : "No");
            case 's':
            case 'p':
                return fit(f, value ? "true" : "false");
            default:
                break;
        }
        if (one_of(f.letter, "dxXobB")) return integer_text(Value(value ? 1 : 0), f);
        if (one_of(f.letter, "eEfgGaA")) return float_text_of(Value(value ? 1.0 : 0.0), f);
        illegal("Boolean", f, "tTyYdxXobBeEfgGaAsp");
    }

    static std::string integer_text(const Value& value, const StringFormat& f) {
        if (one_of(f.letter, "dxXobBp")) return formatted(f.text, value);
        if (one_of(f.letter, "eEfgGaA")) return formatted(f.text, Value(value.as_float()));
        if (f.letter == 'c') {
            const std::string character = formatted("%c", value);
            return formatted(f.with('s'), Value(f.alternate ? "\"" + character + "\"" : character));
        }
        if (f.letter == 's')
            return formatted(f.with(f.alternate ? 'p' : 's'), Value(std::to_string(value.as_integer())));
        illegal("Integer", f, "dxXobBeEfgGaAspc");
    }

    static std::string float_text_of(const Value& value, const StringFormat& f) {
        if (one_of(f.letter, "dxXobB")) return formatted(f.text, Value(whole_number(value.as_float())));
        if (one_of(f.letter, "eEfgGaAp")) return formatted(f.text, value);
        if (f.letter == 's') {
            const std::string text = float_text(value.as_float());
            return formatted(f.text, Value(f.alternate ? "\"" + text + "\"" : text));
        }
        illegal("Float", f, "dxXobBeEfgGaAsp");
    }

    static std::string string_text(const Value& value, const StringFormat& f) {
        const std::string& text = value.as_string();
        std::string changed;
        switch (f.letter) {
            case 's':
                return formatted(f.text, value);
            case 'p':
                return fit(f, f.alternate ? double_quoted(text) : puppet_quote(text));
            case 'c':
                changed = to_capitalized(text);
                break;
            case 'C': {
                std::string rest = text;
                for (std::size_t at = rest.find("::"); at != std::string::npos; at = rest.find("::")) {
                    changed += to_capitalized(rest.substr(0, at)) + "::";
                    rest.erase(0, at + 2);
                }
                changed += to_capitalized(rest);
                break;
            }
            case 'u':
                changed = to_upper(text);
                break;
            case 'd':
                changed = to_lower(text);
                break;
            case 't':
                changed = std::string(trim(text));
                break;
            default:
                illegal("String", f, "cCudspt");
        }
        return f.alternate ? fit(f, puppet_quote(changed)) : formatted(f.with('s'), Value(changed));
    }

    static std::string object_text(const Value& value, const StringFormat& f, const Indentation& around) {
        if (!one_of(f.letter, "spq")) illegal("Object", f, "spq");
        const bool indented = f.letter == 'p' && (f.alternate || around.indenting);
        return indented ? indented_object_text(value, around.level) : to_text(value);
    }

    static std::string regexp_text(const Value& value, const StringFormat& f) {
        if (f.letter == 'p') return formatted(f.with('s'), Value(to_program_text(value)));
        if (f.letter != 's') illegal("Regexp", f, "sp");
        const std::string text = value.as_regexp().pattern();
        return formatted(f.text, Value(f.alternate ? puppet_quote(text) : text));
    }

    static std::string type_text(const Value& value, const StringFormat& f) {
        if (f.letter != 's' && f.letter != 'p') illegal("Type", f, "sp");
        const std::string text = to_expanded_string(*value.as_type());
        return formatted(f.with('s'), Value(f.letter == 's' && f.alternate ? "\"" + text + "\"" : text));
    }

    /// Bytes as text; the first that is not UTF-8 is an error.
    static std::string readable(const std::string& bytes) {
        if (is_utf8(bytes)) return bytes;
        std::array<char, 8> escape{};
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            if (is_utf8(std::string_view(bytes).substr(0, at + 1)) ||
                is_utf8(std::string_view(bytes).substr(at, 1)))
                continue;
            std::snprintf(escape.data(), escape.size(), "\\x%02X", static_cast<unsigned char>(bytes[at]));
            break;
        }
        throw EvalError("", "\"" + std::string(escape.data()) + "\" from ASCII-8BIT to UTF-8");
    }

    static std::string binary_text(const Value& value, const StringFormat& f) {
        const char shown = f.alternate ? 'p' : 's';
        const std::string base64 = to_text(value);
        if (f.letter == 'p') return "Binary(\"" + formatted(f.with('s'), Value(base64)) + "\")";
        if (f.letter == 'B') return formatted(f.with(shown), Value(base64));
        if (f.letter == 't') return formatted(f.with(shown), Value("Binary"));
        if (f.letter == 'T') return formatted(f.with(shown), Value("BINARY"));
        if (f.letter == 's' || f.letter == 'b' || f.letter == 'u') {
            std::string text = base64;
            if (f.letter == 's' && f.alternate)
                return fit(f, inspected_bytes(base64_decode(base64).value_or("")));
            if (f.letter == 's') text = readable(base64_decode(base64).value_or(""));
            if (f.letter == 'b') text += "\n";
            if (f.letter == 'u') {
                for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
            }
            return formatted(f.with(shown), Value(text));
        }
        illegal("Binary", f, "bButTsp");
    }

    static bool is_container(const Value& value) { return value.is_array() || value.is_hash(); }

    std::string element(const Value& value, const FormatMap& formats, const StringFormat& format,
                        const Indentation& indentation) {
        const bool nested = is_container(value) || value.is(Kind::Object);
        return convert(value,
                       nested            ? formats
                       : format.elements ? *format.elements
                                         : element_formats(),
                       indentation);
    }

    std::string array_text(const Value& value, const StringFormat& f, const FormatMap& formats,
                           Indentation indentation) {
        if (!one_of(f.letter, "asp")) illegal("Array", f, "asp");
        const std::string separator = f.separator.value_or(", ");
        const auto [open, close] = f.delimiters("[]");
        indentation.indenting = f.alternate || indentation.indenting;
        std::string out;
        if (indentation.breaks()) out += "\n" + indentation.padding();
        out += open;
        const Array& items = value.as_array();
        std::vector<std::string> texts;
        Indentation children = indentation.deeper(f.alternate);
        for (const Value& item : items) {
            children.first = false;
            texts.push_back(element(item, formats, f, children));
        }
        const bool wrap_lines =
            f.alternate && f.width && widest_run(items, texts) > static_cast<std::size_t>(*f.width);
        const auto cut_blanks = [&out] { out.erase(out.find_last_not_of(" \t\n\r") + 1); };
        for (std::size_t i = 0; i < items.size(); ++i) {
            const bool plain = !is_container(items[i]);
            if (i == 0) {
                if (wrap_lines && plain) out += ' ';
            } else {
                out += separator;
                if ((wrap_lines && plain) || (f.alternate && is_container(items[i - 1]) && plain)) {
                    if (!out.ends_with('\n')) cut_blanks();
                    out += "\n" + children.padding();
                }
            }
            if (out.ends_with(' ') && texts[i].starts_with('\n')) cut_blanks();
            out += texts[i];
        }
        return out + close;
    }

    /// The longest stretch of plain items between containers.
    static std::size_t widest_run(const Array& items, const std::vector<std::string>& texts) {
        std::size_t widest = 0;
        std::size_t run = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            run = is_container(items[i]) ? 0 : run + character_count(texts[i]);
            widest = std::max(widest, run);
        }
        return widest;
    }

    std::string hash_text(const Value& value, const StringFormat& f, const FormatMap& formats,
                          Indentation indentation) {
        if (f.letter == 'a') return convert(iterate_all(value), formats, indentation);
        if (!one_of(f.letter, "hsp")) illegal("Hash", f, "hasp");
        std::string separator = f.separator.value_or(", ");
        const std::string arrow = f.separator2.value_or(" => ");
        const auto [open, close] = f.delimiters("{}");
        if (f.alternate) {
            if (!separator.ends_with('\n')) separator.erase(separator.find_last_not_of(" \t\n\r") + 1);
            separator += "\n";
        }
        indentation.indenting = f.alternate || indentation.indenting;
        std::string out;
        if (indentation.breaks()) out += "\n" + indentation.padding();
        const Indentation children = indentation.deeper(false);
        out += open + (f.alternate ? "\n" : "");
        bool first = true;
        for (const auto& entry : value.as_hash()) {
            if (!first) out += separator;
            first = false;
            if (f.alternate) out += children.padding();
            out += element(entry.key, formats, f, children);  // before the value: its format may be wrong
            out += arrow + element(entry.value, formats, f, children);
        }
        if (f.alternate) out += "\n" + indentation.padding();
        return out + close;
    }
};

FormatMap formats_for(const Value& value, const Value& formats) {
    if (formats.is(Kind::Default)) return standard_formats();
    if (formats.is_hash()) return FormatMap::merged(standard_formats(), FormatMap::from(formats.as_hash()));
    const TypePtr type = value.is_array()  ? default_of(TypeKind::Array)
                         : value.is_hash() ? default_of(TypeKind::Hash)
                                           : infer_set(value);
    return FormatMap::merged(standard_formats(), FormatMap({{type, StringFormat(formats.as_string())}}));
}

}  // namespace

std::string convert_to_string(const Value& value, const Value& formats) {
    return Converter().convert(value, formats_for(value, formats), {});
}

}  // namespace volley
