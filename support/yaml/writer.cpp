#include "support/yaml/writer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

/// True when YAML 1.1 would read the word as something other than text: true, null, 1e3, 0x1F, 12:30,
/// 2001-01-01.
bool yaml_text_has_other_meaning(const std::string& word) {
    static constexpr std::array<std::string_view, 9> words{"true", "false", "yes", "no", "on",
                                                           "off",  "null",  "y",   "n"};
    const std::string small = lower(word);
    if (std::find(words.begin(), words.end(), small) != words.end()) return true;
    const bool numeric_start = std::isdigit(static_cast<unsigned char>(word[0])) != 0 ||
                               std::string_view("+-.").find(word[0]) != std::string_view::npos;
    const auto in_number = [](char c) {
        return std::isxdigit(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("+-.:_xoeEinfa").find(c) != std::string_view::npos;
    };
    return numeric_start && std::all_of(word.begin(), word.end(), in_number);
}

std::string yaml_text_scalar(const std::string& text) {
    const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    if (std::any_of(text.begin(), text.end(), control)) {
        return compact_json(Json(text));
    }
    const bool plain =
        !text.empty() && text.front() != ' ' && text.back() != ' ' && text.back() != ':' &&
        std::string_view("!&*-?|>@`%\"'#{}[],=<:~").find(text.front()) == std::string_view::npos &&
        text.find(": ") == std::string::npos && text.find(" #") == std::string::npos &&
        !yaml_text_has_other_meaning(text);
    if (plain) return text;
    std::string quoted = "'";
    for (const char c : text) {
        quoted += c;
        if (c == '\'') quoted += c;
    }
    return quoted + "'";
}

std::string yaml_text_inline(const Json& value) {
    if (value.is_string()) return yaml_text_scalar(value.get<std::string>());
    if (value.is_null()) return {};
    if (value.is_object()) return "{}";
    if (value.is_array()) return "[]";
    return value.dump();
}

bool yaml_text_is_block(const Json& value) { return value.is_structured() && !value.empty(); }

void write_yaml(const Json& value, std::size_t indentation, std::string& out);

void write_yaml_object(const Json& object, std::size_t indentation, bool first_inline, std::string& out) {
    for (const auto& [key, entry] : object.items()) {
        if (!first_inline) out.append(indentation, ' ');
        first_inline = false;
        out += yaml_text_scalar(key) + ":";
        if (yaml_text_is_block(entry)) {
            out += '\n';
            write_yaml(entry, entry.is_object() ? indentation + 2 : indentation, out);
        } else {
            const std::string text = yaml_text_inline(entry);
            out += text.empty() ? "\n" : " " + text + "\n";
        }
    }
}

void write_yaml(const Json& value, std::size_t indentation, std::string& out) {
    if (!yaml_text_is_block(value)) {
        out.append(indentation, ' ');
        out += yaml_text_inline(value) + "\n";
    } else if (value.is_object()) {
        write_yaml_object(value, indentation, false, out);
    } else {
        for (const Json& entry : value) {
            out.append(indentation, ' ');
            if (entry.is_object() && !entry.empty()) {
                out += "- ";
                write_yaml_object(entry, indentation + 2, true, out);
            } else if (yaml_text_is_block(entry)) {
                out += "-\n";
                write_yaml(entry, indentation + 2, out);
            } else {
                const std::string text = yaml_text_inline(entry);
                out += text.empty() ? "-\n" : "- " + text + "\n";
            }
        }
    }
}

}  // namespace

std::string to_yaml(const Json& value) {
    std::string out;
    write_yaml(value, 0, out);
    return out;
}

}  // namespace volley
