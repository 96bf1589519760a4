#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apply/catalog/catalog.hpp"

namespace volley {

// What the two forms of a catalog document, data and text, have in common; the private base of catalog.hpp.

/// A value as catalogs write it: rich data, with references as text.
Json catalog_value(const Value& value);
/// "File[/a]" for a reference to a resource or class; empty for all else, also for such a type inside of a
/// Sensitive.
std::string reference_in_catalog(const Value& value);
/// "compilable_type" and so on.
std::string_view catalog_kind_text(CatalogResource::Kind kind);
/// Which resources a document shows.
std::vector<bool> shown_resources(const Catalog& catalog, const CatalogFormat& format);

}  // namespace volley
