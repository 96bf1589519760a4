#include "apply/compiler/resources/attribute_index.hpp"

#include "apply/compiler/resources/resource.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

// Below these a look at every resource costs less than an index.
constexpr std::size_t attribute_index_resources = 32;
constexpr int attribute_index_questions = 3;

/// What equal values have in common, by the rules of ==: texts regardless of case, numbers by value.
std::string attribute_index_key(const Value& value) {
    if (value.is_string()) return lower(value.as_string());
    if (value.is(Kind::Boolean)) return value.as_boolean() ? std::string("\0t", 2) : std::string("\0f", 2);
    return std::string("\0n", 2) + std::to_string(value.as_float());  // two numbers may share a key
}

}  // namespace

bool AttributeIndex::covers(const Value& wanted) {
    return wanted.is_string() || wanted.is_number() || wanted.is(Kind::Boolean);
}

void AttributeIndex::find(const Value& wanted, std::vector<Resource*>& found) const {
    if (const auto known = by_value_.find(attribute_index_key(wanted)); known != by_value_.end())
        found.insert(found.end(), known->second.begin(), known->second.end());
    found.insert(found.end(), others_.begin(), others_.end());
}

void AttributeIndex::add(Resource& resource, const Value& value) {
    if (covers(value))
        by_value_[attribute_index_key(value)].push_back(&resource);
    else if (!value.is_undef())
        others_.push_back(&resource);
}

AttributeIndex* ResourceBucket::index_of(std::string_view attribute) {
    if (resources.size() < attribute_index_resources) return nullptr;
    AttributeIndex& index = indexes[attribute];
    if (++index.asked < attribute_index_questions) return nullptr;
    for (; index.resources_known < resources.size(); ++index.resources_known) {
        Resource& resource = *resources[index.resources_known];
        index.add(resource, resource.value(attribute));
    }
    return &index;
}

void ResourceBucket::changed(Resource& resource, std::string_view attribute) {
    const auto known = indexes.find(attribute);
    // One that the index has not seen yet will be added with the value that it has then.
    if (known != indexes.end() && resource.order < known->second.resources_known)
        known->second.add(resource, resource.value(attribute));
}

}  // namespace volley
