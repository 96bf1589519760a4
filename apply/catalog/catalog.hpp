#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "language/value.hpp"
#include "support/json/json.hpp"

namespace volley {

/// One resource as the compiler leaves it: parameters are final, references among them are values of kind
/// Type (see `reference_text`) or text, and a Sensitive value stands unwrapped beside its name in
/// `sensitive_parameters`. Whoever prints a resource must leave those out.
struct CatalogResource {
    enum class Kind : std::uint8_t { Unknown, Class, DefinedType, Native };

    // Views are into texts that the catalog keeps.
    std::string_view type;  // "File", "Foo::Bar", "Class"
    std::string title;      // a class's is capitalized: "Foo::Bar"; "main" for the top
    Kind kind = Kind::Unknown;
    bool exported = false;
    bool is_virtual = false;
    std::string_view file;               // empty when the resource has none (a class that was included)
    int line = 0;                        // 0: none
    std::vector<std::string_view> tags;  // in the order in which they were given
    std::vector<std::pair<std::string, Value>> parameters;
    std::vector<std::string> sensitive_parameters;

    std::string reference() const { return std::string(type) + "[" + title + "]"; }
    /// nullptr when the resource does not have it.
    const Value* parameter(std::string_view name) const;
};

/// Containment: `source` contains `target`. Both are positions in Catalog::resources.
struct CatalogEdge {
    std::uint32_t source = 0;
    std::uint32_t target = 0;
};

/// What a manifest wants of one node. Immutable once the compiler has given it; safe to read from threads.
struct Catalog {
    std::string name;         // of the node
    std::string environment;  // "production"
    std::string version;      // configuration version
    std::vector<std::string> classes;
    std::vector<std::string> tags;
    std::vector<CatalogResource> resources;          // in the order in which they were declared
    std::vector<CatalogEdge> edges;                  // ordered by target
    std::vector<std::shared_ptr<const void>> texts;  // what the views of resources point into

    /// The position of "File[/tmp/x]"; resources.size() when there is none. Linear: for tools and tests.
    std::size_t find(std::string_view reference) const;
};

struct CatalogFormat {
    bool virtual_resources = false;  // also exported ones that nothing collects: they are virtual as well
    bool settings_class = true;      // Class[Settings], which Puppet always adds
};

/// Puppet's catalog document (format 2), with rich data. The order of everything in it follows from the
/// program.
Json catalog_to_json(const Catalog& catalog, const CatalogFormat& format = {});
/// The same document as text, a piece at a time: a large catalog never stands in memory a second time.
/// `indentation`: spaces a level; below 0: all on one line. Bytes that are not UTF-8 become replacement
/// characters.
void write_catalog(const Catalog& catalog, const CatalogFormat& format, int indentation,
                   const std::function<void(std::string_view)>& write);
/// The form of tests/conformance/README.md: values encoded, references as text.
Json catalog_to_comparable_json(const Catalog& catalog,
                                const CatalogFormat& format = {.settings_class = false});

}  // namespace volley
