// The end of a compilation: late overrides, tags, validation, inherited metaparameters, and the catalog
// itself.

#include <algorithm>

#include "apply/compiler/compiler.hpp"
#include "apply/compiler/resources/references.hpp"
#include "language/deferred.hpp"
#include "language/errors.hpp"
#include "language/loaders/definition_names.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "support/text.hpp"

namespace volley {

void Compiler::add_scope_tags(Resource& resource) {
    if (resource.has_scope_tags) return;
    resource.has_scope_tags = true;
    const Resource* container = resource.scope ? resource.scope->resource() : nullptr;
    if (container && container != &resource) resource.tags.merge(container->tags);
}

void Compiler::finish() {
    connect_all();
    for (std::size_t i = 0; i < declared_.size(); ++i) {
        Resource& resource = *declared_[i];
        if (!overrides_of_.empty()) {
            if (const auto late = overrides_of_.find(resource.reference()); late != overrides_of_.end()) {
                const std::vector<std::size_t> list = std::move(late->second);
                overrides_of_.erase(late);
                for (const std::size_t index : list) merge(resource, overrides_[index]);
            }
        }
        finish_resource(resource);
    }
    spread_metaparameters();
}

void Compiler::finish_resource(Resource& resource) {
    if (resource.finished) return;
    resource.finished = true;
    add_scope_tags(resource);
    validate(resource);
    if (request_.resolve_deferred && !resource.is_virtual) resolve_deferred_parameters(resource);
    for (ResourceParameter& one : resource.parameters) {
        if (!one.value.is(Kind::Sensitive)) continue;
        resource.sensitive.push_back(one.name);
        const Value content = one.value.unwrap_sensitive();
        one.value = content;
    }
}

void Compiler::resolve_deferred_parameters(Resource& resource) {
    CallContext context{evaluator_, evaluator_.top(), nullptr, "Deferred", {}};
    for (ResourceParameter& one : resource.parameters) {
        try {
            const Value resolved = resolve_deferred(context, one.value);
            one.value = resolved;
        } catch (LanguageError& error) {
            error.locate(one.at.location());
            throw;
        }
    }
}

void Compiler::validate(const Resource& resource) {
    if (!resource.is_native()) {
        if (!resource.definition || resource.bucket->is_node) return;
        std::vector<BoundValue> values;
        values.reserve(resource.parameters.size());
        for (const ResourceParameter& one : resource.parameters) values.push_back({one.name, one.value});
        check_binding(resource, *resource.definition, values);
        return;
    }
    for (const ResourceParameter& one : resource.parameters) {
        if (resource.bucket->native->has_attribute(one.name)) continue;
        EvalError error("",
                        "no parameter named '" + std::string(one.name) + "'" + resource.at.suffix() + " on " +
                            resource.reference(),
                        resource.at.location());
        error.set_hint(hint_for(one.name, resource.bucket->native->attribute_names()));
        throw error;
    }
}

/// Metaparameters that are not relationships, and tags, go from main to everything it contains.
void Compiler::spread_metaparameters() {
    for (Resource* resource : table_.all()) resource->spread = false;
    std::vector<Resource*> queue{main_};
    std::vector<const ResourceParameter*> inherited;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        Resource& container = *queue[next];
        if (container.spread || container.contents.empty()) continue;
        container.spread = true;
        inherited.clear();
        for (const std::string_view name : metaparameters()) {
            if (is_relationship_parameter(name)) continue;
            const ResourceParameter* one = container.find(name);
            if (one && !one->value.is_undef()) inherited.push_back(one);
        }
        for (Resource* content : container.contents) {
            for (const ResourceParameter* one : inherited) {
                if (content->value(one->name).is_undef()) set_parameter(*content, one->name, one->value);
            }
            content->tags.merge(container.tags);
            queue.push_back(content);
        }
    }
}

void Compiler::check_relationships() {
    for (const Resource* resource : table_.all()) {
        if (resource->is_virtual) continue;
        for (const ResourceParameter& one : resource->parameters) {
            if (!is_relationship_parameter(one.name)) continue;
            for (const Value& value : flat_values(one.value)) {
                const types::CatalogType* reference = as_reference(value);
                const bool kept = reference && reference->from_parameter;  // not inside of a Sensitive
                const std::string text = kept ? types::reference_text(*reference) : ruby_to_s(value);
                const Location at = one.at.location();
                try {
                    if (find_reference(text)) continue;
                } catch (const LanguageError& error) {
                    throw EvalError("", error.what(), at);
                }
                throw EvalError(
                    "", "Could not find resource '" + text + "' in parameter '" + std::string(one.name) + "'",
                    at);
            }
        }
    }
}

