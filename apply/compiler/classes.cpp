// Classes, nodes and instances of defined types: how they get into the catalog, and how their code runs.

#include <algorithm>

#include "apply/compiler/compiler.hpp"
#include "apply/compiler/resources/references.hpp"
#include "language/deferred.hpp"
#include "language/errors.hpp"
#include "language/loaders/definition_names.hpp"
#include "language/syntax/node_kinds.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

std::size_t parameter_position(const Definition& definition, std::string_view name) {
    std::size_t at = 0;
    while (at < definition.parameters.size() && definition.parameters[at]->name != name) ++at;
    return at;
}

/// Whether it is one of the two that say which resource it is, and are not parameters of its code.
bool names_the_resource(std::string_view parameter) { return parameter == "name" || parameter == "title"; }

}  // namespace

void Compiler::add_class_name(const std::string& name) {
    if (name.empty()) return;
    class_list_.push_back(name);
    catalog_tags_.add(tags_.intern(name));
    ++tag_changes_;
}

Definition* Compiler::parent_of(Definition& definition) {
    if (definition.parent.empty()) return nullptr;
    if (!definition.parent_definition)
        definition.parent_definition = definitions_.find_class(definition.parent);
    if (definition.parent_definition) return definition.parent_definition;
    const Location at = definition.node->location();
    throw EvalError("",
                    "Could not find parent resource type '" + definition.parent + "' of type hostclass in " +
                        environment_.settings.environment,
                    {at.file, at.line, 0});
}

/// Puppet's ensure_in_catalog: `given` is null when no parameters were named, and then a class that is there
/// already is taken.
Resource& Compiler::declare_class(Definition& definition, Scope& scope,
                                  const std::vector<ResourceParameter>* given) {
    const bool node = definition.kind == Definition::Kind::Node;
    ResourceBucket& type = bucket(node ? "Node" : "Class");
    if (!given) {
        if (Resource* known = table_.find(type, definition.reference)) return *known;
    }
    static const std::vector<ResourceParameter> none;
    Resource& resource =
        make_resource(type, definition.reference, &definition, scope, given ? *given : none, true);
    resource.source = &definition;
    declare_parent(definition, resource, scope);
    add_resource(scope, resource);
    return resource;
}

void Compiler::declare_parent(Definition& definition, Resource& resource, Scope& scope) {
    const NestingGuard guard(400);
    if (Definition* parent = definition.parent.empty() ? nullptr : parent_of(definition)) {
        if (!table_.find(bucket("Class"), parent->reference)) declare_class(*parent, scope, nullptr);
    }
    if (definition.kind != Definition::Kind::Define) catalog_tags_.merge(resource.tags);
}

EvalError Compiler::unknown_class(const std::string& name) {
    EvalError error("", "Could not find class " + name + " for " + request_.node);
    error.set_hint(hint_for(name.starts_with("::") ? name.substr(2) : name,
                            definitions_.names(Definition::Kind::Class)));
    return error;
}

std::vector<Resource*> Compiler::include(const std::vector<std::string>& names, Scope& scope) {
    std::vector<Definition*> definitions;
    for (const std::string& name : names) {
        Definition* definition = definitions_.find_class(name);
        if (!definition) throw unknown_class(name);
        definitions.push_back(definition);
    }
    std::vector<Resource*> there;
    std::vector<Resource*> added;
    for (Definition* definition : definitions) {
        const auto known = class_scopes_.find(definition->name);
        if (known != class_scopes_.end())
            there.push_back(known->second->resource());
        else
            added.push_back(&declare_class(*definition, scope, nullptr));
    }
    for (Resource* resource : added) evaluate_resource(*resource);
    there.insert(there.end(), added.begin(), added.end());
    return there;
}

void Compiler::evaluate_resource(Resource& resource) {
    if (resource.evaluated) return;
    const NestingGuard guard(2000);
    NestingGuard::renew();
    resource.evaluated = true;
    add_scope_tags(resource);
    evaluate_code(resource);
}

/// The scope of the class that a class inherits; evaluates that class first.
Scope* Compiler::parent_scope(Definition& definition) {
    Definition* parent = parent_of(definition);
    if (!parent) return nullptr;
    Resource* resource = table_.find(bucket("Class"), parent->reference);
    if (!resource) return nullptr;
    evaluate_resource(*resource);
    const auto scope = class_scopes_.find(parent->name);
    if (scope == class_scopes_.end()) throw EvalError("", "Could not find scope for " + parent->name);
    return scope->second;
}

