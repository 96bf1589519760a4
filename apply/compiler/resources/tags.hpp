#pragma once

#include <boost/container/small_vector.hpp>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "support/text_hash.hpp"

namespace volley {

/// A tag, once for each text in a compilation, so that tags are compared by address.
struct Tag {
    std::string text;               // in lower case
    bool valid = true;              // conforms to the rule for tags
    std::vector<const Tag*> parts;  // of "a::b": a, b
};

/// The tags of one compilation.
class TagPool {
public:
    /// The tag of that text (any case), made when need be.
    const Tag& intern(std::string_view text);
    /// How many different ones there are.
    std::size_t size() const noexcept { return all_.size(); }

private:
    const Tag& make(std::string_view name);
    std::deque<Tag> all_;
    std::unordered_map<std::string_view, const Tag*, TextHasher> tags_;  // by their own text, in lower case
    std::unordered_map<std::string, const Tag*> other_cases_;  // by text as given, where that is another one
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
    std::size_t size() const noexcept { return tags_.size(); }
    std::vector<std::string> texts() const;

private:
    bool insert(const Tag* tag);
    boost::container::small_vector<const Tag*, 8> tags_;
    std::unique_ptr<std::unordered_set<const Tag*>> index_;  // only when there are many
};

}  // namespace volley
