#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace volley {

/// A tag, once for each text in a compilation, so that tags are compared by address.
struct Tag {
    std::string text;                // in lower case
    bool valid = true;               // conforms to the rule for tags
    std::vector<const Tag*> parts;   // of "a::b": a, b
};

/// The tags of one compilation.
class TagPool {
public:
    /// The tag of that text (any case), made when need be.
    const Tag& intern(std::string_view text);
    /// How many different ones there are.
    std::size_t size() const noexcept { return tags_.size(); }

private:
    std::unordered_map<std::string, std::unique_ptr<Tag>> tags_;  // by lower-case text
    std::unordered_map<std::string, const Tag*> seen_;            // by text as given
};

/// Tags in the order in which they came. Small: a resource has about ten.
class TagSet {
public:
    /// Adds a tag and, when it was not there, the parts of a qualified one.
    void add(const Tag& tag);
    void merge(const TagSet& other);
    bool contains(const Tag& tag) const;
    auto begin() const noexcept { return tags_.begin(); }
    auto end() const noexcept { return tags_.end(); }
    std::vector<std::string> texts() const;

private:
    bool insert(const Tag* tag);
    std::vector<const Tag*> tags_;
    std::unordered_map<const Tag*, bool> index_;  // only when there are many
};

}  // namespace volley
