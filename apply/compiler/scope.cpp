#include "apply/compiler/scope.hpp"

#include <algorithm>

#include "language/errors.hpp"

namespace volley {

void Scope::see_matches_of(const Scope& around) {
    const Frame* frame = around.declaring_.get();
    if (!frame) return;
    while (frame && !frame->match) frame = frame->hides_outer_matches() ? nullptr : frame->parent().get();
    if (frame)
        frame_->match = frame->match;
    else
        frame_->hide_outer_matches();
}

const Scope& Scope::enclosing() const {
    const Scope* scope = this;
    while (!scope->is_top() && !scope->is_node()) scope = scope->parent_;
    return *scope;
}

const ResourceParameter* Scope::own_default(const ResourceBucket& type, std::string_view name) const {
    const auto list = defaults_.find(&type);
    if (list == defaults_.end()) return nullptr;
    for (const ResourceParameter& one : list->second) {
        if (one.name == name) return &one;
    }
    return nullptr;
}

void Scope::set_default(ResourceBucket& type, ResourceParameter parameter) {
    if (own_default(type, parameter.name)) {
        throw EvalError("",
                        "Default already defined for " + type.type + " { " + std::string(parameter.name) +
                            " }; cannot redefine",
                        parameter.at.location());
    }
    type.has_defaults = true;
    defaults_[&type].push_back(std::move(parameter));
}

std::vector<const ResourceParameter*> Scope::defaults(const ResourceBucket& type) const {
    std::vector<const ResourceParameter*> result;
    if (!type.has_defaults) return result;
    std::vector<const Scope*> chain;
    for (const Scope* scope = this; scope; scope = scope->parent_) {
        if (scope->defaults_.contains(&type)) chain.push_back(scope);
    }
    for (auto scope = chain.rbegin(); scope != chain.rend(); ++scope) {
        for (const ResourceParameter& one : (*scope)->defaults_.find(&type)->second) {
            const auto known =
                std::find_if(result.begin(), result.end(),
                             [&one](const ResourceParameter* other) { return other->name == one.name; });
            if (known != result.end())
                *known = &one;
            else
                result.push_back(&one);
        }
    }
    return result;
}

bool Scope::is_default(const ResourceBucket& type, std::string_view name, const Value& value) const {
    if (!type.has_defaults) return false;
    for (const Scope* scope = this; scope; scope = scope->parent_) {
        const ResourceParameter* own = scope->own_default(type, name);
        if (own && own->value == value) return true;
    }
    return false;
}

}  // namespace volley
