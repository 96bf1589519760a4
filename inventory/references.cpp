#include "inventory/references.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/process/parallel.hpp"

namespace volley::inventory {
namespace {

/// So many servers are asked at the same time.
constexpr std::size_t most_references_at_once = 16;

/// Whether references in one value are asked for at the same time; on a thread that does so already they are
/// not.
enum class Overlap { Yes, No };

struct ReferenceSite {
    const Json* reference;
    ReferencePath path;
};

void find_sites(const Json& value, ReferencePath& path, std::vector<ReferenceSite>& sites) {
    if (value.is_object() && value.contains("_plugin")) {
        sites.push_back({&value, path});
        return;
    }
    if (!value.is_structured()) return;
    for (const auto& [key, part] : value.items()) {
        path.push_back(key);  // of an array: the position
        find_sites(part, path, sites);
        path.pop_back();
    }
}

Json resolve_value(const Json& value, Plugins& plugins, int depth, Overlap overlap,
                   const ReferenceContext& context);

Json first_step(const Json& reference, Plugins& plugins, int depth, Overlap overlap) {
    Json options = Json::object();
    for (const auto& [key, part] : reference.items())
        options[key] = resolve_value(part, plugins, depth, overlap, {});
    return plugins.resolve(options);
}

Json resolve_site(const Json& reference, Plugins& plugins, int depth, Overlap overlap) {
    Json answer = first_step(reference, plugins, depth, overlap);
    if (!plugins.answers_with_references(reference)) return answer;
    return resolve_value(answer, plugins, depth + 1, overlap, {});
}

/// The sites' places in `copy`, filled; `next` counts the sites.
void fill_sites(Json& copy, std::vector<Json>& answers, std::size_t& next) {
    if (copy.is_object() && copy.contains("_plugin")) {
        copy = std::move(answers[next++]);
        return;
    }
    if (!copy.is_structured()) return;
    for (Json& part : copy) fill_sites(part, answers, next);
}

Json resolve_value(const Json& value, Plugins& plugins, int depth, Overlap overlap,
                   const ReferenceContext& context) {
    if (depth > maximum_reference_depth) throw_reference_loop();
    std::vector<ReferenceSite> sites;
    ReferencePath path;
    find_sites(value, path, sites);
    if (sites.empty()) return value;
    PreparedReferences together;
    if (overlap == Overlap::Yes && depth == 0 && sites.size() > 1) {
        std::vector<Json> references;
        for (const ReferenceSite& site : sites) {
            const bool known = context.prepared && context.prepared->contains(*site.reference);
            if (!known) references.push_back(*site.reference);
        }
        together.prepare(references, plugins, PreparedReferences::Depth::Complete);
    }
    std::vector<Json> answers;
    for (const ReferenceSite& site : sites) {
        try {
            const Json* known = context.prepared ? context.prepared->find(*site.reference) : nullptr;
            if (!known) known = together.find(*site.reference);
            answers.push_back(known ? *known : resolve_site(*site.reference, plugins, depth, overlap));
        } catch (const Error& error) {
            if (!context.place) throw;
            throw_at_place(error, context.place(site.path));
        }
    }
    Json out = value;
    std::size_t next = 0;
    fill_sites(out, answers, next);
    return out;
}

}  // namespace

struct PreparedReferences::Answer {
    Json reference;
    Json value;
    std::exception_ptr problem;
};

void PreparedReferences::prepare(const std::vector<Json>& references, Plugins& plugins, Depth depth) {
    std::vector<std::shared_ptr<Answer>> wanted;
    for (const Json& reference : references) {
        std::string text = reference.dump();
        if (answers_.contains(text) || !plugins.may_overlap(reference)) continue;
        const auto answer = std::make_shared<Answer>(Answer{reference, {}, {}});
        answers_.emplace(std::move(text), answer);
        wanted.push_back(answer);
    }
    const Overlap inner = wanted.size() == 1 ? Overlap::Yes : Overlap::No;
    parallel_for(wanted.size(), most_references_at_once, [&](std::size_t i) {
        try {
            wanted[i]->value = depth == Depth::FirstStep
                                   ? first_step(wanted[i]->reference, plugins, 0, inner)
                                   : resolve_site(wanted[i]->reference, plugins, 0, inner);
        } catch (...) {
            wanted[i]->problem = std::current_exception();
        }
    });
}

bool PreparedReferences::contains(const Json& reference) const {
    return !answers_.empty() && answers_.contains(reference.dump());
}

const Json* PreparedReferences::find(const Json& reference) const {
    if (answers_.empty()) return nullptr;
    const auto found = answers_.find(reference.dump());
    if (found == answers_.end()) return nullptr;
    if (found->second->problem) std::rethrow_exception(found->second->problem);
    return &found->second->value;
}

Json resolve_references(const Json& value, Plugins& plugins, const ReferenceContext& context) {
    return resolve_value(value, plugins, 0, context.one_by_one ? Overlap::No : Overlap::Yes, context);
}

Json resolve_outer_reference(const Json& reference, Plugins& plugins) {
    return first_step(reference, plugins, 0, Overlap::Yes);
}

ReferencePlace config_place(std::string key) {
    return [key = std::move(key)](const ReferencePath& path) {
        std::string text = "the configuration, key " + key;
        for (const std::string& part : path) text += "." + part;
        return text;
    };
}

std::vector<Json> outermost_references(const Json& value) {
    std::vector<ReferenceSite> sites;
    ReferencePath path;
    find_sites(value, path, sites);
    std::vector<Json> references;
    for (const ReferenceSite& site : sites) references.push_back(*site.reference);
    return references;
}

void throw_at_place(const Error& error, const std::string& place) {
    const ErrorInfo& info = error.info();
    throw Error(info.kind(), info.msg() + " (" + place + ")", info.details(), info.issue_code());
}

void throw_reference_loop() {
    throw Error("bolt/recursive-reference-loop",
                "Plugin references are nested more than 100 deep; is there a cycle?");
}

}  // namespace volley::inventory
