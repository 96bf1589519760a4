#include <algorithm>

#include "language/errors.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"

namespace volley::types {

StructType::StructType(std::vector<Element> members) : Type(TypeKind::Struct), elements(std::move(members)) {}

const StructType::Element* StructType::find(std::string_view wanted) const {
    const auto found = std::find_if(elements.begin(), elements.end(),
                                    [wanted](const Element& element) { return element.name == wanted; });
    return found == elements.end() ? nullptr : &*found;
}

std::size_t StructType::required_count() const {
    return static_cast<std::size_t>(std::count_if(
        elements.begin(), elements.end(), [](const Element& element) { return !element.optional(); }));
}

bool StructType::instance(const Value& candidate, TypeGuard& guard) const {
    if (!candidate.is_hash()) return false;
    const auto& hash_value = candidate.as_hash();
    std::size_t matched = 0;
    for (const Element& element : elements) {
        const Value* member = hash_value.find(element.name);
        if (!member) {
            if (!element.optional()) return false;
            continue;
        }
        ++matched;
        if (!element.value->instance(*member, guard)) return false;
    }
    return matched == hash_value.size();
}

TypePtr StructType::generalize() const {
    const NestingGuard nesting;
    std::vector<Element> members = elements;
    for (Element& member : members) member.value = member.value->generalize();
    return make_shared_object<StructType>(std::move(members));
}

TypePtr StructType::normalize() const {
    std::vector<Element> members = elements;
    for (Element& member : members) member.value = member.value->normalize();
    return make_shared_object<StructType>(std::move(members));
}

TypePtr StructType::iterable_type() const {
    if (elements.empty()) {
        return wrap(TypeKind::Iterable,
                    tuple({simple(TypeKind::Unit), simple(TypeKind::Unit)}, size_range(2, 2)));
    }
    std::vector<TypePtr> keys;
    std::vector<TypePtr> values;
    for (const Element& element : elements) {
        keys.push_back(element.key);
        values.push_back(element.value);
    }
    return wrap(TypeKind::Iterable,
                tuple({variant(std::move(keys)), variant(std::move(values))}, size_range(2, 2)));
}

void StructType::print(std::string& out, const PrintOptions& options) const {
    out += "Struct";
    if (elements.empty()) return;
    out += "[{";
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const Element& element = elements[i];
        if (i > 0) out += ", ";
        const bool value_optional = is_assignable(*element.value, *undef());
        const std::string quoted = puppet_quote(element.name);
        if (element.optional() == value_optional)
            out += quoted;
        else
            out += (element.optional() ? "Optional[" : "NotUndef[") + quoted + "]";
        out += " => ";
        element.value->print_inside(out, options);
    }
    out += "}]";
}

void StructType::for_each_contained(const std::function<void(const Type&)>& visit) const {
    for (const Element& element : elements) {
        visit(*element.key);
        visit(*element.value);
    }
}

std::size_t StructType::hash() const {
    std::size_t result = Type::hash();
    for (const Element& element : elements) result = result * 31 + std::hash<std::string>{}(element.name);
    return result;
}

bool StructType::accepts(const Type& other, TypeGuard& guard) const {
    if (other.kind() == TypeKind::Struct) {
        const auto& that = as<StructType>(other);
        std::size_t matched = 0;
        for (const Element& mine : elements) {
            const Element* theirs = that.find(mine.name);
            if (!theirs) {
                if (!mine.optional()) return false;
                continue;
            }
            ++matched;
            if (!mine.key->assignable(*theirs->key, guard) || !mine.value->assignable(*theirs->value, guard))
                return false;
        }
        return matched == that.elements.size();
    }
    if (other.kind() != TypeKind::Hash) return false;
    const auto& that = as<CollectionType>(other);
    for (const Element& mine : elements) {
        if (mine.optional()) continue;
        if (!mine.value->assignable(*that.value, guard)) return false;
        if (!is_assignable(*mine.key->generalize(), *that.key)) return false;
    }
    return range(*size_range(static_cast<std::int64_t>(required_count()),
                             static_cast<std::int64_t>(elements.size())))
        .contains(that.size_or_any());
}

bool StructType::same(const Type& other) const {
    const auto& that = as<StructType>(other);
    return std::equal(elements.begin(), elements.end(), that.elements.begin(), that.elements.end(),
                      [](const Element& a, const Element& b) {
                          return a.key->equals(*b.key) && a.value->equals(*b.value);
                      });
}

}  // namespace volley::types
