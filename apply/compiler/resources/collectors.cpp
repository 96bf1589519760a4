// Type <| query |> and realize(). Spec "Collectors".

#include "apply/compiler/resources/collectors.hpp"

#include <algorithm>

#include "apply/compiler/compiler.hpp"
#include "apply/compiler/resources/references.hpp"
#include "language/errors.hpp"
#include "language/evaluator/labels.hpp"
#include "language/text/characters_case.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"

namespace volley {

Collector* as_collector(const Value& value) {
    if (!value.is(Kind::Opaque)) return nullptr;
    const auto* held = dynamic_cast<const CollectorValue*>(value.shared());
    return held ? &held->collector : nullptr;
}

Value Compiler::evaluate_collector(const ast::Collect& node, const FramePtr& frame) {
    Scope& scope = scope_of(frame);
    const bool exported = node.query->kind == ast::NodeKind::ExportedQuery;
    if (exported) {
        environment_.host.log({Severity::Warning,
                               "You cannot collect exported resources without storeconfigs being set; the "
                               "collection will be ignored",
                               "", node.location(), "RT_NO_STORECONFIGS"});
    }
    if (node.type_expr->kind != ast::NodeKind::Reference) throw EvalError("", "LHS is not a type");
    const std::string name(ast::as<ast::Reference>(*node.type_expr).value);
    if (name == "class") throw EvalError("", "Classes cannot be collected");
    auto collector = std::make_unique<Collector>();
    collector->scope = &scope;
    collector->type = find_type(name);
    if (!collector->type) throw EvalError("", "Resource type " + name + " doesn't exist");
    collector->exported = exported;
    collector->has_overrides = !node.operations.empty();
    collector->overrides = evaluate_attributes(node.operations, frame, scope);
    collector->at = node;
    if (node.query->expr && node.query->expr->kind != ast::NodeKind::Nop &&
        is_query(*node.query->expr, frame))
        collector->query = compile_query(*node.query->expr, frame);
    Collector& result = *collector;
    check_count(collectors_.size(), request_.limits.collectors, "collectors", node);
    collectors_.push_back(std::move(collector));
    waiting_collectors_.push_back(&result);
    return Value(Kind::Opaque, make_shared_object<CollectorValue>(result));
}

Value Compiler::query_operand(const ast::Node& node, const FramePtr& frame) {
    using ast::NodeKind;
    const ast::Node* inner = &node;
    while (inner->kind == NodeKind::Paren) inner = ast::as<ast::Unary>(*inner).expr;
    switch (inner->kind) {
        case NodeKind::Access:
            return to_parameter_value(evaluator_.evaluate(*inner, frame));
        case NodeKind::Variable:
        case NodeKind::Boolean:
        case NodeKind::String:
        case NodeKind::Concatenated:
        case NodeKind::Integer:
        case NodeKind::Float:
        case NodeKind::Name:
            return evaluator_.evaluate(*inner, frame);
        case NodeKind::Undef:
            return {};
        default:
            throw EvalError("", "Cannot transform " + a_an(label(*inner)));
    }
}

/// Compatibility: false and undef in place of a query are not a query, and all is collected.
bool Compiler::is_query(const ast::Node& node, const FramePtr& frame) {
    const ast::Node* inner = &node;
    while (inner->kind == ast::NodeKind::Paren) inner = ast::as<ast::Unary>(*inner).expr;
    const bool compares = inner->kind == ast::NodeKind::And || inner->kind == ast::NodeKind::Or ||
                          inner->kind == ast::NodeKind::Comparison;
    return compares || query_operand(*inner, frame).truthy();
}

QueryPtr Compiler::compile_query(const ast::Node& node, const FramePtr& frame) {
    const NestingGuard guard;
    if (node.kind == ast::NodeKind::Paren) return compile_query(*ast::as<ast::Unary>(node).expr, frame);
    auto query = std::make_unique<Query>();
    if (node.kind == ast::NodeKind::And || node.kind == ast::NodeKind::Or) {
        const auto& both = ast::as<ast::Binary>(node);
        query->kind = node.kind == ast::NodeKind::And ? Query::Kind::And : Query::Kind::Or;
        query->left = compile_query(*both.left, frame);
        query->right = compile_query(*both.right, frame);
        return query;
    }
    if (node.kind != ast::NodeKind::Comparison) {
        query_operand(node, frame);
        query->kind = Query::Kind::Invalid;
        return query;
    }
    const auto& comparison = ast::as<ast::Binary>(node);
    const std::string attribute = to_text(query_operand(*comparison.left, frame));
    query->attribute = names_.intern(attribute);
    query->value = query_operand(*comparison.right, frame);
    if (comparison.op == "!=") {
        query->kind = Query::Kind::Unequal;
    } else if (attribute == "tag") {
        query->kind = Query::Kind::Tagged;
        const std::vector<Value> tags =
            query->value.is_array() ? query->value.as_array().items() : std::vector<Value>{query->value};
        for (const Value& tag : tags) {
            if (tag.is_number()) throw EvalError("", "Cannot transform a number to a tag");
            query->tags.push_back(&tags_.intern(ruby_to_s(tag)));
        }
    }
    return query;
}

/// A resource that is not finished has the tags of what contains it, too.
bool Compiler::has_tag(const Resource& resource, const Tag& tag) const {
    const Resource* one = &resource;
    for (int depth = 0; depth < 10'000; ++depth) {
        if (one->tags.contains(tag)) return true;
        const Resource* container = one->scope ? one->scope->resource() : nullptr;
        if (!container || container == one) return false;
        one = container;
    }
    return false;
}

bool Compiler::query_matches(const Query& query, const Resource& resource) {
    switch (query.kind) {
        case Query::Kind::And:
            return query_matches(*query.left, resource) && query_matches(*query.right, resource);
        case Query::Kind::Or:
            return query_matches(*query.left, resource) || query_matches(*query.right, resource);
        case Query::Kind::Tagged:
            for (const Tag* tag : query.tags) {
                if (has_tag(resource, *tag)) return true;
            }
            return false;
        case Query::Kind::Unequal:
            return !puppet_equals(resource.value(query.attribute), query.value);
        case Query::Kind::Invalid:  // compatibility: no mistake as long as nothing is looked at
            throw EvalError("", "A query must compare an attribute with a value");
        case Query::Kind::Equal:
            break;
    }
    const Value value = resource.value(query.attribute);
    if (!value.is_array()) return puppet_equals(value, query.value);
    if (!as_reference(query.value)) return puppet_includes(evaluator_, value, query.value, nullptr);
    // The references of a resource are resources, and no types that the query's could be compared with.
    const auto& items = value.as_array().items();
    return std::any_of(items.begin(), items.end(),
                       [&](const Value& item) { return puppet_equals(item, query.value); });
}

/// The resources among which the matches must be, when an index of attributes knows that.
bool Compiler::find_candidates(const Query& query, ResourceBucket& type, std::vector<Resource*>& candidates) {
    if (query.kind == Query::Kind::Equal && AttributeIndex::covers(query.value)) {
        const AttributeIndex* index = type.index_of(query.attribute);
        if (index) index->find(query.value, candidates);
        return index != nullptr;
    }
    if (query.kind == Query::Kind::And) {
        return find_candidates(*query.left, type, candidates) ||
               find_candidates(*query.right, type, candidates);
    }
    if (query.kind != Query::Kind::Or) return false;
    const std::size_t before = candidates.size();
    if (find_candidates(*query.left, type, candidates) && find_candidates(*query.right, type, candidates))
        return true;
    candidates.resize(before);
    return false;
}

void Compiler::find_matches(Collector& collector, std::vector<Resource*>& matches) {
    ResourceBucket& type = *collector.type;
    const auto count_step = [&] {
        if (++collector_steps_ <= request_.limits.collector_steps) return;
        throw EvalError("",
                        "Collectors have looked at more than " +
                            std::to_string(request_.limits.collector_steps) + " resources",
                        collector.at.location());
    };
    const auto look_at = [&](Resource* resource) {
        count_step();
        if (!collector.query || query_matches(*collector.query, *resource)) matches.push_back(resource);
    };
    count_step();  // so that many collectors of nothing end, too
    // Resources that were looked at need a second look only when one of the type, or a tag, has changed.
    const bool changed = collector.changes_seen != type.changes || collector.tags_seen != tag_changes_;
    std::size_t from = collector.query && changed ? 0 : collector.resources_seen;
    collector.changes_seen = type.changes;
    collector.tags_seen = tag_changes_;
    collector.resources_seen = type.resources.size();
    if (from == type.resources.size()) return;
    std::vector<Resource*> candidates;
    if (!collector.query || !find_candidates(*collector.query, type, candidates)) {
        for (; from < type.resources.size(); ++from) look_at(type.resources[from]);
        return;
    }
    std::sort(candidates.begin(), candidates.end(),
              [](const Resource* a, const Resource* b) { return a->order < b->order; });
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    for (Resource* resource : candidates) look_at(resource);
}

/// What a collector sets. Compatibility: that are the defaults of its scope, too.
std::vector<ResourceParameter> Compiler::overrides_of(const Collector& collector) const {
    std::vector<ResourceParameter> all = collector.overrides;
    for (const ResourceParameter* one : collector.scope->defaults(*collector.type)) {
        const auto same = [one](const ResourceParameter& other) { return other.name == one->name; };
        if (std::none_of(collector.overrides.begin(), collector.overrides.end(), same)) all.push_back(*one);
    }
    return all;
}

bool Compiler::collect(Collector& collector) {
    if (collector.exported) return false;  // nowhere to collect from
    std::vector<Resource*> matches;
    find_matches(collector, matches);
    std::vector<Resource*> added;
    for (Resource* resource : matches) {
        resource->is_virtual = false;
        if (!collector.known.contains(resource)) added.push_back(resource);
    }
    if (collector.has_overrides && !matches.empty()) {
        // Compatibility: from now on the code around the collector may override everything.
        const_cast<Definition*>(collector.scope->source())->overrides_everything = true;
        const std::vector<ResourceParameter> overrides = overrides_of(collector);
        for (Resource* resource : added) {
            add_override({{resource->bucket->type, resource->title},
                          overrides,
                          collector.scope->source(),
                          collector.at});
        }
    }
    collected_ += added.size();
    if (collected_ > request_.limits.collected) {
        throw EvalError(
            "", "Collectors have found more than " + std::to_string(request_.limits.collected) + " resources",
            collector.at.location());
    }
    for (Resource* resource : added) {
        collector.known.insert(resource);
        collector.collected.push_back(resource);
    }
    return !added.empty();
}

bool Compiler::collect_fixed(Collector& collector) {
    std::vector<std::string> missing;
    bool found = false;
    for (const std::string& reference : collector.missing) {
        Resource* resource = find_resource(parse_resource_key(reference));
        if (!resource) {
            missing.push_back(reference);
            continue;
        }
        resource->is_virtual = false;
        if (!collector.known.insert(resource).second) continue;
        collector.collected.push_back(resource);
        found = true;
    }
    collector.missing = std::move(missing);
    collector.done = collector.missing.empty();
    return found;
}

void Compiler::realize(std::vector<Value> references, Scope& scope) {
    auto collector = std::make_unique<Collector>();
    collector->scope = &scope;
    for (const Value& one : references) {
        const types::CatalogType* reference = as_reference(one);
        collector->missing.push_back(reference ? types::reference_text(*reference) : to_text(one));
    }
    check_count(collectors_.size(), request_.limits.collectors, "collectors",
                scope.resource() ? scope.resource()->at : Origin());
    waiting_collectors_.push_back(collector.get());
    collectors_.push_back(std::move(collector));
}

}  // namespace volley
