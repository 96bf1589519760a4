#include "planner/apply/agentless/resource_answers.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "planner/apply/agentless/agent_queries.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// As Puppet::Util::Tagging has it, of a text in lower case.
bool is_tag_text(std::string_view text) {
    const auto is_word = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
               (static_cast<unsigned char>(c) & 0x80U);
    };
    return !text.empty() && is_word(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
        return is_word(c) || c == ':' || c == '.' || c == '-';
    });
}

}  // namespace

WantedResource wanted_resource(const std::string& reference) {
    const std::size_t bracket = reference.find('[');
    if (bracket == std::string::npos || !reference.ends_with(']')) return {reference, {}, {}};
    return {reference.substr(0, bracket), reference.substr(bracket + 1, reference.size() - bracket - 2), {}};
}

AgentQuestion resources_question(const std::vector<WantedResource>& wanted) {
    Json list = Json::array();
    for (const WantedResource& one : wanted) {
        Json entry{{"type", one.type}, {"title", one.title}};
        for (const auto& [name, value] : one.attributes) entry["attributes"][name] = value;
        list.push_back(std::move(entry));
    }
    const Json order{{"wanted", std::move(list)}};
    return AgentQuestion(AgentQuestion::About::Resources, compact_json(order));
}

Json checked_resources(Json answer, const std::string& target) {
    const auto is_resource = [](const Json& one) {
        return one.is_object() && one.value("type", Json()).is_string() &&
               one.value("title", Json()).is_string() && one.value("parameters", Json()).is_object();
    };
    if (!answer.is_array() || !std::all_of(answer.begin(), answer.end(), is_resource))
        throw Error("bolt/apply-error", "What the agent on " + target + " sent is not a list of resources");
    return answer;
}

Json as_query_result(Json resources) {
    for (Json& resource : resources) {
        Json tags = Json::array({lower(resource["type"].get<std::string>())});
        const std::string title = lower(resource["title"].get<std::string>());
        if (is_tag_text(title) && tags[0] != title) tags.push_back(title);
        Json made{{"type", resource["type"]},
                  {"title", resource["title"]},
                  {"tags", std::move(tags)},
                  {"exported", false},
                  {"kind", "compilable_type"}};
        made["parameters"] = std::move(resource["parameters"]);
        resource = std::move(made);
    }
    Json result = Json::object();
    result["resources"] = std::move(resources);
    return result;
}

std::string types_not_shown(const std::vector<WantedResource>& wanted) {
    const std::vector<std::string> known = agent_type_names();
    std::set<std::string> missing;
    for (const WantedResource& one : wanted) {
        const std::string type = lower(one.type);
        if (!std::binary_search(known.begin(), known.end(), type)) missing.insert(type);
    }
    if (missing.empty()) return {};
    return std::string("Volley's agent does not have the resource type") + (missing.size() > 1 ? "s " : " ") +
           join(std::vector<std::string>(missing.begin(), missing.end()), ", ");
}

}  // namespace volley::planner
