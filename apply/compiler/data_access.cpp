// File['/tmp/x']['mode'] and Class['a']['x']; tags as functions see them.

#include "apply/compiler/compiler.hpp"
#include "apply/compiler/resources/references.hpp"
#include "language/errors.hpp"
#include "language/text/characters_case.hpp"
#include "language/text/ruby_text.hpp"
#include "language/types/types.hpp"

namespace volley {

bool Compiler::has_class(std::string_view name) {
    return find_resource(make_resource_key("class", name)) != nullptr;
}

Value Compiler::parameter(Evaluator&, const ast::Node& node, const Type& type, const std::string& name) {
    const auto& reference = as<types::CatalogType>(type);
    const bool is_class = type.kind() == TypeKind::Class;
    const std::string type_name = is_class ? "Class" : reference.type_name.value_or("");
    const std::string title = is_class ? reference.type_name.value_or("") : reference.title.value_or("");
    const Resource* resource = find_resource(make_resource_key(type_name, title));
    if (!resource) {
        Evaluator::fail("UNKNOWN_RESOURCE", node, "Resource not found: " + type_name + "['" + title + "']");
    }
    if (!resource->has_attribute(name)) {  // compatibility: here only the first letter of A::B is large
        Evaluator::fail("UNKNOWN_RESOURCE_PARAMETER", node,
                        "The resource " + to_capitalized(type_name) + "['" + title +
                            "'] does not have a parameter called '" + name + "'");
    }
    Value value = resource->value(name);
    if (!value.is_undef() || !resource->scope) return value;
    for (const ResourceParameter* one : resource->scope->defaults(*resource->bucket)) {
        if (one->name == name) return one->value;
    }
    return {};
}

namespace {

Value parameters_as_data(const Resource& resource) {
    HashBuilder parameters;
    for (const ResourceParameter& one : resource.parameters) parameters.set(std::string(one.name), one.value);
    return parameters.build();
}

Value resource_as_data(const Resource& resource) {
    std::vector<Value> tags;
    for (const std::string& tag : resource.tags.texts()) tags.emplace_back(tag);
    HashBuilder data;
    data.set("type", resource.bucket->type)
        .set("title", resource.title_as_given())
        .set("parameters", parameters_as_data(resource));
    data.set("tags", std::move(tags)).set("virtual", resource.is_virtual).set("exported", resource.exported);
    const Location at = resource.at.location();
    data.set("file", at.file.empty() ? Value() : Value(at.file))
        .set("line", at.line > 0 ? Value(at.line) : Value());
    return data.build();
}

std::string_view kind_of_source(const Definition& source) {
    switch (source.kind) {
        case Definition::Kind::Class:
            return "hostclass";
        case Definition::Kind::Node:
            return "node";
        default:
            return "definition";
    }
}

}  // namespace

Value Compiler::resource_parameters(std::string_view reference) {
    const Resource* resource = find_resource(parse_resource_key(std::string(reference)));
    return resource ? parameters_as_data(*resource) : Value();
}

Value Compiler::resource(std::string_view reference) {
    const Resource* resource = find_resource(parse_resource_key(std::string(reference)));
    return resource ? resource_as_data(*resource) : Value();
}

Value Compiler::resource_of(const FramePtr& frame) {
    const Resource* resource = scope_of(frame).resource();
    return resource ? resource_as_data(*resource) : Value();
}

std::vector<std::string> Compiler::resource_references() {
    std::vector<std::string> references;
    references.reserve(declared_.size());
    for (const Resource* resource : declared_) references.push_back(resource->reference());
    return references;
}

Value Compiler::source_of(const FramePtr& frame) {
    const Scope& scope = scope_of(frame);
    HashBuilder data;
    data.set("top", scope.is_top());
    if (const Definition* source = scope.source()) {
        data.set("source_name", source->name)
            .set("source_type", kind_of_source(*source))
            .set("module", source->module_name);
        if (source->node) {
            const Location at = source->node->location();
            data.set("file", at.file).set("line", at.line);
        }
    }
    return data.build();
}

/// Compatibility: a variable of a class or define and the parameter of its name are one object; what a
/// resource statement was given is a copy.
void Compiler::replace_value(const Value& old, const Value& now) {
    for (Scope& scope : scopes_) {
        if (!scope.frame()->replace(old, now) || !scope.resource()) continue;
        for (ResourceParameter& one : scope.resource()->parameters) {
            if (one.value.shared() && one.value.shared() == old.shared()) one.value = to_parameter_value(now);
        }
    }
}

void Compiler::add_tags(Resource& resource, std::span<const Value> tags) {
    tag_with_value(resource.tags, to_parameter_value(std::vector<Value>(tags.begin(), tags.end())),
                   resource.at);
    ++tag_changes_;
}

bool Compiler::is_tagged(const Resource& resource, const Value& tag) {
    const Tag& wanted = tags_.intern(ruby_to_s(tag));
    return catalog_tags_.contains(wanted) || has_tag(resource, wanted);
}

}  // namespace volley
