#include "transports/shell/powershell/literals.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/text.hpp"

namespace volley::transports {
namespace {

// PowerShell takes these for single quotes as well: U+2018 to U+201B.
bool is_curly_quote(std::string_view text, std::size_t at) {
    return text.size() - at >= 3 && text[at] == '\xE2' && text[at + 1] == '\x80' && text[at + 2] >= '\x98' &&
           text[at + 2] <= '\x9B';
}

std::string number_text(const Json& number) {
    const std::string text = number.dump();
    return text.front() == '-' ? "(" + text + ")" : text;
}

std::string array_text(const Json& array, const PowerShellVariable& variable) {
    std::string text = "@(";
    for (const Json& element : array) {
        if (text.size() > 2) text += ",";
        const std::string expression = powershell_value(element, variable);
        // A comma before a list keeps it one element.
        text += element.is_array() && array.size() == 1 ? "," + expression : expression;
    }
    return text + ")";
}

std::string hash_text(const Json& object, const PowerShellVariable& variable) {
    std::vector<std::pair<std::string, const Json*>> entries;
    for (const auto& [name, value] : object.items()) {
        const std::string folded = lower(name);
        const auto same = std::find_if(entries.begin(), entries.end(),
                                       [&](const auto& entry) { return lower(entry.first) == folded; });
        if (same != entries.end()) entries.erase(same);
        entries.emplace_back(name, &value);
    }
    std::string text = "@{";
    for (const auto& [name, value] : entries) {
        if (text.size() > 2) text += ";";
        text += powershell_string(name) + "=" + powershell_value(*value, variable);
    }
    return text + "}";
}

}  // namespace

std::string powershell_string(std::string_view text) {
    std::string quoted = "'";
    bool parts = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\0') {
            quoted += "'+[char]0+'";
            parts = true;
        } else if (text[at] == '\'') {
            quoted += "''";
        } else if (is_curly_quote(text, at)) {
            quoted.append(text.substr(at, 3)).append(text.substr(at, 3));
            at += 2;
        } else {
            quoted += text[at];
        }
    }
    quoted += "'";
    return parts ? "(" + quoted + ")" : quoted;
}

std::string powershell_list(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ",") + powershell_string(text);
    return "@(" + list + ")";
}

std::string powershell_value(const Json& value, const PowerShellVariable& variable) {
    switch (value.type()) {
        case Json::value_t::null:
            return "$null";
        case Json::value_t::boolean:
            return value.get<bool>() ? "$true" : "$false";
        case Json::value_t::array:
            return array_text(value, variable);
        case Json::value_t::object:
            return hash_text(value, variable);
        case Json::value_t::string: {
            const auto& text = value.get_ref<const std::string&>();
            return text == variable.placeholder && !text.empty() ? variable.expression
                                                                 : powershell_string(text);
        }
        default:
            return number_text(value);
    }
}

std::string powershell_environment(const std::vector<std::pair<std::string, std::string>>& environment,
                                   const PowerShellVariable& variable) {
    std::string line;
    for (const auto& [name, value] : environment) {
        // A line break in a value would make the line two.
        std::string text = value == variable.placeholder && !value.empty() ? variable.expression
                           : value.find_first_of("\r\n") == std::string::npos
                               ? powershell_string(value)
                               : "[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('" +
                                     base64_encode(value) + "'))";
        line += "[Environment]::SetEnvironmentVariable(" + powershell_string(name) + "," + text + ");";
    }
    return line.empty() ? line : line + "\r\n";
}

}  // namespace volley::transports
