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
    by_reference_.emplace(plain_reference(std::move(reference)), &resource);
}

Resource* Catalog::find(std::string_view reference) const {
    const auto found = by_reference_.find(plain_reference(std::string(reference)));
    return found == by_reference_.end() ? nullptr : found->second;
}

Resource* Catalog::find(std::string_view type, std::string_view title) const {
    std::string reference;
    reference.reserve(type.size() + title.size() + 2);
    reference.append(type).append(1, '[').append(title).append(1, ']');
    const auto found = by_reference_.find(plain_reference(std::move(reference)));
    return found == by_reference_.end() ? nullptr : found->second;
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

std::string plain_reference(std::string plain) {
    const std::size_t bracket = plain.find('[');
    if (bracket == std::string::npos || !plain.ends_with(']')) return plain;
    // In place: a catalog of thousands of resources asks for a reference some ten times each.
    const auto capitalize = [&plain](std::size_t begin, std::size_t end) {
        bool first = true;
        for (std::size_t at = begin; at < end; ++at) {
            char& c = plain[at];
            if (first && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
            first = c == ':';
        }
    };
    capitalize(0, bracket);
    const std::string_view type(plain.data(), bracket);
    if (type == "Class") {
        capitalize(bracket + 1, plain.size() - 1);
    } else if (type == "File" && plain.size() > bracket + 3 && plain[bracket + 1] == '/') {
        if (const std::size_t twice = plain.find("//", bracket); twice != std::string::npos) {
            const auto end = std::unique(plain.begin() + static_cast<std::ptrdiff_t>(twice), plain.end() - 1,
                                         [](char one, char next) { return one == '/' && next == '/'; });
            plain.erase(end, plain.end() - 1);
        }
        if (plain.size() > bracket + 3 && plain[plain.size() - 2] == '/') plain.erase(plain.size() - 2, 1);
    }
    return plain;
}

}  // namespace volley::agent
