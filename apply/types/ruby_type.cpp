#include "apply/types/ruby_type.hpp"

namespace volley {

std::unique_ptr<const ResourceType> read_ruby_type(const std::string& name, std::string_view) {
    return std::make_unique<const ResourceType>(name, std::nullopt, std::vector<std::string>{"name"},
                                                std::vector<TitlePattern>{});
}

}  // namespace volley
