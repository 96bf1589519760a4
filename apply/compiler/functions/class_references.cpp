#include "apply/compiler/functions/class_references.hpp"

#include "language/types/types.hpp"

namespace volley {

Value class_references(const std::vector<std::string>& names) {
    std::vector<Value> references;
    for (const std::string& name : names) {
        references.emplace_back(TypePtr(make_shared_object<types::CatalogType>(
            TypeKind::Class, name.starts_with("::") ? name.substr(2) : name, std::nullopt)));
    }
    return references;
}

}  // namespace volley
