#include "apply/types/resource_type.hpp"

#include <algorithm>

#include "apply/types/module_type.hpp"
#include "language/errors.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

AttributeSet spec_attributes(const TypeSpec& spec) {
    AttributeSet names;
    for (const AttributeSpec& one : spec.attributes) names.emplace(one.name);
    return names;
}

std::vector<TitlePattern> spec_patterns(const TypeSpec& spec) {
    switch (spec.title) {
        case TitleRule::Whole:
            return {};
        case TitleRule::WithoutTrailingSlashes:
            return {{Regexp::compile("^(/|.+:/|.*[^/])/*\\Z", Regexp::MultiLine),
                     {std::string(spec.namevars().front())}}};
        case TitleRule::NameAtType:
            return {{Regexp::compile("^(.*?)@(.*)$"), {"name", "type"}},
                    {Regexp::compile("^([^@]+)$"), {"name"}}};
    }
    return {};
}

std::vector<std::string> spec_namevars(const TypeSpec& spec) {
    const auto names = spec.namevars();
    return {names.begin(), names.end()};
}

}  // namespace

ResourceType::ResourceType(const TypeSpec& spec)
    : name_(spec.name),
      attributes_(spec_attributes(spec)),
      namevars_(spec_namevars(spec)),
      patterns_(spec_patterns(spec)),
      isomorphic_(spec.isomorphic),
      strips_slashes_(spec.title == TitleRule::WithoutTrailingSlashes) {}

ResourceType::ResourceType(std::string name, std::optional<AttributeSet> attributes,
                           std::vector<std::string> namevars, std::vector<TitlePattern> patterns,
                           bool isomorphic)
    : name_(std::move(name)),
      attributes_(std::move(attributes)),
      namevars_(std::move(namevars)),
      patterns_(std::move(patterns)),
      isomorphic_(isomorphic) {
    if (namevars_.empty()) namevars_.emplace_back("name");
    std::sort(namevars_.begin(), namevars_.end());
}

bool ResourceType::has_attribute(std::string_view attribute) const {
    if (!attributes_ || attribute == "name" || is_metaparameter(attribute)) return true;
    return attributes_->contains(attribute);
}

std::vector<std::string> ResourceType::attribute_names() const {
    std::vector<std::string> names(metaparameters().begin(), metaparameters().end());
    if (attributes_) names.insert(names.end(), attributes_->begin(), attributes_->end());
    std::sort(names.begin(), names.end());
    return names;
}

bool ResourceType::title_is_name(std::string_view title) const noexcept {
    if (namevars_.size() != 1) return false;
    if (patterns_.empty()) return true;
    // Its pattern knows lines, and nothing can be said of bytes that are not text.
    const auto ordinary = [](char c) { return static_cast<unsigned char>(c) < 0x80 && c != '\n'; };
    return strips_slashes_ && !title.empty() && title.back() != '/' &&
           std::all_of(title.begin(), title.end(), ordinary);
}

const std::string& ResourceType::namevar() const noexcept {
    static const std::string name = "name";
    return namevars_.size() == 1 ? namevars_.front() : name;
}

std::vector<std::pair<std::string_view, std::string>> ResourceType::split_title(
    const std::string& title) const {
    // Several namevars without patterns: the title is "name" (package), which every such type has.
    if (patterns_.empty()) return {{namevar(), title}};
    for (const TitlePattern& one : patterns_) {
        const auto match = one.pattern->search(title);
        if (!match) continue;
        std::vector<std::pair<std::string_view, std::string>> result;
        for (std::size_t i = 0; i < one.attributes.size() && i + 1 < match->groups.size(); ++i) {
            if (match->groups[i + 1].begin >= 0)
                result.emplace_back(one.attributes[i], std::string(match->group(title, i + 1)));
        }
        return result;
    }
    throw EvalError("", "No set of title patterns matched the title \"" + title + "\".");
}

const ResourceType* ResourceTypes::find(std::string_view name) {
    const std::string key = lower(name);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second.get();
    std::shared_ptr<const ResourceType> type;
    const TypeSpec* spec = find_core_type(key);
    // A module's own type is newer than what is known here of it.
    const auto source = spec && spec->module.empty() ? std::nullopt : host_.resource_type_source(key);
    if (source) {
        type = module_resource_type(key, *source, host_);
        if (!type->attributes_known()) {
            host_.log({Severity::Warning,
                       "The attributes of the resource type '" + key + "' cannot be read from " +
                           source->path + "; they are not checked",
                       "",
                       {}});
        }
    } else if (spec) {
        type = std::make_shared<const ResourceType>(*spec);
    }
    return known_.emplace(key, std::move(type)).first->second.get();
}

}  // namespace volley
