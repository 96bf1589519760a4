// a -> b, a ~> b and their mirror images. They are kept until the catalog is complete, because either end may
// be declared later. Spec "Relationship expression".

#include "apply/compiler/resources/relationships.hpp"

#include <algorithm>
#include <optional>

#include "apply/compiler/compiler.hpp"
#include "apply/compiler/resources/references.hpp"
#include "language/errors.hpp"
#include "language/evaluator/labels.hpp"
#include "language/text/text.hpp"
#include "language/types/parse.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

bool is_catalog_type(const Type& type) {
    const TypeKind kind = type.kind();
    if (kind == TypeKind::Resource || kind == TypeKind::Class || kind == TypeKind::CatalogEntry) return true;
    if (kind != TypeKind::Type) return false;
    const TypePtr& inner = as<types::WrapperType>(type).type;
    return inner && is_catalog_type(*inner);
}

/// A type alone is not a resource. Compatibility: no mistake as long as nothing is at the other end.
void check_has_title(const ResourceKey& key) {
    if (key.title.empty()) parse_resource_key(key.text());
}

[[noreturn]] void fail_too_many_arrows(std::size_t limit, const Origin& at) {
    throw EvalError("", "The catalog has more than " + std::to_string(limit) + " relationships",
                    at.location());
}

}  // namespace

/// A list of references and collectors, each once.
Value Compiler::relationship_end(const Value& value, const ast::Binary& node) {
    std::vector<Value> raw = flat_items(value);
    std::vector<Value> result;
    std::unordered_set<std::string> seen;
    for (Value& one : raw) {
        if (as_collector(one)) {
            result.push_back(std::move(one));
            continue;
        }
        if (one.is_string()) one = Value(parse_type(one.as_string(), environment_.types));
        if (!one.is(Kind::Type)) {
            Evaluator::fail("ILLEGAL_RELATIONSHIP_OPERAND_TYPE", node,
                            "Illegal relationship operand, can not form a relationship with " +
                                a_an(label(one)) + ". A Catalog type is required.");
        }
        const TypePtr type = one.as_type();
        if (!is_catalog_type(*type)) {
            Evaluator::fail(
                "NOT_CATALOG_TYPE", node,
                "Illegal relationship operand, can not form a relationship with something of type " +
                    to_string(*type) + ". A Catalog type is required.");
        }
        if (raw.size() == 1 || seen.insert(to_string(*type)).second) result.push_back(std::move(one));
    }
    return result;
}

Value Compiler::evaluate_relationship(const ast::Binary& node, const FramePtr& frame) {
    const Value left_value = evaluator_.evaluate(*node.left, frame);
    const Value right_value = evaluator_.evaluate(*node.right, frame);
    Value left = relationship_end(left_value, node);
    Value right = relationship_end(right_value, node);
    const bool reversed = node.op == "<-" || node.op == "<~";
    const bool notifies = node.op == "~>" || node.op == "<~";
    const auto end_of = [this](const Value& value) -> RelationshipEnd {
        if (Collector* collector = as_collector(value)) return {{}, collector};
        const TypePtr type = value.as_type();
        const auto& outer = type->kind() == TypeKind::Type ? *as<types::WrapperType>(*type).type : *type;
        if (outer.kind() == TypeKind::CatalogEntry)
            throw EvalError("", "Cannot split the type, it represents neither a Class nor a Resource.");
        const auto& reference = as<types::CatalogType>(outer);
        if (reference.kind() == TypeKind::Class) {
            if (!reference.type_name)
                throw EvalError("", "No title provided and \"class\" is not a valid resource reference");
            return {make_resource_key("class", *reference.type_name), nullptr};
        }
        const std::string name = reference.type_name.value_or("");
        if (lower(name) != "class") find_type(name);
        return {make_resource_key(name, reference.title.value_or("")), nullptr};
    };
    std::vector<RelationshipEnd> sources;
    std::vector<RelationshipEnd> targets;
    for (const Value& one : (reversed ? right : left).as_array()) sources.push_back(end_of(one));
    for (const Value& one : (reversed ? left : right).as_array()) targets.push_back(end_of(one));
    arrows_ += sources.size() * targets.size();
    if (arrows_ > request_.limits.relationships) fail_too_many_arrows(request_.limits.relationships, node);
    if (!sources.empty() && !targets.empty())
        relationships_.push_back({std::move(sources), std::move(targets), notifies, node});
    if (right.as_array().empty()) return left;
    if (right.as_array().size() == 1) {
        if (Collector* collector = as_collector(right.as_array()[0])) collector->empty_alternative = left;
    }
    return right;
}

