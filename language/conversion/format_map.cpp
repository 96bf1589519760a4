#include "language/conversion/format_map.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/text/regexp.hpp"
#include "language/text/ruby_text.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

int rank(const Type& type) {
    switch (type.kind()) {
        case TypeKind::Struct:
            return 1;
        case TypeKind::Hash:
            return 2;
        case TypeKind::Tuple:
            return 3;
        case TypeKind::Array:
            return 4;
        case TypeKind::Pattern:
            return 10;
        case TypeKind::Enum:
            return 11;
        case TypeKind::String:
            return 12;
        default:
            return 0;
    }
}

bool goes_before(const Type& a, const Type& b) {
    if (a.equals(b)) return false;
    const bool narrower = is_assignable(b, a);
    const bool wider = is_assignable(a, b);
    if (narrower != wider) return narrower;
    if (rank(a) == 0 || rank(b) == 0) return to_string(a) < to_string(b);
    return rank(a) < rank(b);
}

StringFormat format_map_merge(const StringFormat& under, const StringFormat& over) {
    StringFormat result = over;
    if (!result.separator) result.separator = under.separator;
    if (!result.separator2) result.separator2 = under.separator2;
    if (!result.elements)
        result.elements = under.elements;
    else if (under.elements)
        result.elements = std::make_shared<FormatMap>(FormatMap::merged(*under.elements, *over.elements));
    return result;
}

StringFormat container_format(const Hash& given) {
    for (const auto& entry : given) {
        const std::string key = ruby_to_s(entry.key);
        if (key != "separator" && key != "separator2" && key != "format" && key != "string_formats") {
            throw EvalError("",
                            "only 'separator', 'separator2', 'format', 'string_formats' are allowed in a "
                            "container format, got " +
                                ruby_inspect(Value(Ref<const Hash>(&given))));
        }
    }
    const Value* format = given.find("format");
    StringFormat result(format ? ruby_to_s(*format) : "");
    if (const Value* separator = given.find("separator")) result.separator = ruby_to_s(*separator);
    if (const Value* separator = given.find("separator2")) result.separator2 = ruby_to_s(*separator);
    if (const Value* elements = given.find("string_formats"); elements && elements->is_hash()) {
        result.elements = std::make_shared<FormatMap>(FormatMap::from(elements->as_hash()));
    }
    return result;
}

}  // namespace

StringFormat::StringFormat(std::string given) : text(std::move(given)) {
    static const Ref<const Regexp> pattern =
        Regexp::compile(R"(\A%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$)");
    const auto match = pattern->search(text);
    if (!match)
        throw EvalError("", "The format '" + text +
                                "' is not a valid format on the form '%<flags><width>.<prec><format>'");
    const std::string_view flags = match->group(text, 1);
    letter = match->group(text, 4)[0];
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const char flag = flags[i];
        if (flags.find(flag, i + 1) != std::string_view::npos) {
            throw EvalError("", "The same flag can only be used once, got '" + text + "'");
        }
        if (flag == '-')
            left = true;
        else if (flag == '#')
            alternate = true;
        else if (flag == ' ')
            plus = ' ';
        else if (flag == '+')
            plus = plus ? plus : '+';
        else if (flag != '0') {
            if (delimiter) {
                throw EvalError(
                    "", "Only one of the delimiters [ { ( < | can be given in the format flags, got '" +
                            text + "'");
            }
            delimiter = flag;
        }
    }
    const auto number = [&](std::size_t group) -> std::optional<int> {
        const std::string digits(match->group(text, group));
        if (digits.empty()) return std::nullopt;
        if (digits.size() > 6) throw EvalError("", "width too big");
        return std::stoi(digits);
    };
    width = number(2);
    precision = number(3);
}

std::string StringFormat::with(char other) const {
    std::string result = text;
    std::replace(result.begin(), result.end(), letter, other);
    return result;
}

std::pair<std::string, std::string> StringFormat::delimiters(std::string_view standard) const {
    switch (delimiter) {
        case '[':
            return {"[", "]"};
        case '{':
            return {"{", "}"};
        case '(':
            return {"(", ")"};
        case '<':
            return {"<", ">"};
        case '|':
            return {"|", "|"};
        default:
            break;
    }
    if (plus == ' ') return {"", ""};
    return {std::string(1, standard[0]), std::string(1, standard[1])};
}

const StringFormat& FormatMap::find(const Type& type) const {
    static const StringFormat plain("%s");
    for (const auto& [key, format] : entries_) {
        if (is_assignable(*key, type)) return format;
    }
    return plain;
}

FormatMap FormatMap::merged(const FormatMap& under, const FormatMap& over) {
    std::vector<Entry> result;
    for (const Entry& low : under.entries_) {
        const bool covered =
            std::any_of(over.entries_.begin(), over.entries_.end(), [&low](const Entry& high) {
                return !high.first->equals(*low.first) && is_assignable(*high.first, *low.first);
            });
        if (!covered) result.push_back(low);
    }
    for (const Entry& high : over.entries_) {
        const auto same = std::find_if(result.begin(), result.end(),
                                       [&high](const Entry& low) { return low.first->equals(*high.first); });
        if (same == result.end())
            result.push_back(high);
        else
            same->second = format_map_merge(same->second, high.second);
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Entry& a, const Entry& b) { return goes_before(*a.first, *b.first); });
    return FormatMap(std::move(result));
}

FormatMap FormatMap::from(const Hash& formats) {
    std::vector<Entry> list;
    for (const auto& entry : formats) {
        if (!entry.key.is(Kind::Type)) {
            throw EvalError("", "top level keys in the format hash must be data types, got instance of '" +
                                    ruby_class(entry.key) + "'");
        }
        if (entry.value.is_hash())
            list.emplace_back(entry.key.as_type(), container_format(entry.value.as_hash()));
        else
            list.emplace_back(entry.key.as_type(), StringFormat(ruby_to_s(entry.value)));
    }
    return FormatMap(std::move(list));
}

}  // namespace volley
