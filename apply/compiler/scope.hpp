#pragma once

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "apply/compiler/resources/resource.hpp"
#include "language/evaluator/frame.hpp"

namespace volley {

/// What code of main, a class, a defined type or a node runs in, besides its variables: the resource that it
/// belongs to, and the defaults that it sets. Spec "Resource defaults": they are looked up through the scopes
/// in which the code was *declared*, which is the one place where scoping is dynamic.
class Scope final : public FrameOwner {
public:
    Scope(Scope* parent, FramePtr frame, Resource* resource, const Definition* source)
        : parent_(parent), frame_(std::move(frame)), resource_(resource), source_(source) {
        frame_->owner = this;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    Scope* parent() const noexcept { return parent_; }
    const FramePtr& frame() const noexcept { return frame_; }
    Resource* resource() const noexcept { return resource_; }
    const Definition* source() const noexcept { return source_; }
    /// For main, whose scope is there before its resource.
    void set_resource(Resource* resource) noexcept { resource_ = resource; }
    bool is_top() const noexcept { return parent_ == nullptr; }
    bool is_node() const noexcept { return source_ && source_->kind == Definition::Kind::Node; }
    /// While defaults of parameters are evaluated: the parameters so far, which others see as this class's
    /// variables.
    const FramePtr& parameters_so_far() const noexcept { return parameters_so_far_; }
    void set_parameters_so_far(FramePtr frame) { parameters_so_far_ = std::move(frame); }
    /// While one lives, code of this scope in `frame` (its own, that of a lambda or function) declares
    /// something.
    class Declaring {
    public:
        Declaring(Scope& scope, FramePtr frame)
            : scope_(scope), before_(std::exchange(scope.declaring_, std::move(frame))) {}
        ~Declaring() { scope_.declaring_ = std::move(before_); }
        Declaring(const Declaring&) = delete;
        Declaring& operator=(const Declaring&) = delete;

    private:
        Scope& scope_;
        FramePtr before_;
    };
    /// Compatibility: a class that is declared sees what matched last in the scope around it, wherever there
    /// that was: in the function, say, that includes it.
    void see_matches_of(const Scope& around);
    /// The nearest scope around that is the top scope or a node's.
    const Scope& enclosing() const;

    /// Throws EvalError when there is one already.
    void set_default(ResourceBucket& type, ResourceParameter parameter);
    /// The defaults for a type: those of outer scopes first, each replaced by an inner one of the same name.
    std::vector<const ResourceParameter*> defaults(const ResourceBucket& type) const;
    /// Whether a default here or in an outer scope has this very value.
    bool is_default(const ResourceBucket& type, std::string_view name, const Value& value) const;

private:
    const ResourceParameter* own_default(const ResourceBucket& type, std::string_view name) const;

    Scope* parent_;
    FramePtr frame_;
    FramePtr parameters_so_far_;
    FramePtr declaring_;
    Resource* resource_;
    const Definition* source_;
    std::unordered_map<const ResourceBucket*, std::vector<ResourceParameter>> defaults_;
};

}  // namespace volley
