#include "cli/outputters/change_groups.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>

#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

bool is_set(const Json& status, const char* key) {
    const auto found = status.find(key);
    return found != status.end() && found->is_boolean() && found->get<bool>();
}

/// Empty for a resource that stayed as it was.
std::string outcome_of(const Json& status) {
    if (!status.is_object()) return {};
    if (is_set(status, "failed")) return "failed";
    if (is_set(status, "changed")) return "changed";
    const auto events = status.find("events");
    const bool noop =
        events != status.end() && events->is_array() &&
        std::ranges::any_of(*events, [](const Json& e) { return text_in(e, "status") == "noop"; });
    return noop ? "would change" : "";
}

/// Whether a change corrects an earlier one differs between targets and is no reason.
std::string without_correction(std::string message) {
    static constexpr std::string_view mark = " (corrective)";
    if (message.ends_with(mark)) message.erase(message.size() - mark.size());
    return message;
}

std::string reason_of(const Json& status) {
    const auto events = status.find("events");
    if (events == status.end() || !events->is_array()) return {};
    for (const Json& event : *events) {
        if (text_in(event, "status") == "failure") return without_correction(text_in(event, "message"));
    }
    return {};
}

/// What a resource was changed to, or would be: of each property the new value, as the report has it.
std::string new_value(const Json& status) {
    const auto events = status.find("events");
    if (events == status.end() || !events->is_array()) return {};
    std::vector<std::string> parts;
    for (const Json& event : *events) {
        const std::string property = text_in(event, "property");
        const std::string state = text_in(event, "status");
        if (property.empty() || (state != "success" && state != "noop")) continue;
        const Json value = event.value("desired_value", Json());
        const bool hidden = is_set(event, "redacted");
        const std::string text = value.is_string() ? value.get<std::string>() : compact_json(value);
        parts.push_back(property + " => " + (hidden ? "[redacted]" : text));
    }
    return join(parts, ", ");
}

void note_value(ChangeGroup& group, std::string value, const std::string& name) {
    const auto at = std::ranges::find(group.values, value, &ChangedTo::value);
    ChangedTo& same = at == group.values.end() ? group.values.emplace_back(std::move(value)) : *at;
    same.names.push_back(name);
}

void order_values(ChangeGroup& group) {
    if (group.values.size() < 2) group.values.clear();
    std::ranges::stable_sort(group.values, {}, [](const ChangedTo& one) { return one.names.size(); });
}

}  // namespace

std::vector<ChangeGroup> change_groups(const planner::ResultSet& results, const NameOf& display_name) {
    std::vector<ChangeGroup> groups;
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> known;
    for (const planner::Result& result : results.results()) {
        if (result.action() != "apply") continue;
        const auto shared = result.shared_value();
        const Json& value = *shared;
        const auto report = value.find("report");
        if (report == value.end() || !report->is_object()) continue;
        const auto statuses = report->find("resource_statuses");
        if (statuses == report->end() || !statuses->is_object()) continue;
        for (const auto& [resource, status] : statuses->items()) {
            const std::string outcome = outcome_of(status);
            if (outcome.empty()) continue;
            const std::string reason = outcome == "failed" ? reason_of(status) : std::string();
            const auto [at, is_new] = known.emplace(std::tuple(resource, outcome, reason), groups.size());
            if (is_new) groups.push_back({resource, outcome, reason, {}, {}});
            ChangeGroup& group = groups[at->second];
            group.names.push_back(display_name(result.target()));
            if (outcome != "failed") note_value(group, new_value(status), group.names.back());
        }
    }
    std::ranges::for_each(groups, order_values);
    std::ranges::stable_sort(groups, [](const ChangeGroup& a, const ChangeGroup& b) {
        if ((a.outcome == "failed") != (b.outcome == "failed")) return a.outcome == "failed";
        return a.names.size() > b.names.size();
    });
    return groups;
}

Json to_json(const std::vector<ChangeGroup>& groups) {
    Json list = Json::array();
    for (const ChangeGroup& group : groups) {
        Json one{{"resource", group.resource}, {"outcome", group.outcome}};
        if (!group.message.empty()) one["message"] = group.message;
        one["count"] = group.names.size();
        one["targets"] = group.names;
        for (const ChangedTo& to : group.values)
            one["values"].push_back({{"value", to.value}, {"count", to.names.size()}, {"targets", to.names}});
        list.push_back(std::move(one));
    }
    return list;
}

}  // namespace volley::cli