void Compiler::evaluate_code(Resource& resource) {
    Definition& definition = *resource.definition;
    Scope* scope = top_;
    if (&definition != &definitions_.main()) {
        Scope* const inherited = parent_scope(definition);
        Scope* const outer = inherited ? inherited : resource.scope;
        const FramePtr& frame = inherited ? inherited->frame() : outer->enclosing().frame();
        scope = &new_scope(outer, frame, &resource, &definition);
        if (definition.kind != Definition::Kind::Define)
            scope->see_matches_of(inherited ? *inherited : outer->enclosing());
    }
    if (definition.kind != Definition::Kind::Define) add_class_name(definition.name);
    bind_parameters(resource, definition, *scope);
    if (resource.is_class()) add_to_stage(resource);
    if (!definition.body) return;
    if (definition.match) scope->frame()->match = definition.match;
    try {
        evaluator_.evaluate(*definition.body, scope->frame());
    } catch (const Jump& jump) {
        const bool ends_body = jump.kind != Jump::Kind::Break && definition.kind != Definition::Kind::Node;
        if (!ends_body) throw;
    }
}

Value Compiler::default_of_parameter(const Resource& resource, const Definition& definition,
                                     const ast::Parameter& parameter, const FramePtr& frame) {
    if (ast::is_plain_value(parameter.value->kind))
        return to_parameter_value(evaluator_.evaluate(*parameter.value, frame));
    const auto reading = std::make_shared<Frame>(frame);
    reading->make_read_only();
    try {
        return to_parameter_value(evaluator_.evaluate(*parameter.value, reading));
    } catch (const UnevaluatedParameter& early) {
        const bool before =
            parameter_position(definition, early.name) < parameter_position(definition, parameter.name);
        throw EvalError("", resource.reference() +
                                (before ? ": expects a value for parameter $" + early.name
                                        : ": default expression for $" + std::string(parameter.name) +
                                              " tries to illegally access not yet evaluated $" + early.name));
    } catch (LanguageError& error) {
        // Compatibility: what knows no place, such as a failed lookup, gets that of the definition.
        const Location at = definition.node->location();
        error.locate({at.file, at.line, 0});
        throw;
    }
}

/// The variables that every class and defined type has.
void Compiler::bind_names(Resource& resource, const Definition& definition, Scope& scope) {
    Frame& frame = *scope.frame();
    const auto set_name = [&](std::string_view variable, const std::string& fallback) {
        const ResourceParameter* given = resource.find(variable);
        frame.bind(variable, given && given->value.truthy() ? given->value : Value(fallback));
    };
    set_name("module_name", definition.module_name);
    if (const Scope* parent = scope.parent(); parent && parent->source())
        set_name("caller_module_name", parent->source()->module_name);
    if (resource.is_class()) look_up_parameters(resource, definition, scope);
    const Value named = resource.value("name");
    if (resource.is_class()) {
        frame.bind("title", Value(lower(resource.title)));
        frame.bind("name", Value(lower(named.truthy() ? to_text(named) : resource.title)));
    } else {
        frame.bind("title", resource.title_as_given());
        frame.bind("name", named.truthy() ? named : resource.title_as_given());
    }
}

/// What defaults see: parameters that were given, and those before them; the others are an error.
FramePtr Compiler::frame_of_defaults(const Resource& resource, const Definition& definition,
                                     const Scope& scope) {
    auto frame = std::make_shared<Frame>(scope.frame());
    std::vector<std::string_view> all;
    for (const ast::Parameter* one : definition.parameters) all.push_back(one->name);
    frame->forbid(std::move(all));
    for (const ResourceParameter& one : resource.parameters) {
        if (!names_the_resource(one.name)) frame->bind(one.name, one.value);
    }
    return frame;
}

