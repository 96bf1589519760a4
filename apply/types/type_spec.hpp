#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace volley {

/// How a title sets the attributes that make a resource unique.
enum class TitleRule : std::uint8_t {
    Whole,                   // the title is the name
    WithoutTrailingSlashes,  // the title is a path
    NameAtType,              // "NAME@TYPE", or a name alone
};

enum class AttributeRole : std::uint8_t {
    Property,   // has a value on the target, which is managed
    Parameter,  // says how that is done
    Namevar,    // a parameter that makes the resource unique
};

struct AttributeSpec {
    std::string_view name;
    AttributeRole role = AttributeRole::Parameter;
    // For docs/resource-types.md, of what the agent does not have; else they stand in apply/agent/types.
    std::string_view values =
        {};  // a type of the Puppet language; the compiler does not check it (compatibility)
    std::string_view doc = {};
};

/// A resource type that is known without any module: what can be said of it without running it.
struct TypeSpec {
    std::string_view name;                  // "file"
    std::string_view doc = {};              // of a type that the agent does not have
    std::vector<AttributeSpec> attributes;  // properties in the order in which they are managed
    std::string_view module = {};           // that it comes with, and that wins when it is there; or empty
    std::string_view autorequires = {};     // in words
    bool refreshable = false;               // does something when it is notified
    TitleRule title = TitleRule::Whole;
    bool isomorphic = true;  // two resources must not have the same name

    /// Sorted.
    std::vector<std::string_view> namevars() const;
};

/// The resource types of registry.def.
const std::vector<const TypeSpec*>& core_types();
/// nullptr for a name (in lower case) that is none of them.
const TypeSpec* find_core_type(std::string_view name);

/// noop, schedule, audit, loglevel, alias, tag, require, subscribe, before, notify, stage.
bool is_metaparameter(std::string_view name);
/// before, require, notify, subscribe.
bool is_relationship_parameter(std::string_view name);
/// Puppet's order.
const std::vector<std::string_view>& metaparameters();

}  // namespace volley
