#include "apply/agent/catalog/catalog.hpp"

#include <algorithm>

#include "apply/agent/types/instance.hpp"
#include "support/text.hpp"

namespace volley::agent {

Resource& Catalog::enter(std::size_t position, std::unique_ptr<Resource> resource) {
    Resource& entered = *resource;
    by_reference_.emplace(plain_reference(entered.reference()), &entered);
    resources_.insert(resources_.begin() + static_cast<std::ptrdiff_t>(position), std::move(resource));
    return entered;
}

Resource& Catalog::add(std::unique_ptr<Resource> resource) {
    return enter(resources_.size(), std::move(resource));
}

Resource& Catalog::add_after(const Resource& place, std::unique_ptr<Resource> resource) {
    const auto found = std::find_if(resources_.begin(), resources_.end(),
                                    [&](const auto& one) { return one.get() == &place; });
    const auto position = static_cast<std::size_t>(found - resources_.begin());
    return enter(std::min(position + 1, resources_.size()), std::move(resource));
}

Resource& Catalog::add_before(const Resource& place, std::unique_ptr<Resource> resource) {
    const auto found = std::find_if(resources_.begin(), resources_.end(),
                                    [&](const auto& one) { return one.get() == &place; });
    return enter(static_cast<std::size_t>(found - resources_.begin()), std::move(resource));
}

void Catalog::add_alias(std::string reference, Resource& resource) {
    by_reference_.emplace(plain_reference(reference), &resource);
}

Resource* Catalog::find(std::string_view reference) const {
    const auto found = by_reference_.find(plain_reference(reference));
    return found == by_reference_.end() ? nullptr : found->second;
}

Resource* Catalog::find(std::string_view type, std::string_view title) const {
    return find(std::string(type) + "[" + std::string(title) + "]");
}

const std::vector<Resource*>& Catalog::contents(const Resource& container) const {
    static const std::vector<Resource*> none;
    const auto found = contents_.find(&container);
    return found == contents_.end() ? none : found->second;
}

void Catalog::contain(Resource& container, Resource& content) {
    auto& contents = contents_[&container];
    if (content.container != nullptr &&
        std::find(contents.begin(), contents.end(), &content) != contents.end())
        return;
    contents.push_back(&content);
    if (content.container == nullptr) content.container = &container;
}

std::string plain_reference(std::string_view reference) {
    const std::size_t bracket = reference.find('[');
    if (bracket == std::string_view::npos || !reference.ends_with(']')) return std::string(reference);
    std::string type;
    bool first = true;
    for (const char c : reference.substr(0, bracket)) {
        type += first && c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
        first = c == ':';
    }
    std::string_view title = reference.substr(bracket + 1, reference.size() - bracket - 2);
    if (type == "File" && title.size() > 1 && title[0] == '/') {
        std::string path;
        for (const char c : title) {
            if (c != '/' || path.empty() || path.back() != '/') path += c;
        }
        if (path.size() > 1 && path.back() == '/') path.pop_back();
        return type + "[" + path + "]";
    }
    if (type == "Class") {
        std::string name;
        bool start = true;
        for (const char c : title) {
            name += start && c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
            start = c == ':';
        }
        return type + "[" + name + "]";
    }
    return type + "[" + std::string(title) + "]";
}

}  // namespace volley::agent
