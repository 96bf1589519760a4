// Resource statements, defaults and overrides: from the tree to resources.

#include <algorithm>

#include "apply/compiler/compiler.hpp"
#include "apply/compiler/resources/references.hpp"
#include "apply/types/type_spec.hpp"
#include "language/errors.hpp"
#include "language/evaluator/labels.hpp"
#include "language/loaders/definition_names.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

/// What stands between two semicolons of a resource statement.
struct StatementBody {
    std::vector<Value> titles;
    std::vector<ResourceParameter> parameters;
};

bool is_default_title(const Value& title) { return title.is(Kind::Default); }

/// No title twice in a statement. `used` has those that were there before.
void check_statement_titles(const ast::Resource& node, const std::vector<Value>& titles,
                            std::unordered_set<std::string>& used) {
    for (const Value& title : titles) {
        const std::string text = to_text(title);
        if (used.insert(is_default_title(title) ? std::string("\0", 1) : text).second) continue;
        Evaluator::fail("DUPLICATE_TITLE", node,
                        "The title '" + text + "' has already been used in this resource expression");
    }
}

/// No attribute twice in a body. The first `known` of `attributes` differ from each other.
void check_statement_attributes(const ast::Node& node, const std::vector<ResourceParameter>& attributes,
                                std::size_t known) {
    for (auto one = attributes.begin() + static_cast<std::ptrdiff_t>(known); one != attributes.end(); ++one) {
        const auto same = [one](const ResourceParameter& other) { return other.name == one->name; };
        if (std::none_of(attributes.begin(), one, same)) continue;
        Evaluator::fail("DUPLICATE_ATTRIBUE", node,
                        "The attribute '" + std::string(one->name) + "' has already been set");
    }
}

std::string general_type_text(const Value& value) { return to_string(*infer(value)->generalize()); }

[[noreturn]] void fail_resource_type(const ast::Node& node, const std::string& actual) {
    Evaluator::fail(
        "ILLEGAL_RESOURCE_TYPE", node,
        "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, "
        "got " +
            actual);
}

/// What a value of "tag" has of tags. Compatibility: a hash is the list of its keys and values, and a
/// reference, which Puppet takes for a list of its parameters, is none.
std::vector<Value> tags_in(const Value& value) {
    if (as_reference(value)) return {};
    if (!value.is_hash()) return flat_values(value);
    std::vector<Value> tags;
    for (const auto& entry : value.as_hash()) {
        tags.push_back(entry.key);
        for (Value& one : flat_values(entry.value)) tags.push_back(std::move(one));
    }
    return tags;
}

}  // namespace

std::string Compiler::type_of_statement(const ast::Resource& node, const FramePtr& frame) {
    const ast::Node& name = *node.type_name;
    if (name.kind == ast::NodeKind::Name) return std::string(ast::as<ast::Name>(name).value);
    const bool acceptable = name.kind == ast::NodeKind::Reference ||
                            (name.kind == ast::NodeKind::Access &&
                             ast::as<ast::Access>(name).left->kind == ast::NodeKind::Reference);
    const Value value = evaluator_.evaluate(name, frame);
    if (!acceptable || !value.is(Kind::Type)) fail_resource_type(name, general_type_text(value));
    const TypePtr type = value.as_type();
    if (type->kind() != TypeKind::Class && type->kind() != TypeKind::Resource)
        fail_resource_type(name, general_type_text(value));
    const auto& catalog_type = as<types::CatalogType>(*type);
    if (type->kind() == TypeKind::Class) {
        if (catalog_type.type_name) fail_resource_type(name, to_string(*type));
        return "class";
    }
    if (catalog_type.title) fail_resource_type(name, to_string(*type));
    if (!catalog_type.type_name) fail_resource_type(name, general_type_text(value));
    return *catalog_type.type_name;
}

