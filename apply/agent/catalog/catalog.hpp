#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "apply/agent/catalog/resource.hpp"

namespace volley::agent {

/// What a machine shall be. Owns all resources of a run, in the order in which they count: that of the
/// document, with what is generated next to its origin.
class Catalog {
public:
    std::string name;
    std::string version;
    std::string environment;
    std::string catalog_uuid, code_id;
    /// What the controller says of types of modules that the agent applies, by name.
    std::map<std::string, std::shared_ptr<const ModuleType>, std::less<>> module_types;
    /// Further types that only the controller knows.
    std::set<std::string, std::less<>> other_types;

    using List = std::vector<std::unique_ptr<Resource>>;
    const List& resources() const noexcept { return resources_; }

    Resource& add(std::unique_ptr<Resource> resource);
    /// Beside another one.
    Resource& add_after(const Resource& place, std::unique_ptr<Resource> resource);
    Resource& add_before(const Resource& place, std::unique_ptr<Resource> resource);
    /// A further name: an alias, or what the namevar says.
    void add_alias(std::string reference, Resource& resource);

    /// By "File[/etc/x]", an alias, or the path in another spelling; nullptr when there is none.
    Resource* find(std::string_view reference) const;
    Resource* find(std::string_view type, std::string_view title) const;

    /// What a container holds, in order.
    const std::vector<Resource*>& contents(const Resource& container) const;
    void contain(Resource& container, Resource& content);

private:
    Resource& enter(std::size_t position, std::unique_ptr<Resource> resource);

    List resources_;
    std::unordered_map<std::string, Resource*> by_reference_;
    std::unordered_map<const Resource*, std::vector<Resource*>> contents_;
};

/// Reads Puppet's catalog document (format 2, rich data). Throws ApplyError naming what is wrong: no catalog,
/// a resource of a wrong form, or a Deferred value, which only the controller can resolve.
Catalog read_catalog(std::string_view document);

/// "File[/etc/x]" of "File[/etc//x/]": the type with capitals, the path without what does not count.
std::string plain_reference(std::string reference);

}  // namespace volley::agent
