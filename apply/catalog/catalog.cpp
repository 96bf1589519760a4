#include "apply/catalog/catalog.hpp"

namespace volley {

const Value* CatalogResource::parameter(std::string_view name) const {
    for (const auto& [known, value] : parameters) {
        if (known == name) return &value;
    }
    return nullptr;
}

std::size_t Catalog::find(std::string_view reference) const {
    for (std::size_t i = 0; i < resources.size(); ++i) {
        const CatalogResource& one = resources[i];
        const std::size_t open = one.type.size();
        const bool same = reference.size() == open + one.title.size() + 2 &&
                          reference.starts_with(one.type) && reference[open] == '[' &&
                          reference.substr(open + 1, one.title.size()) == one.title &&
                          reference.back() == ']';
        if (same) return i;
    }
    return resources.size();
}

}  // namespace volley
