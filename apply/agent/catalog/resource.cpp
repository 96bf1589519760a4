#include "apply/agent/catalog/resource.hpp"

#include <algorithm>

#include "apply/agent/types/instance.hpp"
#include "support/text.hpp"

namespace volley::agent {

Resource::Resource() = default;
Resource::~Resource() = default;

std::string Resource::reference() const {
    if (role == Role::Whit) return title;
    return type + "[" + title + "]";
}

std::vector<std::string> Resource::containment() const {
    std::vector<std::string> names;
    for (const Resource* at = this; at != nullptr; at = at->container)
        names.push_back(at->type == "Class" && at != this ? at->title : at->reference());
    std::reverse(names.begin(), names.end());
    return names;
}

std::string Resource::path() const {
    if (role == Role::Whit) return title;
    std::string path;
    for (const std::string& name : containment()) path += "/" + name;
    return path;
}

const Value* Resource::find(std::string_view name) const {
    for (const auto& [own, value] : parameters) {
        if (own == name) return value.is_undef() ? nullptr : &value;
    }
    return nullptr;
}

void Resource::set(std::string_view name, Value value) {
    for (auto& [own, old] : parameters) {
        if (own == name) {
            old = std::move(value);
            return;
        }
    }
    parameters.emplace_back(name, std::move(value));
}

void Resource::erase(std::string_view name) {
    std::erase_if(parameters, [&](const auto& entry) { return entry.first == name; });
}

std::string Resource::text(std::string_view name, std::string_view fallback) const {
    const Value* value = find(name);
    if (value == nullptr) return std::string(fallback);
    if (value->is(Value::Kind::Array))
        return value->items().empty() ? std::string() : value->items()[0].to_text();
    return value->to_text();
}

namespace {

void collect_texts(const Value& value, std::vector<std::string>& list) {
    if (value.is(Value::Kind::Array)) {
        for (const Value& item : value.items()) collect_texts(item, list);
    } else if (!value.is_undef()) {
        list.push_back(value.to_text());
    }
}

bool is_tag_character(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte >= '0' && byte <= '9') || ((byte | 32) >= 'a' && (byte | 32) <= 'z') ||
           byte == '_';
}

}  // namespace

std::vector<std::string> Resource::texts(std::string_view name) const {
    std::vector<std::string> list;
    if (const Value* value = find(name)) collect_texts(*value, list);
    return list;
}

bool Resource::has_tag(std::string_view tag) const {
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

void Resource::add_tag(std::string_view tag) {
    const Word word(lower(tag));
    if (std::find(tags.begin(), tags.end(), word) == tags.end()) tags.push_back(word);
}

bool is_tag(std::string_view word) {
    if (word.empty() || !is_tag_character(word[0])) return false;
    return std::all_of(word.begin(), word.end(),
                       [](char c) { return is_tag_character(c) || c == ':' || c == '.' || c == '-'; });
}

}  // namespace volley::agent
