// A difference of catalogs as people read it.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/catalog/diff.hpp"
#include "apply/catalog/redaction.hpp"
#include "support/json/json_text.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

/// Longer values are shown in part, from shortly before their first difference.
constexpr std::size_t longest_value = 300;
constexpr std::size_t context_of_difference = 40;

/// What comes out of a catalog must not steer the terminal: control characters are written as JSON writes
/// them.
std::string harmless(std::string_view text) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    std::string result;
    const auto escape = [&result](unsigned code) {
        result += "\\u00";
        result += digits[code >> 4U];
        result += digits[code & 15U];
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
        if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {  // the second set of control characters
            escape(next);
            ++i;
        } else if ((byte < 0x20 && byte != '\t') || byte == 0x7F) {
            escape(byte);
        } else {
            result += text[i];
        }
    }
    return result;
}

bool is_character_start(char byte) { return !continues_character(byte); }

/// `text`, or of a long one the part around `difference`.
std::string excerpt(const std::string& text, std::size_t difference) {
    if (text.size() <= longest_value) return text;
    std::size_t from = difference > context_of_difference ? difference - context_of_difference : 0;
    std::size_t to = std::min(text.size(), from + longest_value);
    while (from > 0 && from < text.size() && !is_character_start(text[from])) --from;
    while (to < text.size() && !is_character_start(text[to])) ++to;
    return (from > 0 ? "..." : "") + text.substr(from, to - from) + (to < text.size() ? "..." : "") + " (" +
           std::to_string(text.size()) + " bytes)";
}

std::string value_text(const ParameterChange& change, const Json& value) {
    if (value.is_null()) return "(none)";
    if (change.sensitive) return std::string(redacted_text);
    return compact_json(value);
}

bool has_lines(const Json& value) {
    return value.is_string() && value.get_ref<const std::string&>().find('\n') != std::string::npos;
}

/// The lines of the text, in colors when they are wanted.
class DiffText {
public:
    explicit DiffText(bool color) : color_(color) {}
    void line(char sign, std::string_view indentation, const std::string& text) {
        text_ += indentation;
        const char* color = !color_       ? ""
                            : sign == '+' ? "\x1b[32m"
                            : sign == '-' ? "\x1b[31m"
                            : sign == '~' ? "\x1b[33m"
                                          : "";
        text_ += color;
        text_ += harmless(text);
        if (*color != 0) text_ += "\x1b[0m";
        text_ += '\n';
    }
    void list(char sign, std::string_view what, const std::vector<std::string>& entries) {
        for (const std::string& one : entries)
            line(sign, "", std::string{sign, ' '} + std::string(what) + one);
    }
    std::string take() { return std::move(text_); }

private:
    bool color_;
    std::string text_;
};

void add_parameter(DiffText& out, const ParameterChange& change) {
    const bool lines = !change.sensitive && change.before->is_string() && change.after->is_string() &&
                       (has_lines(*change.before) || has_lines(*change.after));
    if (lines) {
        out.line(' ', "    ", change.name + ":");
        for (const std::string& line :
             line_diff(change.before->get<std::string>(), change.after->get<std::string>()))
            out.line(line[0], "      ", line);
        return;
    }
    const std::string before = value_text(change, *change.before);
    const std::string after = value_text(change, *change.after);
    const auto differ = std::mismatch(before.begin(), before.end(), after.begin(), after.end()).first;
    const auto difference = static_cast<std::size_t>(differ - before.begin());
    out.line(' ', "    ",
             change.name + ": " + excerpt(before, difference) + " -> " + excerpt(after, difference));
}

}  // namespace

std::string diff_to_text(const CatalogDiff& diff, bool color) {
    DiffText out(color);
    out.list('+', "", diff.added);
    out.list('-', "", diff.removed);
    for (const ResourceChange& change : diff.changed) {
        out.line('~', "", "~ " + change.reference);
        for (const ParameterChange& one : change.parameters) add_parameter(out, one);
        for (const std::string& tag : change.tags_added) out.line('+', "    ", "tag: + " + tag);
        for (const std::string& tag : change.tags_removed) out.line('-', "    ", "tag: - " + tag);
    }
    out.list('+', "contains: ", diff.edges_added);
    out.list('-', "contains: ", diff.edges_removed);
    out.list('+', "class: ", diff.classes_added);
    out.list('-', "class: ", diff.classes_removed);
    return out.take();
}

}  // namespace volley
