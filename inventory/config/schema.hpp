#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/yaml/document.hpp"

namespace volley::inventory {

/// What may stand at one place of a configuration file.
struct Schema {
    std::vector<yaml::Kind> types;           ///< any of these; empty: anything
    bool plugin = false;                     ///< {_plugin: ...} may stand here, and below
    std::vector<std::string> allowed;        ///< of a String; empty: any
    std::optional<long> minimum;             ///< of an Integer
    std::optional<long> maximum;             ///< of an Integer
    bool unique = false;                     ///< elements of a Sequence differ
    std::shared_ptr<const Schema> elements;  ///< of a Sequence; null: anything
    struct Property;
    std::vector<Property> properties;          ///< of a Map; empty: any key
    std::vector<std::string_view> required;    ///< keys of a Map
    std::shared_ptr<const Schema> additional;  ///< for keys of a Map that are not in `properties`
    bool open = false;                         ///< unknown keys pass without a warning
    bool checked_elsewhere = false;            ///< the reader of the data warns of unknown keys itself
    std::string_view deprecation;              ///< why one should not use it any more
    std::string_view description;              ///< one sentence, for editors; may be empty
    std::string_view default_json;             ///< JSON text, for editors; empty: none
};

struct Schema::Property {
    std::string_view name;
    std::shared_ptr<const Schema> schema;
};

using SchemaPtr = std::shared_ptr<const Schema>;

SchemaPtr boolean();
SchemaPtr integer(long minimum);
SchemaPtr text();
SchemaPtr one_of(std::vector<std::string> allowed);
SchemaPtr list_of(SchemaPtr elements);
SchemaPtr map_of(std::vector<Schema::Property> properties);
/// The same, but a plugin reference may stand in its place.
SchemaPtr or_plugin(const SchemaPtr& schema);

/// The same with a sentence for editors.
SchemaPtr described(const SchemaPtr& schema, std::string_view description);

/// One fault or warning of a file.
struct Finding {
    std::string message;  ///< with its place, and a hint when something similar would have been right
    yaml::Node at;
    std::string id;  ///< of a warning
};

struct Findings {
    std::vector<Finding> faults;
    std::vector<Finding> warnings;
};

/// Compares `value` with `schema`. Unknown keys are warnings (CFG-012).
Findings check(yaml::Node value, const Schema& schema);

/// Warns of keys that a map of the document has twice (`repeated_key`).
void warn_of_repeated_keys(const yaml::Document& document);

/// check(), then logs the warnings and throws one Error bolt/validation-error for all faults (CFG-013),
/// headed "Invalid configuration at LOCATION:".
void validate(yaml::Node value, const Schema& schema, std::string_view location);

/// " Did you mean 'x'?", or nothing.
std::string hint(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace volley::inventory
