#include "apply/agent/facts/facts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/external/external.hpp"
#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/legacy.hpp"
#include "apply/agent/facts/modules/module_facts.hpp"
#include "apply/agent/facts/stdlib.hpp"

namespace volley::agent {
namespace {

const std::vector<const FactGroup*>& fact_groups() {
#define VOLLEY_FACTS(name) &name##_facts(),
    static const std::vector<const FactGroup*> groups{
#include "apply/agent/facts/registry.def"
    };
#undef VOLLEY_FACTS
    return groups;
}

bool has_name(const FactGroup& group, std::string_view name) {
    return std::find(group.names.begin(), group.names.end(), name) != group.names.end();
}

/// Whether a query asks for something that is not a structured fact: then everything is found out.
bool is_hidden(std::string_view query) {
    const std::string_view first = query.substr(0, query.find('.'));
    return std::none_of(fact_groups().begin(), fact_groups().end(),
                        [&](const FactGroup* group) { return has_name(*group, first); });
}

bool is_wanted(const FactGroup& group, const FactRequest& request) {
    if (request.names.empty() || request.modules != nullptr) return true;
    return std::any_of(request.names.begin(), request.names.end(), [&](const std::string& query) {
        return is_hidden(query) || has_name(group, query.substr(0, query.find('.')));
    });
}

Json sorted_keys(const Json& value) {
    if (value.is_array()) {
        Json list = Json::array();
        for (const Json& item : value) list.push_back(sorted_keys(item));
        return list;
    }
    if (!value.is_object()) return value;
    std::vector<std::pair<std::string, const Json*>> members;
    for (const auto& [key, member] : value.items()) members.emplace_back(key, &member);
    std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    Json object = Json::object();
    for (const auto& [key, member] : members) object[key] = sorted_keys(*member);
    return object;
}

void add_facts_of(const FactGroup& group, const FactHost& host, Json& facts, FactMessages& messages) {
    try {
        facts.update(group.find(host));
    } catch (const std::exception& error) {
        messages.warnings.push_back("The fact " + std::string(group.names[0]) +
                                    " could not be determined: " + error.what());
    }
}

Json machine_facts(const FactHost& host, const FactRequest& request, FactMessages& messages) {
    Json facts = Json::object();
    std::vector<const FactGroup*> wanted;
    for (const FactGroup* group : fact_groups()) {
        if (is_wanted(*group, request)) wanted.push_back(group);
    }
    // Those that ask programs come last: the programs run while the others are found out.
    const auto asking = std::stable_partition(wanted.begin(), wanted.end(),
                                              [](const FactGroup* group) { return group->begin == nullptr; });
    for (auto group = asking; group != wanted.end(); ++group) {
        try {
            (*group)->begin(host);
        } catch (const std::exception&) {
            // find() says what is wrong.
        }
    }
    for (const FactGroup* group : wanted) add_facts_of(*group, host, facts, messages);
    return facts;
}

/// The facts with those that Facter hides.
Json with_legacy(const FactHost& host, const Json& facts) {
    Json all = legacy_facts(host, facts);
    all.update(facts);
    return all;
}

bool asks_for_hidden(const FactRequest& request) {
    return std::any_of(request.names.begin(), request.names.end(),
                       [](const std::string& query) { return is_hidden(query); });
}

Json external_facts_of(const FactHost& host, const FactRequest& request, FactMessages& messages) {
    if (request.no_external) return Json::object();
    std::vector<std::string> folders = request.external_folders;
    if (request.modules != nullptr) {
        try {
            for (std::string& folder : request.modules->external_folders())
                folders.push_back(std::move(folder));
        } catch (const std::exception& error) {
            messages.warnings.push_back(std::string("The external facts of modules are not there: ") +
                                        error.what());
        }
    }
    return external_facts(host, folders, messages.warnings);
}

}  // namespace

const Json* fact_at(const Json& facts, std::string_view path) {
    if (facts.is_array()) {
        const std::size_t point = std::min(path.find('.'), path.size());
        const std::string_view number = path.substr(0, point);
        const bool digits = !number.empty() && number.size() < 9 &&
                            number.find_first_not_of("0123456789") == std::string_view::npos;
        const std::size_t index = digits ? std::stoul(std::string(number)) : facts.size();
        if (index >= facts.size()) return nullptr;
        return point == path.size() ? &facts[index] : fact_at(facts[index], path.substr(point + 1));
    }
    if (!facts.is_object()) return nullptr;
    // The longest key first: points are more often between keys than in them, but then nothing else fits.
    for (std::size_t end = path.size(); end != std::string_view::npos && end > 0;
         end = path.rfind('.', end - 1)) {
        const auto found = facts.find(std::string(path.substr(0, end)));
        if (found == facts.end()) continue;
        if (end == path.size()) return &*found;
        if (const Json* inner = fact_at(*found, path.substr(end + 1))) return inner;
    }
    return nullptr;
}

FoundFacts find_facts(const FactHost& host, const FactRequest& request) {
    FoundFacts found;
    const Json own = machine_facts(host, request, found.messages);
    const bool hidden = request.legacy || asks_for_hidden(request);
    Json all = hidden || request.modules != nullptr ? with_legacy(host, own) : own;
    const Json external = external_facts_of(host, request, found.messages);
    Json facts = hidden ? all : own;
    if (request.stdlib) {
        const Json more = stdlib_facts();
        all.update(more);
        facts.update(more);
    }
    facts.update(external);
    if (request.modules != nullptr) {
        Json known = all;
        known.update(external);
        facts.update(request.modules->resolve(known, external, found.messages));
    }
    if (!request.names.empty()) {
        Json asked = Json::object();
        for (const std::string& name : request.names) {
            const Json* value = fact_at(facts, name);
            asked[name] = value == nullptr ? Json() : *value;
        }
        facts = std::move(asked);
    }
    found.json = sorted_keys(facts).dump(2, ' ', false, Json::error_handler_t::replace);
    return found;
}

}  // namespace volley::agent