/// The values of the parameters in the order of the declaration, then whatever else was given. Defaults
/// become parameters of the resource.
std::vector<Compiler::BoundValue> Compiler::parameter_values(Resource& resource, const Definition& definition,
                                                             Scope& scope) {
    std::vector<BoundValue> values;
    values.reserve(std::max(definition.parameters.size(), resource.parameters.size()));
    FramePtr defaults;
    for (const ast::Parameter* parameter : definition.parameters) {
        const ResourceParameter* given = resource.find(parameter->name);
        if (!parameter->value || (given && !given->value.is_undef())) {
            if (given && !names_the_resource(parameter->name))
                values.push_back({parameter->name, given->value});
            continue;
        }
        if (!defaults) defaults = frame_of_defaults(resource, definition, scope);
        scope.set_parameters_so_far(defaults);
        Value value = default_of_parameter(resource, definition, *parameter, defaults);
        bind_parameter(resource, parameter->name, value);
        defaults->bind(parameter->name, value);
        values.push_back({parameter->name, std::move(value)});
    }
    scope.set_parameters_so_far(nullptr);
    for (const ResourceParameter& one : resource.parameters) {
        if (!names_the_resource(one.name) && !definition.has_parameter(one.name))
            values.push_back({one.name, one.value});
    }
    return values;
}

void Compiler::bind_parameters(Resource& resource, Definition& definition, Scope& scope) {
    bind_names(resource, definition, scope);
    if (definition.kind != Definition::Kind::Define) class_scopes_[definition.name] = &scope;
    if (&definition == &definitions_.main()) return;
    std::vector<BoundValue> values = parameter_values(resource, definition, scope);
    check_binding(resource, definition, values);
    Frame& frame = *scope.frame();
    for (BoundValue& one : values) {
        if (frame.find_here(one.name))
            throw EvalError("", "Cannot reassign variable '$" + std::string(one.name) + "'");
        frame.bind(one.name, std::move(one.value));
    }
}

void Compiler::look_up_parameters(Resource& resource, const Definition& definition, Scope& scope) {
    Lookup& data = evaluator_.environment().lookup();
    for (const ast::Parameter* parameter : definition.parameters) {
        const ResourceParameter* given = resource.find(parameter->name);
        if (given && !given->value.is_undef()) continue;
        auto found = data.class_parameter(evaluator_, scope.frame(), definition.name, parameter->name);
        // An undef in the data does not win over a default in the code.
        if (found && !(found->is_undef() && parameter->value))
            bind_parameter(resource, parameter->name, std::move(*found));
    }
}

Value Compiler::hash_of(std::span<const BoundValue> values) {
    HashBuilder hash;
    for (const BoundValue& one : values) hash.set(Value(one.name), one.value);
    return hash.build();
}

namespace {

void warn_of_untyped_deferred(Environment& environment, const Value& deferred) {
    const std::string name = deferred.as<ObjectBase>().attribute("name").value_or(Value("")).as_string();
    environment.deprecation(name + "_deferred_warning",
                            "Deferred function " + name +
                                " has no return_type, unable to guarantee value type during compilation.");
}

}  // namespace

void Compiler::check_binding(const Resource& resource, const Definition& definition,
                             std::span<const BoundValue> values) {
    const auto future = [this](const Value& value) -> std::optional<TypePtr> {
        if (!is_deferred(value)) return std::nullopt;
        TypePtr type = deferred_result_type(evaluator_, value);
        if (!type) warn_of_untyped_deferred(evaluator_.environment(), value);
        return type;
    };
    NameIndex places;
    const auto name_at = [&values](std::size_t i) { return values[i].name; };
    bool fits = true;
    std::size_t bound = 0;
    std::size_t next = 0;  // most values stand in the order of the parameters
    for (std::size_t i = 0; fits && i < definition.parameters.size(); ++i) {
        const ast::Parameter& parameter = *definition.parameters[i];
        const bool in_order = next < values.size() && values[next].name == parameter.name;
        const std::size_t place = in_order ? next : places.find(parameter.name, values.size(), name_at);
        const bool given = place < values.size();
        if (given) next = std::max(next, place + 1);
        bound += given ? 1 : 0;
        fits = given ? fits_type(definition.types[i] ? *definition.types[i] : *types::any(),
                                 values[place].value, future)
                     : parameter.value != nullptr;
    }
    if (fits && bound < values.size()) {
        bound += static_cast<std::size_t>(std::ranges::count_if(values, [&definition](const BoundValue& one) {
            return (one.name == "name" || is_metaparameter(one.name)) && !definition.has_parameter(one.name);
        }));
    }
    if (fits && bound == values.size()) return;
    std::vector<ParameterDeclaration> declared;
    const auto declare_optional = [&](std::string_view name) {
        if (!definition.has_parameter(name)) declared.push_back({std::string(name), types::any(), true});
    };
    declare_optional("name");
    for (const std::string_view name : metaparameters()) declare_optional(name);
    for (std::size_t i = 0; i < definition.parameters.size(); ++i) {
        declared.push_back({std::string(definition.parameters[i]->name),
                            definition.types[i] ? definition.types[i] : types::any(),
                            definition.parameters[i]->value != nullptr});
    }
    const auto message =
        describe_parameters(resource.reference(), declared, hash_of(values).as_hash(), future);
    if (!message) return;
    EvalError error("", *message);
    for (const BoundValue& one : values) {
        std::vector<std::string> known;
        for (const ParameterDeclaration& parameter : declared) known.push_back(parameter.name);
        if (std::ranges::find(known, one.name) == known.end() && error.hint().empty())
            error.set_hint(hint_for(one.name, std::move(known)));
    }
    throw error;
}