std::vector<Value> Compiler::statement_titles(const ast::Node& title, const FramePtr& frame) {
    const Value value = evaluator_.evaluate(title, frame);
    if (value.is_undef())
        Evaluator::fail("MISSING_TITLE", title, "Missing title. The title expression resulted in undef");
    std::vector<Value> titles = flat_items(value);
    for (std::size_t i = 0; i < titles.size(); ++i) {
        const std::string at = std::to_string(i);
        if (titles[i].is_undef()) {
            Evaluator::fail(
                "MISSING_TITLE_AT", title,
                "Missing title at index " + at + ". The title expression resulted in an undef title");
        }
        if (!titles[i].is_string() && !titles[i].is(Kind::Default)) {
            Evaluator::fail("ILLEGAL_TITLE_TYPE_AT", title,
                            "Illegal title type at index " + at + ". Expected String, got " +
                                general_type_text(titles[i]));
        }
        if (titles[i].is_string() && titles[i].as_string().empty()) {
            Evaluator::fail(
                "EMPTY_STRING_TITLE_AT", title,
                "Empty string title at " + at + ". Title strings must have a length greater than zero.");
        }
    }
    return titles;
}

std::vector<ResourceParameter> Compiler::evaluate_attributes(ast::NodeList operations, const FramePtr& frame,
                                                             const Scope& scope, const ast::Node* unique_in) {
    std::vector<ResourceParameter> parameters;
    parameters.reserve(operations.size());
    std::size_t checked = 0;
    const auto check_new = [&] {
        if (unique_in) check_statement_attributes(*unique_in, parameters, checked);
        checked = parameters.size();
    };
    for (const ast::Node* operation : operations) {
        try {
            if (operation->kind == ast::NodeKind::Attribute) {
                const auto& attribute = ast::as<ast::Attribute>(*operation);
                parameters.push_back(
                    {attribute.name,
                     to_parameter_value(attribute.name, evaluator_.evaluate(*attribute.value, frame)),
                     scope.source(), *operation, attribute.op == "+>"});
                check_new();
                continue;
            }
            const ast::Node& splat = *ast::as<ast::Unary>(*operation).expr;
            const Value hash = evaluator_.evaluate(splat, frame);
            if (!hash.is_hash()) {
                Evaluator::fail("TYPE_MISMATCH", splat,
                                "Expected value of type Hash, got " + general_type_text(hash));
            }
            check_parameter_count(parameters.size() + hash.as_hash().size(), *operation);
            for (const auto& entry : hash.as_hash()) {
                const std::string_view name = names_.intern(to_text(entry.key));
                parameters.push_back(
                    {name, to_parameter_value(name, entry.value), scope.source(), *operation});
            }
            check_new();
        } catch (const LookupError&) {
            throw;
        } catch (const LanguageError& error) {
            if (error.location().known() || !error.location().file.empty()) throw;
            Evaluator::rethrow_at(error, *operation);
        }
    }
    return parameters;
}

Value Compiler::evaluate_statement(const ast::Resource& node, const FramePtr& frame) {
    Scope& scope = scope_of(frame);
    const Scope::Declaring declaring(scope, frame);
    Declaration declaration{type_of_statement(node, frame)};
    declaration.exported = node.form == "exported";
    declaration.is_virtual = declaration.exported || node.form == "virtual";
    declaration.at = node;
    if (declaration.exported) {
        environment_.host.log(
            {Severity::Warning,
             "You cannot collect exported resources without storeconfigs being set; the export "
             "is ignored",
             "", node.location(), "RT_NO_STORECONFIGS_EXPORT"});
    }
    std::vector<StatementBody> bodies;
    std::vector<ResourceParameter> defaults;
    std::unordered_set<std::string> used;
    for (const ast::ResourceBody* source : node.bodies) {
        StatementBody body{statement_titles(*source->title, frame), {}};
        // A single title has nothing to be compared with.
        if (body.titles.size() > 1 || node.bodies.size() > 1) check_statement_titles(node, body.titles, used);
        const bool is_default = std::erase_if(body.titles, is_default_title) > 0;
        body.parameters = evaluate_attributes(source->operations, frame, scope, &node);
        if (is_default) defaults = body.parameters;
        bodies.push_back(std::move(body));
    }
    std::vector<Value> references;
    for (StatementBody& body : bodies) {
        std::vector<ResourceParameter> parameters = merged_parameters(defaults, std::move(body.parameters));
        for (Value& reference : declare(declaration, body.titles, parameters, scope))
            references.push_back(std::move(reference));
    }
    return references;
}

