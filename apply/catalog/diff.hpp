#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/json/json.hpp"

namespace volley {

/// One difference between two versions of a resource. A missing value is JSON's null; secrets are redacted.
struct ParameterChange {
    std::string name;
    std::shared_ptr<const Json> before;
    std::shared_ptr<const Json> after;
    bool sensitive = false;  // the whole value is a secret
};

struct ResourceChange {
    std::string reference;
    std::vector<ParameterChange> parameters;
    std::vector<std::string> tags_added;
    std::vector<std::string> tags_removed;
};

/// What turns one catalog into another. Everything is sorted.
struct CatalogDiff {
    std::vector<std::string> added;
    std::vector<std::string> removed;
    std::vector<ResourceChange> changed;
    std::vector<std::string> edges_added;  // "Class[A] => File[/x]"
    std::vector<std::string> edges_removed;
    std::vector<std::string> classes_added;
    std::vector<std::string> classes_removed;
    bool empty() const;
};

/// Compares two catalog documents (Puppet's JSON). File and line of resources, versions and ids do not count.
/// Throws Error when one of them is not a catalog.
CatalogDiff compare_catalogs(const Json& before, const Json& after);

/// {"added", "removed", "changed": {reference: {"parameters": {name: [before, after]}, ...}}, ...}; sensitive
/// values are left out.
Json diff_to_json(const CatalogDiff& diff);
/// For people: one line a difference; texts of several lines as their changed lines, other long values as the
/// part where they begin to differ. Control characters are shown as \u001B. `color` marks what came, went and
/// changed.
std::string diff_to_text(const CatalogDiff& diff, bool color = false);

/// Which lines of a text changed: " " kept, "-" gone, "+" new, with `context` kept lines around changes and
/// "@@" between. A last line without an end is followed by a line that marks it. Texts of more than a few
/// thousand changed lines are shown as wholly replaced.
std::vector<std::string> line_diff(const std::string& before, const std::string& after,
                                   std::size_t context = 2);

}  // namespace volley
