#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volley::transports {

enum class OptionType {
    Boolean,
    Integer,
    String,
    StringArray,
    StringOrArray,
    Map,
    StringOrMap,
    Interpreters
};

/// One key of a transport's configuration section. Validation (inventory), the JSON schema and the reference
/// page come from it.
struct OptionSpec {
    std::string_view name;
    OptionType type = OptionType::String;
    std::string_view description;             ///< one sentence for the reference page
    std::string_view default_json{};          ///< JSON text; empty: no default
    std::optional<long> minimum{};            ///< of an Integer
    std::optional<long> maximum{};            ///< of an Integer
    std::vector<std::string_view> allowed{};  ///< of a String; empty: any
    bool is_path = false;                     ///< a path on the controller, relative to the project
    bool is_secret = false;                   ///< never printed
};

using OptionTable = std::span<const OptionSpec>;

}  // namespace volley::transports