std::vector<Value> Compiler::declare(const Declaration& declaration, const std::vector<Value>& titles,
                                     const std::vector<ResourceParameter>& parameters, Scope& scope) {
    const bool is_class = lower(declaration.type) == "class";
    ResourceBucket* type = is_class ? &bucket("Class") : find_type(declaration.type);
    if (!type) {
        EvalError error("", "Unknown resource type: '" + declaration.type + "'");
        std::vector<std::string> known = definitions_.names(Definition::Kind::Define);
        for (const TypeSpec* one : core_types()) known.emplace_back(one->name);
        for (std::string& one : definition_names(environment_.host.modules(), "lib/puppet/type"))
            known.push_back(std::move(one));
        error.set_hint(hint_for(declaration.type, std::move(known)));
        throw error;
    }
    std::vector<Value> references;
    for (const Value& value : titles) {
        if (value.is_undef()) {
            throw EvalError("", "No title provided and :" + lower(declaration.type) +
                                    " is not a valid resource reference");
        }
        ResourceTitle title(value);
        Definition* definition = type->define;
        if (is_class) {
            definition = definitions_.find_class(title.text);
            if (!definition) {
                EvalError error("", "Could not find declared class " + title.text);
                error.set_hint(hint_for(title.text, definitions_.names(Definition::Kind::Class)));
                throw error;
            }
            title = definition->reference;
        }
        Resource& resource =
            make_resource(*type, std::move(title), definition, scope, parameters, true, declaration.at);
        resource.is_virtual = declaration.is_virtual;
        resource.exported = declaration.exported;
        if (is_class) declare_parent(*definition, resource, scope);
        add_resource(scope, resource);
        references.push_back(make_reference(type->type, resource.title));
        if (is_class) {
            include({definition->name}, scope);
        }
    }
    return references;
}

/// `count`: how many there are already, before one more.
void Compiler::check_count(std::size_t count, std::size_t limit, std::string_view what,
                           const Origin& at) const {
    if (count < limit) return;
    throw EvalError("", "The catalog has more than " + std::to_string(limit) + " " + std::string(what),
                    at.location());
}

void Compiler::check_tags(const Origin& at) const {
    if (tags_.size() > request_.limits.tags)
        check_count(tags_.size(), request_.limits.tags, "different tags", at);
}

void Compiler::tag_with_value(TagSet& tags, const Value& value, const Origin& at) {
    for (const Value& one : tags_in(value)) {
        const Tag& tag = tags_.intern(ruby_to_s(one));
        if (!tag.valid) throw EvalError("", "Invalid tag '" + tag.text + "'", at.location());
        check_tags(at);
        tags.add(tag);
    }
}

void Compiler::tag_resource(Resource& resource) {
    resource.tags.add(*resource.bucket->tag);
    if (!resource.title_is_text() || resource.title.empty()) return;
    // Most titles are paths, and no tags.
    const char first = resource.title.front();
    if (first == '/' || first == ' ' || first == '.' || first == '-') return;
    const Tag& tag = tags_.intern(resource.title);
    if (tag.valid) resource.tags.add(tag);
    check_tags(resource.at);
}

void Compiler::check_parameter_count(std::size_t count, const Origin& at) const {
    if (count <= request_.limits.parameters) return;
    throw EvalError("",
                    "A resource has more than " + std::to_string(request_.limits.parameters) + " parameters",
                    at.location());
}

