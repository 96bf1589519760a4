#include "apply/compiler/compiler.hpp"

#include "apply/compiler/resources/references.hpp"
#include "apply/compiler/setting_defaults.hpp"
#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/wrapped_error.hpp"
#include "language/functions/catalog_operations.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

std::shared_ptr<const ast::Program> parse_manifest(const Manifest& manifest, Environment& environment) {
    try {
        return compile_program(manifest.text, environment, manifest.file);
    } catch (const ParseError& error) {
        // Compatibility: what the grammar refuses without an issue code is reported without a position.
        if (!error.issue().empty() || !error.location().known()) throw;
        throw ParseError("", "Could not parse for environment " + environment.settings.environment + ": " +
                                 error.full_message());
    }
}

/// A message is for people: of thousands of names the first hundred.
std::string first_names(std::vector<std::string> names) {
    constexpr std::size_t most = 100;
    const std::size_t more = names.size() > most ? names.size() - most : 0;
    if (more > 0) names.resize(most);
    return join(names, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

}  // namespace

Compilation compile(const CompileRequest& request, Environment& environment) {
    environment.add_builtins(compiler_builtins());
    // Compatibility: with plans as part of the language nothing makes resources, though there is a catalog.
    if (environment.settings.tasks) environment.add_builtins(refused_catalog_operations());
    const auto compiler = std::make_shared<Compiler>(request, environment);
    Compilation result = compiler->run();
    result.leftovers = compiler;
    return result;
}

Compilation compile(const CompileRequest& request, LanguageHost& host, const LanguageSettings& settings) {
    Environment environment(host, settings);
    Compilation result = compile(request, environment);
    result.leftovers.reset();  // they refer to the environment
    return result;
}

Compiler::Compiler(const CompileRequest& request, Environment& environment)
    : request_(request),
      environment_(environment),
      native_types_(environment.host),
      lease_(request.definition_cache, environment.types),
      definitions_(environment, lease_, [this](Definition& definition) { check_parameters_of(definition); }),
      evaluator_(environment, this) {
    environment_.types.know_resource_types(
        [this](std::string_view name) { return find_type(name) != nullptr; });
    top_ = &scopes_.emplace_back(nullptr, evaluator_.top(), nullptr, &definitions_.main());
}

Compilation Compiler::run() {
    std::vector<std::shared_ptr<const ast::Program>> programs;
    for (const Manifest& manifest : request_.manifests)
        programs.push_back(parse_manifest(manifest, environment_));
    programs.insert(programs.end(), request_.programs.begin(), request_.programs.end());
    const std::span<const std::shared_ptr<const ast::Program>> all(programs);
    const std::size_t first =
        request_.completed_first > 0 ? std::min(request_.completed_first, all.size()) : all.size();
    add_programs(all.first(first));

    main_stage_ = &make_resource(bucket("Stage"), "main", nullptr, *top_, {}, false);
    main_stage_->main_title = true;
    main_stage_->source = nullptr;  // nobody's, so that nobody overrides it
    table_.add(*main_stage_);
    if (request_.classes.is_array()) {
        for (const Value& name : request_.classes.as_array()) add_class_name(to_text(name));
    } else if (request_.classes.is_hash()) {
        for (const auto& entry : request_.classes.as_hash()) add_class_name(to_text(entry.key));
    }
    set_node_variables();
    add_settings_class();

    main_ = &make_resource(bucket("Class"), "main", &definitions_.main(), *top_, {}, false);
    main_->main_title = true;
    top_->set_resource(main_);
    add_resource(*top_, *main_);
    evaluate_code(*main_);
    main_->evaluated = true;
    Compilation result;
    for (const auto& program : all.first(first))
        result.value = evaluator_.evaluate_body(*program, evaluator_.top());
    evaluate_node();
    evaluate_node_classes();
    complete();
    if (first < all.size()) {
        add_programs(all.subspan(first));
        for (const auto& program : all.subspan(first))
            result.value = evaluator_.evaluate_body(*program, evaluator_.top());
        complete();
    }
    result.catalog = make_catalog();
    lease_.end();
    return result;
}

void Compiler::add_programs(std::span<const std::shared_ptr<const ast::Program>> programs) {
    for (const auto& program : programs) environment_.add_program(program);
    for (const auto& program : programs) definitions_.add(*program, "");
}

/// Everything that was left for later: defines, collectors, overrides, relationships. May be done again after
/// more was evaluated.
void Compiler::complete() {
    evaluate_generators();
    finish();
    fail_on_leftovers();
    check_relationships();
}

void Compiler::set_node_variables() {
    Frame& top = *evaluator_.top();
    const auto set_all = [&top](const Value& hash) {
        if (!hash.is_hash()) return;
        for (const auto& entry : hash.as_hash()) {
            const std::string name = to_text(entry.key);
            if (name != "environment") top.set(name, entry.value);
        }
    };
    const auto hash_or_empty = [](const Value& value) {
        return value.is_hash() ? value : HashBuilder().build();
    };
    set_all(request_.facts);
    set_all(request_.variables);
    top.set("environment", Value(environment_.settings.environment));
    top.set("trusted", hash_or_empty(request_.trusted));
    top.set("server_facts", hash_or_empty(request_.server_facts));
    top.set("facts", hash_or_empty(request_.facts));
}

void Compiler::add_settings_class() {
    Definition* definition = definitions_.known_class("settings");
    if (!definition) definition = &definitions_.add_empty_class("settings");
    Resource& resource = make_resource(bucket("Class"), "Settings", definition, *top_, {}, true);
    table_.add(resource);
    evaluate_code(resource);
    resource.evaluated = true;
    const LanguageSettings& language = environment_.settings;
    static constexpr std::string_view strictness[] = {"off", "warning", "error"};
    HashBuilder values;
    set_setting_defaults(values, request_.node);
    values.set("certname", request_.node);
    values.set("digest_algorithm", language.digest_algorithm);
    values.set("environment", language.environment);
    values.set("strict", strictness[static_cast<std::size_t>(language.strict)]);
    values.set("strict_variables", language.strict_variables);
    values.set("tasks", language.tasks);
    if (request_.settings.is_hash()) {
        for (const auto& entry : request_.settings.as_hash()) values.set(entry.key, entry.value);
    }
    const Value all = values.build();
    Frame& frame = *class_scopes_.at("settings")->frame();
    for (const auto& entry : all.as_hash()) {
        const std::string name = to_text(entry.key);
        if (name != "name" && !frame.find_here(name)) frame.set(name, entry.value);
    }
    frame.set("all_local", all);
}

void Compiler::evaluate_node() {
    if (!definitions_.has_nodes()) return;
    Definition* definition = definitions_.find_node(request_.node);
    if (!definition) definition = definitions_.find_node("default");
    if (!definition) {
        throw EvalError("", "Could not find node statement with name 'default' or '" + request_.node + "'");
    }
    Resource& resource = declare_class(*definition, *top_, nullptr);
    try {
        evaluate_resource(resource);
    } catch (const Jump& jump) {
        Evaluator::fail_jump(jump);
    }
    node_scope_ = class_scopes_.at(definition->name);
}

void Compiler::evaluate_node_classes() {
    Scope& scope = node_scope_ ? *node_scope_ : *top_;
    const auto find = [this](const Value& name) -> Definition& {
        Definition* definition = definitions_.find_class(to_text(name));
        if (definition) return *definition;
        throw unknown_class(to_text(name));
    };
    if (request_.classes.is_array()) {
        for (const Value& name : request_.classes.as_array()) find(name);
        for (const Value& name : request_.classes.as_array()) declare_class(find(name), scope, nullptr);
        return;
    }
    if (!request_.classes.is_hash()) return;
    // As Puppet does, those with parameters come first, and all of them are evaluated with the generators.
    for (const bool with_parameters : {true, false}) {
        for (const auto& entry : request_.classes.as_hash()) {
            const bool has = entry.value.is_hash() && !entry.value.as_hash().empty();
            if (has != with_parameters) continue;
            Definition& definition = find(entry.key);
            std::vector<ResourceParameter> parameters;
            if (has) {
                for (const auto& one : entry.value.as_hash()) {
                    parameters.push_back(
                        {names_.intern(to_text(one.key)), to_parameter_value(one.value), &definition});
                }
            }
            declare_class(definition, scope, has ? &parameters : nullptr);
        }
    }
}

bool Compiler::evaluate_collectors() {
    bool found = false;
    const std::vector<Collector*> now = waiting_collectors_;
    for (Collector* collector : now) {
        if (collector->done) continue;
        if (collector->type ? collect(*collector) : collect_fixed(*collector)) found = true;
    }
    std::erase_if(waiting_collectors_, [](const Collector* collector) { return collector->done; });
    return found;
}

bool Compiler::evaluate_defines() {
    std::vector<Resource*> now;
    std::vector<Resource*> later;
    for (Resource* resource : pending_) {
        if (resource->evaluated) continue;
        (resource->is_virtual ? later : now).push_back(resource);
    }
    pending_ = std::move(later);
    for (Resource* resource : now) {
        try {
            evaluate_resource(*resource);
        } catch (const Jump& jump) {
            throw EvalError(
                "RUNTIME_ERROR",
                "Evaluation Error: Error while evaluating an Object, break() from context where this is "
                "illegal",
                {jump.at.file, jump.at.line, 0});
        } catch (const LanguageError& error) {
            // The whole text of the inner error, position included, becomes the detail of the outer one.
            throw WrappedError("RUNTIME_ERROR",
                               "Evaluation Error: Error while evaluating a Resource Statement, ", error,
                               resource->at.location());
        }
    }
    return !now.empty();
}

void Compiler::evaluate_generators() {
    for (generation_ = 0;; ++generation_) {
        const bool collected = evaluate_collectors();
        const bool evaluated = evaluate_defines();
        if (!collected && !evaluated) return;
        if (generation_ >= request_.limits.generations) {
            const Resource* last = declared_.empty() ? nullptr : declared_.back();
            throw EvalError("",
                            "Somehow looped more than " + std::to_string(request_.limits.generations) +
                                " times while evaluating host catalog",
                            last ? last->at.location() : Location{});
        }
    }
}

void Compiler::fail_on_leftovers() const {
    std::vector<std::string> missing;
    std::unordered_set<std::string_view> reported;
    for (const Override& override : overrides_) {
        const auto waiting = overrides_of_.find(override.key.text());
        if (waiting == overrides_of_.end() || !reported.insert(waiting->first).second) continue;
        missing.insert(missing.end(), waiting->second.size(), waiting->first);
    }
    if (!missing.empty())
        throw EvalError("",
                        "Could not find resource(s) " + first_names(std::move(missing)) + " for overriding");
    std::vector<std::string> unrealized;
    for (const Collector* collector : waiting_collectors_)
        unrealized.insert(unrealized.end(), collector->missing.begin(), collector->missing.end());
    if (!unrealized.empty())
        throw EvalError("", "Failed to realize virtual resources " + first_names(std::move(unrealized)));
}

ResourceBucket& Compiler::bucket(std::string_view type) {
    const auto known = buckets_.find(type);
    return known == buckets_.end() ? make_bucket(type) : *known->second;
}

ResourceBucket& Compiler::make_bucket(std::string_view type) {
    auto made = std::make_unique<ResourceBucket>();
    made->type = type;
    made->is_class = type == "Class";
    made->is_stage = type == "Stage";
    made->is_node = type == "Node";
    made->tag = &tags_.intern(type);
    if (!made->is_class && !made->is_node) {
        if (type.find(':') == std::string_view::npos) made->native = native_types_.find(type);
        if (!made->native) made->define = definitions_.find_define(type);
    }
    std::unique_ptr<ResourceBucket>& entry = buckets_[std::string(type)];
    if (!entry) entry = std::move(made);  // looking for the define may have evaluated code
    return *entry;
}

ResourceBucket* Compiler::find_type(std::string_view name) {
    if (const auto known = types_.find(name); known != types_.end()) return known->second;
    const bool qualified = name.find(':') != std::string_view::npos;
    const ResourceType* native = qualified ? nullptr : native_types_.find(name);
    ResourceBucket* found = nullptr;
    if (native) {
        found = &bucket(capitalize_segments(lower(name)));
    } else if (const Definition* define = definitions_.find_define(name)) {
        found = &bucket(define->reference);
    } else {
        return nullptr;  // it may be defined later
    }
    types_.emplace(name, found);
    return found;
}

Resource* Compiler::find_resource(const ResourceKey& key) {
    const auto known = buckets_.find(key.type);
    return known == buckets_.end() ? nullptr : table_.find(*known->second, key.title);
}

Resource* Compiler::find_reference(const std::string& text) {
    // Nearly all are written as catalogs write them, and name something that is there.
    if (const std::size_t open = text.find('['); open != std::string::npos && text.back() == ']') {
        const std::string_view all(text);
        const auto known = buckets_.find(all.substr(0, open));
        if (known != buckets_.end()) {
            if (Resource* found = known->second->names.find(all.substr(open + 1, all.size() - open - 2)))
                return found;
        }
    }
    return find_resource(parse_resource_key(text));
}

Scope& Compiler::scope_of(const FramePtr& frame) {
    FrameOwner* owner = frame->root().owner;
    return owner ? static_cast<Scope&>(*owner) : *top_;
}

Scope& Compiler::new_scope(Scope* parent, const FramePtr& enclosing, Resource* resource,
                           const Definition* source) {
    const auto frame = std::make_shared<Frame>(enclosing, resource->reference());
    return scopes_.emplace_back(parent, frame, resource, source);
}

Origin Compiler::keep(Location place) { return Origin(&places_.emplace_back(std::move(place))); }

ResourceParameter Compiler::make_parameter(std::string_view name, Value value, const Scope& scope) {
    return {names_.intern(name), std::move(value), scope.source()};
}

const Value* Compiler::class_variable(std::string_view class_name, std::string_view variable) {
    if (class_name.starts_with("::")) class_name.remove_prefix(2);
    if (class_name.empty()) return evaluator_.top()->find_here(variable);
    try {
        definitions_.find_class(
            class_name);  // compatibility: its manifest is read; when it is wrong, others say so
    } catch (const LanguageError&) {
        return nullptr;
    }
    auto found = class_scopes_.find(lower(class_name));
    for (int depth = 0; found != class_scopes_.end() && depth < 1000; ++depth) {
        if (const FramePtr& early = found->second->parameters_so_far()) {
            if (const Value* value = early->find_here(variable)) return value;
        }
        if (const Value* value = found->second->frame()->find_here(variable)) return value;
        const Definition* parent = found->second->source()->parent_definition;
        if (!parent) return nullptr;
        found = class_scopes_.find(parent->name);
    }
    return nullptr;
}

CatalogHooks::MissingVariable Compiler::missing_variable(std::string_view class_name,
                                                         std::string_view variable) {
    MissingVariable missing = of_unknown_class(class_name, variable);
    try {
        if (!definitions_.find_class(class_name)) return missing;
    } catch (const LanguageError&) {
        return missing;
    }
    const auto found = class_scopes_.find(lower(class_name));
    if (found == class_scopes_.end()) {
        missing.reason = "class " + std::string(class_name) + " has not been evaluated";
        return missing;
    }
    const Definition* last = found->second->source();
    while (last->parent_definition) last = last->parent_definition;
    return {"::" + std::string(last->name) + "::" + std::string(variable), ""};  // compatibility
}

Value Compiler::evaluate(Evaluator&, const ast::Node& node, const FramePtr& frame) {
    switch (node.kind) {
        case ast::NodeKind::Resource:
            return evaluate_statement(ast::as<ast::Resource>(node), frame);
        case ast::NodeKind::ResourceDefaults:
            return evaluate_defaults(ast::as<ast::ResourceDefaults>(node), frame);
        case ast::NodeKind::ResourceOverride:
            return evaluate_override(ast::as<ast::ResourceOverride>(node), frame);
        case ast::NodeKind::Collect:
            return evaluate_collector(ast::as<ast::Collect>(node), frame);
        case ast::NodeKind::Relationship:
            return evaluate_relationship(ast::as<ast::Binary>(node), frame);
        default:
            return {};  // definitions are known before anything is evaluated
    }
}

Compiler& Compiler::of(CallContext& context) {
    if (auto* compiler = dynamic_cast<Compiler*>(context.evaluator.catalog())) return *compiler;
    throw EvalError("CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING",
                    "The catalog operation '" + std::string(context.name) +
                        "' is only available when compiling a catalog");
}

}  // namespace volley
