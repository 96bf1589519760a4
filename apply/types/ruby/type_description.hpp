#pragma once

#include <optional>
#include <string>
#include <vector>

namespace volley::ruby_source {

struct AttributeDescription {
    std::string name;
    bool property = false;  // else a parameter
    bool namevar = false;
};

struct TitlePatternDescription {
    std::string source = {};                   // of the regular expression
    unsigned options = 0;                      // Regexp::Option
    std::vector<std::string> attributes = {};  // one for each group
};

/// What the Ruby of a resource type says of it.
struct TypeDescription {
    std::string name;
    std::vector<AttributeDescription> attributes;  // in the order in which they are declared
    std::optional<std::vector<TitlePatternDescription>> title_patterns;  // nullopt: not declared
    bool isomorphic = true;
    bool has_providers = false;  // some provider is part of the file
    bool complete = true;        // false: there may be attributes that could not be found without running it
    bool patterns_known = true;  // false: title_patterns could not be worked out

    AttributeDescription* find(const std::string& attribute);
    const AttributeDescription* find(const std::string& attribute) const;
};

}  // namespace volley::ruby_source
