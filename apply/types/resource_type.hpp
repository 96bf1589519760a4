#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "apply/types/type_spec.hpp"
#include "language/evaluator/environment.hpp"
#include "language/text/regexp.hpp"
#include "support/text_hash.hpp"

namespace volley {

/// Names of attributes; asked with views.
using AttributeSet = std::unordered_set<std::string, TextHasher, std::equal_to<>>;

/// A way to split a title into values of attributes.
struct TitlePattern {
    Ref<const Regexp> pattern;
    std::vector<std::string> attributes;  // one for each group of the pattern
};

/// What the compiler knows of a native resource type: described in the core, or read from a module's Ruby.
class ResourceType {
public:
    explicit ResourceType(const TypeSpec& spec);
    /// A type of which only the source is known. `attributes` is nullopt when they could not be found out;
    /// then every attribute is accepted.
    ResourceType(std::string name, std::optional<AttributeSet> attributes, std::vector<std::string> namevars,
                 std::vector<TitlePattern> patterns, bool isomorphic = true);

    const std::string& name() const noexcept { return name_; }  // "file"
    /// Metaparameters and "name" are attributes of every type.
    bool has_attribute(std::string_view attribute) const;
    /// Those that are known, sorted, for suggestions.
    std::vector<std::string> attribute_names() const;
    bool attributes_known() const noexcept { return attributes_.has_value(); }
    bool isomorphic() const noexcept { return isomorphic_; }
    /// What makes a resource unique, sorted; never empty.
    const std::vector<std::string>& namevars() const noexcept { return namevars_; }
    /// The attribute that "name" stands for: the namevar when there is one, else "name" itself.
    const std::string& namevar() const noexcept;
    /// True when this title is the value of the namevar as it is, so that nothing needs to be split.
    bool title_is_name(std::string_view title) const noexcept;
    /// The attributes that a title sets, in Puppet's order. Throws EvalError when no pattern fits.
    std::vector<std::pair<std::string_view, std::string>> split_title(const std::string& title) const;

private:
    std::string name_;
    std::optional<AttributeSet> attributes_;
    std::vector<std::string> namevars_;
    std::vector<TitlePattern> patterns_;
    bool isomorphic_ = true;
    bool strips_slashes_ = false;  // all that its pattern does is to take slashes off the end
};

/// The native resource types of one environment. Used by one thread at a time.
class ResourceTypes {
public:
    explicit ResourceTypes(LanguageHost& host) : host_(host) {}
    /// The type of that name (any case), or nullptr. Reads the modules' Ruby for a name that is not in the
    /// core.
    const ResourceType* find(std::string_view name);

private:
    LanguageHost& host_;
    std::unordered_map<std::string, std::shared_ptr<const ResourceType>> known_;  // null: looked for in vain
};

}  // namespace volley
