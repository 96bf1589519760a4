// a -> b, a ~> b and their mirror images. They are kept until the catalog is complete, because either end may be
// declared later. Spec "Relationship expression".

#include "apply/compiler/relationships.hpp"

#include <algorithm>

#include "apply/compiler/compiler.hpp"
#include "apply/compiler/references.hpp"
#include "language/errors.hpp"
#include "language/evaluator/labels.hpp"
#include "language/text.hpp"
#include "language/types/parse.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

constexpr std::size_t most_relationships = 20'000'000;

bool is_catalog_type(const Type& type) {
    const TypeKind kind = type.kind();
    if (kind == TypeKind::Resource || kind == TypeKind::Class || kind == TypeKind::CatalogEntry) return true;
    if (kind != TypeKind::Type) return false;
    const TypePtr& inner = as<types::WrapperType>(type).type;
    return inner && is_catalog_type(*inner);
}

void flatten_end(const Value& value, std::vector<Value>& result) {
    if (!value.is_array()) {
        result.push_back(value);
        return;
    }
    const NestingGuard guard;
    for (const Value& item : value.as_array()) flatten_end(item, result);
}

}  // namespace

/// A list of references and collectors, each once.
Value Compiler::relationship_end(const Value& value, const ast::Binary& node) {
    std::vector<Value> raw;
    flatten_end(value, raw);
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
            Evaluator::fail("NOT_CATALOG_TYPE", node,
                            "Illegal relationship operand, can not form a relationship with something of type " +
                                to_string(*type) + ". A Catalog type is required.");
        }
        if (seen.insert(to_string(*type)).second) result.push_back(std::move(one));
    }
    return result;
}

Value Compiler::evaluate_relationship(const ast::Binary& node, const FramePtr& frame) {
    const Value left_value = evaluator_.evaluate(*node.left, frame);
    const Value right_value = evaluator_.evaluate(*node.right, frame);
    const Value left = relationship_end(left_value, node);
    const Value right = relationship_end(right_value, node);
    const bool reversed = node.op == "<-" || node.op == "<~";
    const bool notifies = node.op == "~>" || node.op == "<~";
    const auto end_of = [this](const Value& value) -> RelationshipEnd {
        if (Collector* collector = as_collector(value)) return {{}, collector};
        const TypePtr type = value.as_type();
        const auto& outer = type->kind() == TypeKind::Type ? *as<types::WrapperType>(*type).type : *type;
        if (outer.kind() == TypeKind::CatalogEntry)
            throw EvalError("", "Cannot split the type, it represents neither a Class nor a Resource.");
        const auto& reference = as<types::CatalogType>(outer);
        if (reference.kind() == TypeKind::Class)
            return {make_resource_key("class", reference.type_name.value_or("")), nullptr};
        const std::string name = reference.type_name.value_or("");
        if (lower(name) != "class") find_type(name);
        return {make_resource_key(name, reference.title.value_or("")), nullptr};
    };
    std::vector<RelationshipEnd> sources;
    std::vector<RelationshipEnd> targets;
    for (const Value& one : (reversed ? right : left).as_array()) sources.push_back(end_of(one));
    for (const Value& one : (reversed ? left : right).as_array()) targets.push_back(end_of(one));
    for (const RelationshipEnd& source : sources) {
        for (const RelationshipEnd& target : targets) add_relationship(source, target, notifies);
    }
    if (right.as_array().empty()) return left;
    if (right.as_array().size() == 1) {
        if (Collector* collector = as_collector(right.as_array()[0])) collector->empty_alternative = left;
    }
    return right;
}

void Compiler::add_relationship(const RelationshipEnd& source, const RelationshipEnd& target, bool notifies) {
    if (relationships_.size() >= most_relationships)
        throw EvalError("", "The catalog has more than " + std::to_string(most_relationships) + " relationships");
    relationships_.push_back({source, target, notifies});
}

std::vector<ResourceKey> Compiler::relationship_members(const RelationshipEnd& end, bool leftmost) const {
    if (!end.collector) return {end.key};
    const Collector* collector = end.collector;
    std::vector<ResourceKey> keys;
    for (int depth = 0; leftmost && collector->collected.empty() && depth < 1000; ++depth) {
        const Value& other = collector->empty_alternative;
        if (!other.is_array()) return keys;
        const Array& list = other.as_array();
        const Collector* next = list.size() == 1 ? as_collector(list[0]) : nullptr;
        if (!next) {
            for (const Value& one : list) {
                if (const types::CatalogType* reference = as_reference(one))
                    keys.push_back(parse_resource_key(types::reference_text(*reference)));
            }
            return keys;
        }
        collector = next;
    }
    for (const Resource* resource : collector->collected) keys.push_back({resource->bucket->type, resource->title});
    return keys;
}

void Compiler::connect_all() {
    std::size_t made = 0;
    for (const Relationship& one : relationships_) {
        const std::vector<ResourceKey> sources = relationship_members(one.source, true);
        const std::vector<ResourceKey> targets = relationship_members(one.target, false);
        for (const ResourceKey& source : sources) {
            parse_resource_key(source.text());  // a type without a title is no resource
            Resource* from = nullptr;
            for (const ResourceKey& target : targets) {
                if (!from) from = find_resource(source);
                if (!from) {
                    throw EvalError("", "Could not find resource '" + source.text() + "' for relationship on '" +
                                            target.text() + "'");
                }
                if (!find_resource(target)) {
                    throw EvalError("", "Could not find resource '" + target.text() +
                                            "' for relationship from '" + source.text() + "'");
                }
                if (++made > most_relationships) {
                    throw EvalError("", "The catalog has more than " + std::to_string(most_relationships) +
                                            " relationships");
                }
                (one.notifies ? from->notify : from->before).emplace_back(target.text());
            }
        }
    }
    // Lists grow at once, as appending to a value copies it.
    for (Resource* resource : table_.all()) {
        for (const bool notifies : {false, true}) {
            std::vector<Value>& added = notifies ? resource->notify : resource->before;
            if (added.empty()) continue;
            const std::string_view name = notifies ? "notify" : "before";
            const Value old = resource->value(name);
            std::vector<Value> all = old.is_array()   ? old.as_array().items()
                                     : old.is_undef() ? std::vector<Value>()
                                                      : std::vector<Value>{old};
            all.insert(all.end(), added.begin(), added.end());
            added.clear();
            const ResourceParameter* known = resource->find(name);
            const Origin at = known ? known->at : Origin();
            set_parameter(*resource, name, Value(std::move(all)));
            resource->find(name)->at = at;
        }
    }
}

}  // namespace volley
