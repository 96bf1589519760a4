#pragma once

#include <string_view>
#include <vector>

namespace volley {

/// How a title gives values to the attributes that make a resource unique.
enum class TitleRule {
    Whole,                   // the title is the name
    WithoutTrailingSlashes,  // the title is a path
    NameAtType,              // the title may be "name@type"
};

/// A resource type that every environment knows: what can be said of it without running it.
struct TypeSpec {
    std::string_view name;                     // "file"
    std::vector<std::string_view> properties = {};  // what is managed, in the order in which it is
    std::vector<std::string_view> parameters = {};  // how it is managed
    std::vector<std::string_view> namevars = {};    // attributes that make it unique, sorted
    TitleRule title = TitleRule::Whole;
    bool isomorphic = true;  // two resources must not have the same name
};

/// The resource types of registry.def that Puppet itself has, and those of the modules that come with its agent.
const std::vector<const TypeSpec*>& core_types();
const std::vector<const TypeSpec*>& vendored_types();
/// nullptr for a name (in lower case) that is none of them.
const TypeSpec* find_core_type(std::string_view name);
const TypeSpec* find_vendored_type(std::string_view name);

/// noop, schedule, audit, loglevel, alias, tag, require, subscribe, before, notify, stage.
bool is_metaparameter(std::string_view name);
/// before, require, notify, subscribe.
bool is_relationship_parameter(std::string_view name);
/// Puppet's order.
const std::vector<std::string_view>& metaparameters();

}  // namespace volley
