#include "apply/compiler/tags.hpp"

#include <algorithm>

#include "language/characters_case.hpp"
#include "language/regexp.hpp"

namespace volley {
namespace {

constexpr std::size_t tags_for_index = 48;

bool tag_is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool tag_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_valid_tag(std::string_view text) {
    if (text.empty()) return false;
    if (tag_is_ascii(text)) {
        return tag_character(text[0]) && std::all_of(text.begin() + 1, text.end(), [](char c) {
                   return tag_character(c) || c == ':' || c == '.' || c == '-';
               });
    }
    static const Ref<const Regexp> rule = Regexp::compile("\\A[[:alnum:]_][[:alnum:]_:.-]*\\z");
    return rule->matches(text);
}

}  // namespace

const Tag& TagPool::intern(std::string_view text) {
    std::string key(text);
    if (const auto known = seen_.find(key); known != seen_.end()) return *known->second;
    std::string name = to_lower(key);
    std::unique_ptr<Tag>& entry = tags_[name];
    if (!entry) {
        entry = std::make_unique<Tag>();
        entry->text = name;
        entry->valid = is_valid_tag(name);
        Tag& tag = *entry;  // interning the parts may move the entry
        if (tag.valid && name.find("::") != std::string::npos) {
            for (std::size_t begin = 0; begin <= name.size();) {
                std::size_t end = name.find("::", begin);
                if (end == std::string::npos) end = name.size();
                if (end > begin) tag.parts.push_back(&intern(std::string_view(name).substr(begin, end - begin)));
                begin = end + 2;
            }
        }
        return *(seen_[std::move(key)] = &tag);
    }
    return *(seen_[std::move(key)] = entry.get());
}

bool TagSet::insert(const Tag* tag) {
    if (!index_.empty()) {
        if (!index_.emplace(tag, true).second) return false;
    } else if (std::find(tags_.begin(), tags_.end(), tag) != tags_.end()) {
        return false;
    }
    tags_.push_back(tag);
    if (index_.empty() && tags_.size() > tags_for_index) {
        for (const Tag* known : tags_) index_.emplace(known, true);
    }
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
    return index_.empty() ? std::find(tags_.begin(), tags_.end(), &tag) != tags_.end() : index_.contains(&tag);
}

std::vector<std::string> TagSet::texts() const {
    std::vector<std::string> result;
    result.reserve(tags_.size());
    for (const Tag* tag : tags_) result.push_back(tag->text);
    return result;
}

}  // namespace volley
