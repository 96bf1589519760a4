// Type['title'] { parameter => value }, and what collectors override. Spec "Resource overrides".

#include <unordered_set>

#include "apply/compiler/compiler.hpp"
#include "apply/compiler/resources/references.hpp"
#include "language/errors.hpp"

namespace volley {

void Compiler::add_override(Override override) {
    std::unordered_set<std::string_view> names;
    for (const ResourceParameter& one : override.parameters) {
        if (one.name == "tag") {  // a bad one is a mistake here, not where the resource is
            TagSet ignored;
            tag_with_value(ignored, one.value, override.at);
        }
        if (names.insert(one.name).second) continue;
        throw EvalError("",
                        "Duplicate parameter '" + std::string(one.name) + "' for on " + override.key.text(),
                        override.at.location());
    }
    if (override.key.title.empty()) parse_resource_key(override.key.text());  // throws: not a reference
    if (Resource* resource = find_resource(override.key)) {
        merge(*resource, override);
        return;
    }
    check_count(overrides_.size(), request_.limits.overrides, "overrides of resources that are not there",
                override.at);
    overrides_of_[override.key.text()].push_back(overrides_.size());
    overrides_.push_back(std::move(override));
}

void Compiler::merge(Resource& resource, const Override& override) {
    if (resource.source != override.source && !override.source->is_child_of(resource.source))
        throw EvalError("", "Only subclasses can override parameters", override.at.location());
    if (resource.evaluated && environment_.settings.strict != Strictness::Off) {
        const std::string where = resource.at.text();
        const std::string message =
            "Attempt to override an already evaluated resource" +
            (where.empty() ? " with new values" : ", defined at " + where + ", with new values");
        if (environment_.settings.strict == Strictness::Error)
            throw EvalError("", message, override.at.location());
        environment_.host.log({Severity::Warning, message + override.at.suffix(), "", {}});
    }
    for (const ResourceParameter& one : override.parameters) override_parameter(resource, one);
}

void Compiler::override_parameter(Resource& resource, const ResourceParameter& parameter) {
    const ResourceParameter* current = resource.find(parameter.name);
    if (!current) {
        store_override(resource, parameter);
        return;
    }
    if (resource.scope->is_default(*resource.bucket, parameter.name, parameter.value)) return;
    const bool was_default = parameter.source == current->source &&
                             resource.scope->is_default(*resource.bucket, parameter.name, current->value);
    if (!was_default && !parameter.source->is_child_of(current->source)) {
        const std::string where = current->at.text();
        const std::string setter = current->source && !current->source->name.empty()
                                       ? " by Class[" + current->source->reference + "]"
                                       : "";
        throw EvalError("",
                        "Parameter '" + std::string(parameter.name) + "' is already set on " +
                            resource.reference() + setter + (where.empty() ? "" : " at " + where) +
                            "; cannot redefine",
                        parameter.at.location());
    }
    ResourceParameter merged = parameter;
    if (parameter.append)
        merged.value = flat_items(Value(std::vector<Value>{current->value, parameter.value}));
    store_override(resource, merged);
}

void Compiler::store_override(Resource& resource, const ResourceParameter& parameter) {
    if (parameter.name == "tag") {
        tag_with_value(resource.tags, parameter.value, resource.at);
        ++tag_changes_;
    }
    late_aliases_ = late_aliases_ || parameter.name == "alias";
    if (ResourceParameter* known = resource.find(parameter.name))
        *known = parameter;
    else
        resource.parameters.push_back(parameter);
    resource.bucket->note_change(resource, parameter.name);
}

}  // namespace volley
