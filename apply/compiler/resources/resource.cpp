#include "apply/compiler/resources/resource.hpp"

#include <algorithm>

#include "apply/compiler/resources/references.hpp"
#include "language/text/characters_case.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "support/text.hpp"

namespace volley {

Location Origin::location() const {
    if (place_) return {place_->file, place_->line, 0};
    if (!node_) return {};
    return {node_->source->file(), node_->source->line(node_->span.begin), 0};
}

std::string_view Origin::file() const {
    return place_ ? std::string_view(place_->file) : node_ ? std::string_view(node_->source->file()) : "";
}

int Origin::line() const {
    return place_ ? place_->line : node_ ? node_->source->line(node_->span.begin) : 0;
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

const ResourceParameter* Resource::find(std::string_view name) const {
    const std::size_t place =
        parameter_index_.find(name, parameters.size(), [this](std::size_t i) { return parameters[i].name; });
    return place < parameters.size() ? &parameters[place] : nullptr;
}

ResourceParameter* Resource::find(std::string_view name) {
    return const_cast<ResourceParameter*>(std::as_const(*this).find(name));
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

std::vector<ResourceParameter> merged_parameters(std::vector<ResourceParameter> defaults,
                                                 std::vector<ResourceParameter> own) {
    if (defaults.empty()) return own;
    NameIndex names;
    for (ResourceParameter& one : own) {
        const std::size_t known =
            names.find(one.name, defaults.size(), [&defaults](std::size_t i) { return defaults[i].name; });
        if (known < defaults.size())
            defaults[known] = std::move(one);
        else
            defaults.push_back(std::move(one));
    }
    return defaults;
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
        throw EvalError(
            "", "No title provided and " + ruby_inspect(Value(text)) + " is not a valid resource reference");
    }
    const std::string title = text.substr(open + 1, text.size() - open - 2);
    return make_resource_key(std::string_view(text).substr(0, open), title);
}

std::vector<std::pair<std::string_view, Value>> resource_hash(const Resource& resource) {
    std::vector<std::pair<std::string_view, Value>> hash;
    const ResourceType* native = resource.bucket->native;
    hash.reserve(resource.parameters.size() + 1);
    if (native && !native->title_is_name(resource.title)) {
        for (auto& [name, text] : native->split_title(resource.title))
            hash.emplace_back(name, Value(std::move(text)));
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