void Compiler::add_to_stage(Resource& resource) {
    Value wanted = resource.value("stage");
    if (!wanted.truthy() && resource.scope && resource.scope->resource())
        wanted = resource.scope->resource()->value("stage");
    Resource* stage = main_stage_;
    if (wanted.truthy()) {
        const std::string name = to_text(wanted);
        stage = find_resource({"Stage", name});
        if (!stage) {
            const Value own = resource.value("stage");
            throw EvalError("", "Could not find stage " + (own.truthy() ? ruby_to_s(own) : "main") +
                                    " specified by " + resource.reference());
        }
    }
    if (stage != main_stage_ && !resource.value("stage").truthy())
        set_parameter(resource, "stage", Value(stage->title));
    contain(*stage, resource);
}

void Compiler::contain(Resource& container, Resource& content) {
    // One of the two lists is short, even where one class is contained by everything.
    const bool many = content.containers.size() > container.contents.size();
    const std::vector<Resource*>& list = many ? container.contents : content.containers;
    if (std::find(list.begin(), list.end(), many ? &content : &container) != list.end()) return;
    content.containers.push_back(&container);
    container.contents.push_back(&content);
}

void Compiler::set_parameter(Resource& resource, std::string_view name, Value value) {
    bind_parameter(resource, names_.intern(name), std::move(value));
}

void Compiler::bind_parameter(Resource& resource, std::string_view lasting_name, Value value) {
    if (lasting_name == "tag") tag_with_value(resource.tags, value, resource.at);
    if (ResourceParameter* known = resource.find(lasting_name)) {
        *known = {known->name, std::move(value), resource.source};
    } else {
        resource.parameters.push_back({lasting_name, std::move(value), resource.source});
    }
    resource.bucket->note_change(resource, lasting_name);
    if (lasting_name == "tag") ++tag_changes_;
    late_aliases_ = late_aliases_ || lasting_name == "alias";
}

std::vector<std::string> Compiler::class_names(std::span<const Value> arguments) {
    const auto from_reference = [](const types::CatalogType& type) -> std::string {
        if (type.kind() == TypeKind::Class) {
            if (!type.type_name) throw EvalError("", "Cannot use an unspecific Class[] Type");
            return *type.type_name;
        }
        if (!type.type_name || type.type_name->empty())
            throw EvalError(
                "", "Cannot use an unspecific Resource[] where a Resource['class', name] is expected");
        if (lower(*type.type_name) != "class") {
            throw EvalError("", "Cannot use a Resource[" + capitalize_segments(*type.type_name) +
                                    "] where a Resource['class', name] is expected");
        }
        if (!type.title)
            throw EvalError("",
                            "Cannot use an unspecific Resource['class'] where a Resource['class', name] is "
                            "expected");
        return *type.title;
    };
    std::vector<std::string> names;
    const auto add = [&](const Value& value, const auto& again) -> void {
        if (value.is_array()) {
            const NestingGuard guard;
            for (const Value& item : value.as_array()) again(item, again);
            return;
        }
        std::string name;
        if (value.is_undef()) throw EvalError("", "Cannot use undef as a class name");
        if (value.is_string()) {
            name = value.as_string();
            if (name.empty()) throw EvalError("", "Cannot use empty string as a class name");
        } else if (value.is(Kind::Type) && (value.as_type()->kind() == TypeKind::Class ||
                                            value.as_type()->kind() == TypeKind::Resource)) {
            name = from_reference(as<types::CatalogType>(*value.as_type()));
        } else {
            throw EvalError("", "Cannot use " + to_text(value) + " as a class name");
        }
        names.push_back((name.starts_with(":") ? "" : "::") + lower(name));
    };
    for (const Value& argument : arguments) add(argument, add);
    return names;
}

}  // namespace volley
