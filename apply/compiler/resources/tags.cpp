#include "apply/compiler/resources/tags.hpp"

#include <algorithm>

#include "language/text/characters_case.hpp"
#include "language/text/regexp.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

constexpr std::size_t tags_for_index = 48;

bool tag_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_valid_tag(std::string_view text) {
    if (text.empty()) return false;
    if (is_ascii(text)) {
        return tag_character(text[0]) && std::all_of(text.begin() + 1, text.end(), [](char c) {
                   return tag_character(c) || c == ':' || c == '.' || c == '-';
               });
    }
    static const Ref<const Regexp> rule = Regexp::compile("\\A[[:alnum:]_][[:alnum:]_:.-]*\\z");
    return rule->matches(text);
}

}  // namespace

const Tag& TagPool::make(std::string_view name) {
    Tag& tag = all_.emplace_back();
    tag.text = name;
    tag.valid = is_valid_tag(tag.text);
    tags_.emplace(tag.text, &tag);
    if (!tag.valid || tag.text.find("::") == std::string::npos) return tag;
    for (std::size_t begin = 0; begin <= tag.text.size();) {
        std::size_t end = tag.text.find("::", begin);
        if (end == std::string::npos) end = tag.text.size();
        if (end > begin) tag.parts.push_back(&intern(std::string_view(tag.text).substr(begin, end - begin)));
        begin = end + 2;
    }
    return tag;
}

const Tag& TagPool::intern(std::string_view text) {
    if (const auto known = tags_.find(text); known != tags_.end()) return *known->second;
    const bool same = std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x80 && !(c >= 'A' && c <= 'Z');
    });
    if (same) return make(text);
    std::string key(text);
    if (const auto known = other_cases_.find(key); known != other_cases_.end()) return *known->second;
    const std::string name = to_lower(key);
    const auto known = tags_.find(name);
    const Tag& tag = known == tags_.end() ? make(name) : *known->second;
    other_cases_.emplace(std::move(key), &tag);
    return tag;
}

bool TagSet::insert(const Tag* tag) {
    if (index_ ? !index_->insert(tag).second : std::find(tags_.begin(), tags_.end(), tag) != tags_.end())
        return false;
    tags_.push_back(tag);
    if (!index_ && tags_.size() > tags_for_index)
        index_ = std::make_unique<std::unordered_set<const Tag*>>(tags_.begin(), tags_.end());
    return true;
}

void TagSet::add(const Tag& tag) {
    if (!insert(&tag)) return;
    for (const Tag* part : tag.parts) insert(part);
}

void TagSet::merge(const TagSet& other) {
    if (&other == this) return;
    for (const Tag* tag : other.tags_) insert(tag);
}

bool TagSet::contains(const Tag& tag) const {
    return index_ ? index_->contains(&tag) : std::find(tags_.begin(), tags_.end(), &tag) != tags_.end();
}

std::vector<std::string> TagSet::texts() const {
    std::vector<std::string> result;
    result.reserve(tags_.size());
    for (const Tag* tag : tags_) result.push_back(tag->text);
    return result;
}

}  // namespace volley