std::vector<RelationshipMember> Compiler::relationship_members(const RelationshipEnd& end, bool leftmost) {
    std::vector<RelationshipMember> members;
    if (!end.collector) {
        members.push_back({end.key, end.key.title.empty() ? nullptr : find_resource(end.key)});
        return members;
    }
    const Collector* collector = end.collector;
    for (int depth = 0; leftmost && collector->collected.empty() && depth < 1000; ++depth) {
        const Value& other = collector->empty_alternative;
        if (!other.is_array()) return members;
        const Array& list = other.as_array();
        const Collector* next = list.size() == 1 ? as_collector(list[0]) : nullptr;
        if (!next) {
            for (const Value& one : list) {
                const types::CatalogType* reference = as_reference(one);
                if (!reference) continue;
                const ResourceKey key = parse_resource_key(types::reference_text(*reference));
                members.push_back({key, find_resource(key), to_string(*one.as_type())});
            }
            return members;
        }
        collector = next;
    }
    for (Resource* resource : collector->collected)
        members.push_back({{resource->bucket->type, resource->title}, resource});
    return members;
}

void Compiler::connect(const RelationshipMember& source, const RelationshipMember& target, const Value& text,
                       bool notifies) {
    if (!source.resource) {
        check_has_title(source.key);
        const std::string shown = source.shown.empty() ? source.key.text() : source.shown;
        throw EvalError(
            "", "Could not find resource '" + shown + "' for relationship on '" + target.key.text() + "'");
    }
    if (!target.resource) {
        check_has_title(target.key);
        throw EvalError("", "Could not find resource '" + target.key.text() + "' for relationship from '" +
                                (source.shown.empty() ? source.key.text() : source.shown) + "'");
    }
    const ResourceParameter* list = source.resource->find(notifies ? "notify" : "before");
    if (list && list->value.is_array())
        growing_lists_[list->value.shared()].push_back(text);
    else
        (notifies ? source.resource->notify : source.resource->before).push_back(text);
}

void Compiler::connect(const Relationship& relationship) {
    struct Target {
        std::vector<RelationshipMember> members;
        std::vector<Value> texts;
    };
    // Found once, when the first source needs them: so mistakes are reported in the order of the arrows.
    std::vector<std::optional<Target>> targets(relationship.targets.size());
    const auto target_at = [&](std::size_t i) -> const Target& {
        if (targets[i]) return *targets[i];
        Target target{relationship_members(relationship.targets[i], false), {}};
        for (const RelationshipMember& one : target.members) target.texts.emplace_back(one.key.text());
        return targets[i].emplace(std::move(target));
    };
    for (const RelationshipEnd& end : relationship.sources) {
        const std::vector<RelationshipMember> sources = relationship_members(end, true);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const Target& target = target_at(i);
            arrows_ += sources.size() * target.members.size();
            if (arrows_ > request_.limits.relationships)
                fail_too_many_arrows(request_.limits.relationships, relationship.at);
            for (const RelationshipMember& source : sources) {
                for (std::size_t j = 0; j < target.members.size(); ++j)
                    connect(source, target.members[j], target.texts[j], relationship.notifies);
            }
        }
    }
}

/// Lists grow at once, as appending to a value copies it. What was not a list becomes one, and forgets where
/// it was set.
void Compiler::add_arrows(Resource& resource, std::string_view parameter, std::vector<Value>& added) {
    if (added.empty()) return;
    const Value old = resource.value(parameter);
    std::vector<Value> all;
    if (!old.is_undef()) all.push_back(old);
    all.insert(all.end(), added.begin(), added.end());
    added = {};
    set_parameter(resource, parameter, Value(std::move(all)));
}

/// Compatibility: resources that have their list from one statement have one list, and each gets the arrows
/// of all.
void Compiler::grow_lists() {
    if (growing_lists_.empty()) return;
    std::unordered_map<const Shared*, Value> grown;
    std::vector<Value> kept;  // as long as their addresses are keys
    for (Resource* resource : table_.all()) {
        for (const std::string_view name : {"before", "notify"}) {
            ResourceParameter* list = resource->find(name);
            if (!list || !list->value.is_array()) continue;
            const Shared* const identity = list->value.shared();
            const auto added = growing_lists_.find(identity);
            if (added == growing_lists_.end()) continue;
            Value& whole = grown[identity];
            if (whole.is_undef()) {
                kept.push_back(list->value);
                std::vector<Value> all = list->value.as_array().items();
                all.insert(all.end(), added->second.begin(), added->second.end());
                whole = Value(std::move(all));
            }
            list->value = whole;
            resource->bucket->note_change(*resource, name);
        }
    }
    growing_lists_.clear();
}

void Compiler::connect_all() {
    arrows_ = 0;
    for (const Relationship& one : relationships_) connect(one);
    relationships_.clear();
    grow_lists();
    for (Resource* resource : table_.all()) {
        add_arrows(*resource, "before", resource->before);
        add_arrows(*resource, "notify", resource->notify);
    }
}

}  // namespace volley
