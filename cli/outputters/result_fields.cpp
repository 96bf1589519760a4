#include "cli/outputters/result_fields.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "cli/outputters/result_groups.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr auto simple_fields = std::to_array<std::string_view>(
    {"action", "exit_code", "message", "name", "object", "output", "status", "stderr", "stdout", "target"});

std::string text_of(const Json& value) {
    if (value.is_null()) return {};
    return value.is_string() ? value.get<std::string>() : compact_json(value);
}

/// The value below a path of keys; numbers are places in lists. Keys may hold dots themselves.
const Json* find_path(const Json& from, std::string_view path) {
    if (path.empty()) return &from;
    if (from.is_array()) {
        const std::size_t dot = path.find('.');
        const std::string_view head = path.substr(0, dot);
        if (head.empty() || head.size() > 9 || head.find_first_not_of("0123456789") != std::string_view::npos)
            return nullptr;
        const std::size_t index = std::stoul(std::string(head));
        if (index >= from.size()) return nullptr;
        return find_path(from[index], dot == std::string_view::npos ? "" : path.substr(dot + 1));
    }
    if (!from.is_object()) return nullptr;
    for (std::size_t end = path.find('.');; end = path.find('.', end + 1)) {
        const auto found = from.find(std::string(path.substr(0, end)));
        if (found != from.end()) {
            const Json* below = find_path(*found, end == std::string_view::npos ? "" : path.substr(end + 1));
            if (below) return below;
        }
        if (end == std::string_view::npos) return nullptr;
    }
}

std::string trimmed(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

}  // namespace

std::vector<std::string> parse_fields(const std::string& list) {
    std::vector<std::string> fields;
    for (const std::string& piece : split(list, ',')) {
        const std::string field(trim(piece));
        const bool path = field == "value" || (field.starts_with("value.") && field.size() > 6);
        if (!path && std::ranges::find(simple_fields, field) == simple_fields.end()) {
            std::vector<std::string> known(simple_fields.begin(), simple_fields.end());
            known.emplace_back("value.KEY");
            throw Error("bolt/cli-error", "There is no field '" + field + "': use " + join(known, ", ") +
                                              "." + did_you_mean(field, known));
        }
        fields.push_back(field);
    }
    return fields;
}

const std::vector<std::string>& usual_fields() {
    static const std::vector<std::string> fields{"target", "status", "message"};
    return fields;
}

std::string field_text(const planner::Result& result, const std::string& field, const std::string& name) {
    if (field == "target" || field == "name") return name;
    if (field == "status") return std::string(to_string(result.status()));
    if (field == "action") return result.action();
    if (field == "object") return result.object().value_or("");
    if (field == "output") return trimmed(result_body(result));
    if (field == "message") {
        if (!result.ok()) return trimmed(failure_message(result));
        const std::string body = result_body(result);
        return body.substr(0, body.find('\n'));
    }
    const auto shared = result.shared_value();
    const Json& value = *shared;
    if (field == "value") return text_of(value);
    const Json* found =
        find_path(value, field.starts_with("value.") ? std::string_view(field).substr(6) : field);
    if (!found && field == "exit_code") found = find_path(value, "_error.details.exit_code");
    return found ? trimmed(text_of(*found)) : std::string();
}

}  // namespace volley::cli
