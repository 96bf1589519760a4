#include "planner/module_install/module_name.hpp"

#include <algorithm>

#include "language/syntax/lexer/characters.hpp"
#include "support/text.hpp"

namespace volley::modules {
namespace {

bool is_module_owner(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return is_digit(c) || is_lower(c) || (c >= 'A' && c <= 'Z');
    });
}

bool is_short_module_name(std::string_view text) {
    return !text.empty() && is_lower(text.front()) && std::all_of(text.begin(), text.end(), [](char c) {
        return is_digit(c) || is_lower(c) || c == '_';
    });
}

}  // namespace

std::optional<ModuleName> ModuleName::parse(std::string_view text) {
    const std::size_t end = text.find_first_of("-/");
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view owner = text.substr(0, end);
    const std::string_view name = text.substr(end + 1);
    if (!is_module_owner(owner) || !is_short_module_name(name)) return std::nullopt;
    return ModuleName{std::string(owner), std::string(name)};
}

std::optional<ModuleName> ModuleName::parse_with_optional_owner(std::string_view text) {
    if (is_short_module_name(text)) return ModuleName{"", std::string(text)};
    return parse(text);
}

bool ModuleName::same_owner(const ModuleName& other) const { return lower(owner) == lower(other.owner); }

}  // namespace volley::modules
