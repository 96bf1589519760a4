#pragma once

#include <span>
#include <string_view>

namespace volley::cli {

/// A type of the language for people: what goes between its brackets, and what its values are.
struct TypeDoc {
    std::string_view name;
    std::string_view parameters;  ///< empty: takes none
    std::string_view doc;
};

/// Sorted by name.
std::span<const TypeDoc> type_docs();

}  // namespace volley::cli
