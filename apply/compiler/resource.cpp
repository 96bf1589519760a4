#include "apply/compiler/resource.hpp"

#include <algorithm>

#include "apply/compiler/references.hpp"
#include "language/characters_case.hpp"
#include "language/ruby_text.hpp"
#include "language/text.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

std::string table_key(const std::string& type, std::string_view title) {
    std::string key;
    key.reserve(type.size() + title.size() + 1);
    key += type;
    key += '\0';
    key += title;
    return key;
}

/// What makes a resource unique besides its title: the values of its namevars.
struct UniquenessKey {
    std::string key;    // for the table
    std::string shown;  // as Ruby inspects the list
    bool any = false;   // one of the values is set
};

UniquenessKey uniqueness_key(const Resource& resource) {
    const auto hash = resource_hash(resource);
    const auto find = [&hash](std::string_view name) -> const Value* {
        for (const auto& [known, value] : hash) {
            if (known == name && !value.is_undef()) return &value;
        }
        return nullptr;
    };
    static const std::vector<std::string> by_name{"name"};
    const ResourceType* native = resource.bucket->native;
    const auto& namevars = native ? native->namevars() : by_name;
    const std::string& namevar = native ? native->namevar() : by_name.front();
    UniquenessKey result;
    for (const std::string& attribute : namevars) {
        const Value* value = find(attribute);
        if (!value && (attribute == namevar || attribute == "name")) value = find("name");
        if (!value && attribute == "name") value = find(namevar);
        const std::string part = value ? to_text(*value) : "";
        if (namevars.size() > 1) result.key += std::string("\1") + (value ? "" : "\2");
        if (value && !value->is_string()) result.key += "\3";
        result.key += part;
        result.shown += (result.shown.empty() ? "" : ", ") + (value ? ruby_inspect(*value) : "nil");
        result.any = result.any || value;
    }
    return result;
}

}  // namespace

Location Origin::location() const {
    if (place_) return {place_->file, place_->line, 0};
    if (!node_) return {};
    return {node_->source->file(), node_->source->line(node_->span.begin), 0};
}

std::string Origin::text() const {
    const Location at = location();
    if (at.line == 0) return at.file.empty() ? "" : "(file: " + at.file + ")";
    if (at.file.empty()) return "(line: " + std::to_string(at.line) + ")";
    return "(file: " + at.file + ", line: " + std::to_string(at.line) + ")";
}

std::string Origin::suffix() const {
    const std::string place = text();
    return place.empty() ? place : " " + place;
}

ResourceTitle::ResourceTitle(const Value& title) {
    if (title.is_string()) {
        text = title.as_string();
    } else {
        text = ruby_to_s(title);
        value = title;
    }
}

ResourceParameter* Resource::find(std::string_view name) {
    for (ResourceParameter& one : parameters) {
        if (one.name == name) return &one;
    }
    return nullptr;
}

const ResourceParameter* Resource::find(std::string_view name) const {
    for (const ResourceParameter& one : parameters) {
        if (one.name == name) return &one;
    }
    return nullptr;
}

Value Resource::value(std::string_view name) const {
    if (name == "title") return title_as_given();
    const ResourceParameter* found = find(name);
    return found ? found->value : Value();
}

bool Resource::has_attribute(std::string_view name) const {
    if (bucket->native) return bucket->native->has_attribute(name);
    return name == "name" || is_metaparameter(name) || (definition && definition->has_parameter(name));
}

ResourceKey make_resource_key(std::string_view type, std::string_view title) {
    if (type.starts_with("::")) type.remove_prefix(2);
    ResourceKey key{capitalize_segments(lower(type)), std::string(title)};
    if (key.type == "Class") {
        if (title.starts_with("::")) title.remove_prefix(2);
        key.title = capitalize_segments(title);
    }
    return key;
}

