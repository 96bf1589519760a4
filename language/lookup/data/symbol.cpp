#include "language/lookup/data/symbol.hpp"

#include "language/types/types.hpp"

namespace volley::lookup {

Value Symbol::make(std::string name) {
    return Value(Kind::Object, make_shared_object<Symbol>(std::move(name)));
}

const std::string* Symbol::name_of(const Value& value) {
    if (!value.is(Kind::Object)) return nullptr;
    const auto* symbol = dynamic_cast<const Symbol*>(value.shared());
    return symbol ? &symbol->name_ : nullptr;
}

TypePtr Symbol::type() const {
    static const TypePtr type =
        make_shared_object<types::TextType>(TypeKind::Runtime, std::vector<std::string>{"ruby", "Symbol"});
    return type;
}

bool Symbol::equals(const Shared& other) const {
    const auto* symbol = dynamic_cast<const Symbol*>(&other);
    return symbol && symbol->name_ == name_;
}

std::size_t Symbol::hash() const { return std::hash<std::string>()(name_); }

}  // namespace volley::lookup