Resource& Compiler::make_resource(ResourceBucket& type, ResourceTitle title, Definition* definition,
                                  Scope& scope, const std::vector<ResourceParameter>& parameters,
                                  bool with_defaults, const Origin& at) {
    check_count(resource_storage_.size(), request_.limits.resources, "resources", at);
    if (title.text.size() > request_.limits.title_bytes) {
        throw EvalError(
            "",
            "The title of a resource has more than " + std::to_string(request_.limits.title_bytes) + " bytes",
            at.location());
    }
    check_parameter_count(parameters.size(), at);
    Resource& resource = resource_storage_.emplace_back();
    resource.bucket = &type;
    resource.main_title = title.text == "main" && (type.is_class || !main_stage_);
    resource.title = std::move(title.text);
    resource.title_value = std::move(title.value);
    resource.definition = definition;
    resource.scope = &scope;
    resource.source = scope.source();
    resource.at = at;
    resource.parameters = parameters;
    for (const ResourceParameter& one : parameters) {
        if (one.name == "tag") tag_with_value(resource.tags, one.value, at);
    }
    tag_resource(resource);
    if (!with_defaults || !type.has_defaults) return resource;
    for (const ResourceParameter* one : scope.defaults(type)) {
        if (resource.find(one->name)) continue;
        resource.parameters.push_back(*one);
        if (one->name == "tag") tag_with_value(resource.tags, one->value, at);
    }
    return resource;
}

void Compiler::add_resource(Scope& scope, Resource& resource) {
    declared_.push_back(&resource);
    table_.add(resource);
    resource.order = static_cast<std::uint32_t>(resource.bucket->resources.size());
    resource.bucket->resources.push_back(&resource);
    if (const ResourceParameter* stage = resource.find("stage");
        stage && stage->value.truthy() && !resource.is_class()) {
        throw EvalError("", "Only classes can set 'stage'; normal resources like " + resource.reference() +
                                " cannot change run stage");
    }
    if (!resource.is_native()) pending_.push_back(&resource);
    if (resource.bucket->is_stage || resource.is_class()) return;
    if (Resource* container = scope.resource()) {
        resource.containers.push_back(container);
        container->contents.push_back(&resource);
    }
}

Value Compiler::evaluate_defaults(const ast::ResourceDefaults& node, const FramePtr& frame) {
    Value value = evaluator_.evaluate(*node.type_ref, frame);
    const types::CatalogType* type = nullptr;
    TypePtr keep_type;
    if (value.is(Kind::Type) && value.as_type()->kind() == TypeKind::Resource) {
        keep_type = value.as_type();
        type = &as<types::CatalogType>(*keep_type);
    }
    if (!type || !type->type_name || type->title)
        fail_resource_type(*node.type_ref, general_type_text(value));
    Scope& scope = scope_of(frame);
    std::vector<ResourceParameter> parameters = evaluate_attributes(node.operations, frame, scope);
    ResourceBucket* known = find_type(*type->type_name);
    ResourceBucket& target = known ? *known : bucket(capitalize_segments(lower(*type->type_name)));
    for (ResourceParameter& one : parameters) scope.set_default(target, std::move(one));
    return value;
}

Value Compiler::evaluate_override(const ast::ResourceOverride& node, const FramePtr& frame) {
    Value value = evaluator_.evaluate(*node.resources, frame);
    Scope& scope = scope_of(frame);
    const std::vector<ResourceParameter> parameters = evaluate_attributes(node.operations, frame, scope);
    for (const Value& target : flat_items(value)) {
        const types::CatalogType* reference = as_reference(target);
        if (!reference && target.is(Kind::Type) && target.as_type()->kind() == TypeKind::Resource) {
            const std::string name = as<types::CatalogType>(*target.as_type()).type_name.value_or("");
            throw EvalError("",
                            "No title provided and :" + lower(name) + " is not a valid resource reference");
        }
        if (!reference || reference->kind() != TypeKind::Resource || *reference->type_name == "class") {
            Evaluator::fail("ILLEGAL_OVERRIDDEN_TYPE", node,
                            "Resource Override can only operate on resources, got: " + label(target));
        }
        add_override(
            {make_resource_key(*reference->type_name, *reference->title), parameters, scope.source(), node});
    }
    return value;
}

}  // namespace volley