ResourceKey parse_resource_key(const std::string& text) {
    const std::size_t open = text.find('[');
    const bool fits = open != std::string::npos && open > 0 && text.size() > open + 2 && text.back() == ']' &&
                      text.find(']') > open;
    if (!fits) {
        throw EvalError("", "No title provided and " + ruby_inspect(Value(text)) +
                                " is not a valid resource reference");
    }
    const std::string title = text.substr(open + 1, text.size() - open - 2);
    return make_resource_key(std::string_view(text).substr(0, open), title);
}

void ResourceTable::add(Resource& resource) {
    const auto [place, added] = table_.emplace(table_key(resource.bucket->type, resource.title), &resource);
    if (!added) {
        const std::string where = place->second->at.text();
        throw EvalError("", "Duplicate declaration: " + resource.reference() + " is already declared" +
                                (where.empty() ? "" : " at " + where) + "; cannot redeclare" +
                                resource.at.suffix());
    }
    all_.push_back(&resource);
    add_aliases(resource);
}

void ResourceTable::alias(Resource& resource, const std::string& key, const std::string& shown,
                          const std::string& shown_ref) {
    const auto [place, added] = table_.emplace(table_key(resource.bucket->type, key), &resource);
    if (added || place->second == &resource) return;
    const std::string where = resource.at.text();
    throw EvalError("", "Cannot alias " + resource.reference() + " to " + shown +
                            (where.empty() ? "" : " at " + where) + "; resource " + shown_ref +
                            " already declared" + place->second->at.suffix());
}

void ResourceTable::add_aliases(Resource& resource) {
    const auto shown_type = [&resource] { return ruby_inspect(Value(resource.bucket->type)); };
    if (const ResourceParameter* aliases = resource.find("alias")) {
        for (const Value& one : flat_values(aliases->value)) {
            const std::string shown = ruby_inspect(one);
            alias(resource, to_text(one), shown, "[" + shown_type() + ", " + shown + "]");
        }
    }
    const ResourceType* native = resource.bucket->native;
    if (native && !native->isomorphic()) return;
    // Most resources are unique by their titles: no namevar is given, and the title is the name.
    const bool plain = !native || native->plain_title();
    if (plain && !resource.find("name") && !(native && resource.find(native->namevar()))) return;
    const UniquenessKey unique = uniqueness_key(resource);
    if (!unique.any || unique.key == resource.title) return;
    alias(resource, unique.key, "[" + unique.shown + "]", "[" + shown_type() + ", " + unique.shown + "]");
}

Resource* ResourceTable::find(const std::string& type, const std::string& title, ResourceBucket* bucket) const {
    const auto found = table_.find(table_key(type, title));
    if (found != table_.end()) return found->second;
    if (!bucket || !bucket->native || bucket->native->plain_title()) return nullptr;
    Resource wanted;
    wanted.bucket = bucket;
    wanted.title = title;
    const auto unique = table_.find(table_key(type, uniqueness_key(wanted).key));
    return unique == table_.end() ? nullptr : unique->second;
}

std::vector<std::pair<std::string_view, Value>> resource_hash(const Resource& resource) {
    std::vector<std::pair<std::string_view, Value>> hash;
    const ResourceType* native = resource.bucket->native;
    if (native && !native->plain_title()) {
        for (auto& [name, text] : native->split_title(resource.title)) hash.emplace_back(name, Value(std::move(text)));
    } else {
        hash.emplace_back(native ? std::string_view(native->namevar()) : std::string_view("name"),
                          Value(resource.title));
    }
    const std::size_t from_title = hash.size();
    for (const ResourceParameter& one : resource.parameters) {
        if (one.value.is_undef()) continue;
        Value value = one.value;
        if (value.is_array() && is_relationship_parameter(one.name)) value = Value(flat_values(value));
        const auto end = hash.begin() + static_cast<std::ptrdiff_t>(from_title);
        const auto known =
            std::find_if(hash.begin(), end, [&one](const auto& entry) { return entry.first == one.name; });
        if (known != end)
            known->second = std::move(value);
        else
            hash.emplace_back(one.name, std::move(value));
    }
    return hash;
}

}  // namespace volley
