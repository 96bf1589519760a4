#include "planner/apply/agentless/agent_queries.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "planner/apply/agentless/agent_session.hpp"
#include "planner/apply/agentless/agentless.hpp"
#include "planner/apply/agentless/content/fact_code.hpp"
#include "planner/apply/agentless/resource_answers.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/transport.hpp"

namespace volley::planner {
namespace {

/// What a resource may have to be found by, beside its title.
constexpr std::array<std::string_view, 11> finding_attributes = {
    "match",      "name",   "path", "provider", "section", "setting",
    "subsetting", "target", "type", "user",     "line"};

bool is_set_by(const ResourceStatement& statement, const std::string& name) {
    return std::any_of(statement.attributes.begin(), statement.attributes.end(),
                       [&](const auto& attribute) { return attribute.first == name; });
}

/// What `name` means, "os.release.full" or "processors.models.0"; null where there is no such fact.
Json fact_at(const Json& facts, const std::string& name) {
    const Json* found = &facts;
    for (const std::string& part : split(name, '.')) {
        const bool is_index = found->is_array() && !part.empty() && part.size() < 6 &&
                              part.find_first_not_of("0123456789") == std::string::npos;
        if (found->is_object() && found->contains(part))
            found = &(*found)[part];
        else if (is_index && std::stoul(part) < found->size())
            found = &(*found)[std::stoul(part)];
        else
            return nullptr;
    }
    return *found;
}

/// Of facts that came all together those with these names; all of them without names, or where they are an
/// error.
Json named_facts(Json facts, const std::vector<std::string>& names) {
    if (names.empty() || !facts.is_object() || facts.contains("_error")) return facts;
    Json named = Json::object();
    for (const std::string& name : names) named[name] = fact_at(facts, name);
    return named;
}

/// As the agent answers, of what the puppet-agent of a target said. Throws Error.
Json plain_resources(Json found, const std::string& target) {
    if (const auto error = found.find("_error"); error != found.end() && error->is_object())
        throw Error(text_in(*error, "kind"), text_in(*error, "msg"));
    Json resources = checked_resources(found.value("resources", Json()), target);
    for (Json& resource : resources) {
        Json parameters = std::move(resource["parameters"]);
        // Volley's agent does not send hashes of passwords; a puppet-agent does. "*" and "!" are none.
        const auto password = parameters.find("password");
        if (password != parameters.end() && password->is_string() && password->get<std::string>().size() > 2)
            *password = "Sensitive [value redacted]";
        resource = Json{{"type", resource["type"]}, {"title", resource["title"]}};
        resource["parameters"] = std::move(parameters);
    }
    return resources;
}

/// Of the resource after a change: what was set, as `puppet resource` shows it.
Json only_what_was_set(Json resources, const ResourceStatement& statement) {
    for (Json& resource : resources) {
        Json kept = Json::object();
        for (const auto& [name, value] : resource["parameters"].items()) {
            if (name == "ensure" || name == "provider" || is_set_by(statement, name)) kept[name] = value;
        }
        resource["parameters"] = std::move(kept);
    }
    return resources;
}

}  // namespace

ResourceProcedure::ResourceProcedure(std::shared_ptr<ApplyTools> tools, ResourceStatement statement,
                                     bool noop)
    : tools_(std::move(tools)),
      files_(tools_->module_files({})),
      statement_(std::move(statement)),
      noop_(noop) {}

ResourceProcedure::~ResourceProcedure() = default;

std::string ResourceProcedure::object() const {
    const std::string type = capitalized_type(statement_.type);
    return statement_.title.empty() ? type : type + "[" + statement_.title + "]";
}

transports::Task<std::string> ResourceProcedure::why_not_by_agent(TargetAccess& access) const {
    const std::string lacking = types_not_shown({{statement_.type, {}, {}}});
    auto trying = why_no_agent(access);
    std::string why = co_await std::move(trying);
    co_return why.empty() ? lacking : why;
}

transports::Task<Json> ResourceProcedure::read(TargetAccess& access, bool by_agent) const {
    if (!by_agent) {
        auto reading_code = tools_->code_files(files_, false);
        std::vector<DeliveredFile> code = co_await std::move(reading_code);
        std::vector<std::string> references{object()};
        auto asking = tools_->agent().resources(access, std::move(references), std::move(code));
        Json found = co_await std::move(asking);
        co_return plain_resources(std::move(found), access.target().name());
    }
    WantedResource wanted{statement_.type, statement_.title, {}};
    for (const auto& attribute : statement_.attributes) {
        const auto& finding = finding_attributes;
        if (std::find(finding.begin(), finding.end(), attribute.first) != finding.end())
            wanted.attributes.push_back(attribute);
    }
    AgentQuestion question = resources_question({std::move(wanted)});
    auto asking = tools_->agent().ask(access, std::move(question));
    Json answer = co_await std::move(asking);
    co_return checked_resources(std::move(answer), access.target().name());
}

transports::Task<Result> ResourceProcedure::perform(TargetAccess& access) const {
    const std::string name = access.target().name();
    Json value = Json::object();
    auto trying = why_not_by_agent(access);
    const bool by_agent = (co_await std::move(trying)).empty();
    if (statement_.attributes.empty()) {
        auto reading = read(access, by_agent);
        value["resources"] = co_await std::move(reading);
        co_return Result::of_value(name, std::string(action()), object(), std::move(value));
    }
    ResourceStatement statement = statement_;
    auto making = tools_->single(std::move(statement));
    std::shared_ptr<const CompiledCatalog> catalog = co_await std::move(making);
    if (by_agent) {
        auto applying = tools_->agent().apply_by_agent_only(access, std::move(catalog), noop_);
        value = co_await std::move(applying);
    } else {
        auto applying = tools_->agent().apply(access, std::move(catalog), noop_);
        value = co_await std::move(applying);
        // Without a puppet-agent there is nothing to ask, either.
        if (!value.contains("report"))
            co_return Result::of_value(name, std::string(action()), object(), std::move(value));
    }
    std::string unreadable;
    try {
        auto reading = read(access, by_agent);
        Json resources = co_await std::move(reading);
        value["resources"] = only_what_was_set(std::move(resources), statement_);
    } catch (const Error& error) {
        unreadable = error.what();
    }
    // What was done counts, also of a resource that has nothing to show.
    if (!unreadable.empty())
        log(LogLevel::Info, "planner",
            object() + " of " + access.target().safe_name() + " cannot be shown: " + unreadable);
    co_return Result::of_value(name, std::string(action()), object(), std::move(value));
}

std::string AgentFactsProcedure::object() const { return join(names_, " "); }

transports::Task<Result> AgentFactsProcedure::perform(TargetAccess& access) const {
    const std::string name = access.target().name();
    auto reading = tools_->code_files(files_, false);
    const std::vector<DeliveredFile> code = co_await std::move(reading);
    auto trying = why_no_agent(access);
    const std::string why = co_await std::move(trying);
    Json facts;
    // Of a remote target the facts task would find out what its proxy is.
    if (why.empty() || access.target().transport_spec().uses_proxy_target) {
        AgentQuestion question = facts_question(code, names_, legacy_);
        auto asking = tools_->agent().ask(access, std::move(question));
        facts = co_await std::move(asking);
    } else {
        auto asking = tools_->agent().facts(access, code);
        facts = named_facts(co_await std::move(asking), names_);
    }
    if (!facts.is_object())
        throw Error("bolt/apply-error", "The facts that " + name + " sent are not an object");
    std::optional<std::string> asked;
    if (!names_.empty()) asked = object();
    co_return Result::of_value(name, std::string(action()), std::move(asked), std::move(facts));
}

}  // namespace volley::planner