void Compiler::add_catalog_parameters(const Resource& resource, CatalogResource& result) const {
    const ResourceType* native = resource.bucket->native;
    const std::string_view namevar = native ? std::string_view(native->namevar()) : "name";
    result.parameters.reserve(resource.parameters.size());
    for (auto& [given, value] : resource_hash(resource)) {
        const std::string_view name = given == "name" ? namevar : given;
        if (nests_references(value)) value = Value(flat_items(value));
        if (name == namevar && value.is_string() && value.as_string() == resource.title &&
            resource.title_is_text()) {
            std::erase_if(result.parameters, [name](const auto& known) { return known.first == name; });
            continue;
        }
        // Only the two names of the name may meet; others are different already.
        const auto known = name != namevar
                               ? result.parameters.end()
                               : std::find_if(result.parameters.begin(), result.parameters.end(),
                                              [name](const auto& entry) { return entry.first == name; });
        if (known != result.parameters.end())
            known->second = std::move(value);
        else
            result.parameters.emplace_back(std::string(name), std::move(value));
    }
}

/// Compatibility: a reference in a parameter is taken apart by the patterns of its type, though it names
/// nothing.
void Compiler::check_titles_in(const Value& value) {
    if (value.is_array()) {
        const NestingGuard guard;
        for (const Value& item : value.as_array()) check_titles_in(item);
        return;
    }
    if (!value.is(Kind::Type) || value.as_type()->kind() != TypeKind::Resource) return;
    const TypePtr type = value.as_type();
    const auto& reference = as<types::CatalogType>(*type);
    if (!reference.from_parameter || !reference.type_name || lower(*reference.type_name) == "class") return;
    const ResourceBucket* bucket = find_type(*reference.type_name);
    const std::string title = reference.title.value_or("");
    if (bucket && bucket->native && !bucket->native->title_is_name(title)) bucket->native->split_title(title);
}

/// Compatibility: aliases that came late are looked at when everything goes into the catalog again.
void Compiler::check_late_aliases() const {
    std::vector<Resource*> kept;
    for (Resource* resource : table_.all()) {
        if (!resource->is_virtual || resource->exported) kept.push_back(resource);
    }
    check_explicit_aliases(kept);
}

CatalogResource Compiler::catalog_resource(Resource& resource, std::size_t& tag_bytes) {
    CatalogResource result;
    result.type = names_.intern(resource.bucket->type);
    const int line = resource.at.line();
    result.kind = resource.is_native()      ? CatalogResource::Kind::Native
                  : resource.bucket->define ? CatalogResource::Kind::DefinedType
                  : line                    ? CatalogResource::Kind::Class
                                            : CatalogResource::Kind::Unknown;
    result.exported = resource.exported;
    result.is_virtual = resource.is_virtual;
    if (const std::string_view file = resource.at.file(); !file.empty()) result.file = names_.intern(file);
    result.line = line;
    result.tags.reserve(resource.tags.size());
    for (const Tag* tag : resource.tags) {
        tag_bytes += tag->text.size() + 1;
        result.tags.push_back(tag->text);
    }
    if (tag_bytes > request_.limits.tag_bytes) {
        throw EvalError("",
                        "The tags of all resources are larger than " +
                            std::to_string(request_.limits.tag_bytes) + " bytes",
                        resource.at.location());
    }
    if (!resource.is_virtual || resource.exported) {
        for (const ResourceParameter& one : resource.parameters) check_titles_in(one.value);
    }
    add_catalog_parameters(resource, result);
    result.sensitive_parameters.assign(resource.sensitive.begin(), resource.sensitive.end());
    result.title = std::move(resource.title);  // the last that is asked of it
    return result;
}

Catalog Compiler::make_catalog() {
    Catalog catalog;
    std::uint32_t next_position = 0;
    catalog.name = request_.node;
    catalog.environment = environment_.settings.environment;
    catalog.version = request_.version;
    catalog.classes = class_list_;
    catalog.texts = {tag_pool_, name_pool_};
    if (late_aliases_) check_late_aliases();
    TagSet tags;  // compatibility: those of classes come first
    for (const std::string& name : class_list_) tags.add(tags_.intern(name));
    tags.merge(catalog_tags_);
    catalog.tags = tags.texts();
    for (Resource* resource : table_.all()) {
        resource->position = next_position++;
        resource->in_catalog = true;
    }
    catalog.resources.reserve(next_position);
    catalog.edges.reserve(next_position);
    std::size_t tag_bytes = 0;
    for (Resource* resource : table_.all()) {
        for (const Resource* container : resource->containers) {
            if (container->in_catalog) catalog.edges.push_back({container->position, resource->position});
        }
        catalog.resources.push_back(catalog_resource(*resource, tag_bytes));
    }
    return catalog;
}

}  // namespace volley
