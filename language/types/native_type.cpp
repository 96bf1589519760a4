#include "language/types/native_type.hpp"

#include "language/errors.hpp"
#include "language/types/parse.hpp"
#include "support/text.hpp"

namespace volley {

NativeTypes::NativeTypes(std::vector<const NativeType*> types) : declared_(std::move(types)) {}

const NativeTypes& NativeTypes::make(std::vector<const NativeType*> types) {
    return *new NativeTypes(std::move(types));
}

/// All types are known, still empty, before the first interface is read, so that they may name each other.
/// They are read in the order of their declaration: parents first.
void NativeTypes::read() const {
    TypeLoader loader;
    std::vector<types::ObjectType*> made;
    for (const NativeType* type : declared_) {
        auto* object = new types::ObjectType(std::string(type->name));
        object->set_native(*type);
        const TypePtr keep(object);
        known_.emplace(lower(type->name), keep);
        loader.define(type->name, keep);
        made.push_back(object);
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
        const Value definition = parse_literal("{" + std::string(declared_[i]->interface) + "}", loader);
        made[i]->define(definition.as_hash());
    }
}

std::vector<std::string_view> NativeTypes::names() const {
    std::vector<std::string_view> all;
    for (const NativeType* one : declared_) all.push_back(one->name);
    return all;
}

TypePtr NativeTypes::find(std::string_view name) const {
    std::call_once(once_, [this] { read(); });
    const auto found = known_.find(lower(name));
    return found == known_.end() ? TypePtr() : found->second;
}

const TypePtr& NativeTypes::type(std::string_view name) const {
    std::call_once(once_, [this] { read(); });
    return known_.at(lower(name));
}

}  // namespace volley
