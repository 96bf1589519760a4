#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "apply/compiler/resources/resource.hpp"

namespace volley {

/// The resources of a catalog, in the order in which they were declared; each also under its names and
/// aliases, in the bucket of its type.
class ResourceTable {
public:
    /// Throws EvalError when the name, an alias, or what makes the resource unique is taken.
    void add(Resource& resource);
    /// By title, alias, or what makes it unique; nullptr when there is none.
    Resource* find(const ResourceBucket& type, std::string_view title) const;
    const std::vector<Resource*>& all() const noexcept { return all_; }

private:
    /// Who has the name `key`: this resource, unless it was taken.
    const Resource* claim(Resource& resource, std::string key);
    void add_aliases(Resource& resource);
    std::vector<Resource*> all_;
    std::deque<std::string> aliases_;  // what the tables of names point to
};

/// What is left of the names in a catalog that is complete: titles and the current values of "alias". Throws
/// EvalError when two resources have one name.
void check_explicit_aliases(const std::vector<Resource*>& resources);

}  // namespace volley
