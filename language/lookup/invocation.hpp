#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/evaluator/frame.hpp"
#include "language/lookup/explain.hpp"
#include "language/value.hpp"

namespace volley {
class Evaluator;
}

namespace volley::lookup {

class Adapter;
class MergeStrategy;

/// One variable that was interpolated into hiera.yaml, with what it was: when it changes, the hierarchy is
/// worked out again.
struct Interpolated {
    std::string key;
    std::string root;
    std::vector<Value> segments;
    Value value;
};

/// One lookup on its way: who asks, in which scope, with which values that go before the data, what is being
/// looked up around it, and where its explanation goes. A lookup that starts inside of another is its child.
class Invocation {
public:
    Invocation(Adapter& adapter, Evaluator& evaluator, FramePtr scope, Value overrides = {},
               Value defaults = {}, Explainer* explainer = nullptr);
    Invocation(const Invocation&) = delete;
    Invocation& operator=(const Invocation&) = delete;

    Adapter& adapter;
    Evaluator& evaluator;
    FramePtr scope;
    const Value overrides;  // a hash, or undef
    const Value defaults;   // a hash, or undef
    std::string top_key;
    std::string module_name;  // whose data may be asked; empty: none

    /// Set by the hiera_* functions and by version 3 of hiera.yaml.
    bool hiera_call = false;
    bool hiera_merge = false;
    bool global_only = false;
    std::vector<std::string> hiera_levels;
    /// The variables of version 3: '' is nothing, and %{calling_module} and its like exist.
    bool hiera_scope = false;
    /// The places of data are worked out: an unknown variable is "" there, and a warning.
    bool lenient = false;
    /// Where variables that are interpolated are noted; null: nobody wants to know.
    std::vector<Interpolated>* interpolated = nullptr;

    /// Throws LookupError when `name` is being looked up already; else notes that it is, until the end of
    /// the guard's life.
    class NameGuard {
    public:
        NameGuard(Invocation& invocation, std::string name);
        ~NameGuard();
        NameGuard(const NameGuard&) = delete;
        NameGuard& operator=(const NameGuard&) = delete;

    private:
        Invocation& invocation_;
    };
    /// A branch of the explanation, for as long as it lives.
    class Branch {
    public:
        explicit Branch(Explainer* explainer) : explainer_(explainer) {}
        ~Branch() {
            if (explainer_) explainer_->pop();
        }
        Branch(const Branch&) = delete;
        Branch& operator=(const Branch&) = delete;

    private:
        Explainer* explainer_;
    };
    [[nodiscard]] Branch explain(Explanation about, const std::string& name = {});
    [[nodiscard]] Branch explain(Explanation about, Explainer::Subject subject);
    [[nodiscard]] Branch explain_merge(const MergeStrategy& strategy);
    [[nodiscard]] Branch explain_sub_key(const std::vector<Value>& segments);

    void report_found(const std::string& key, const Value& value, std::string_view event = "found");
    void report_not_found(const std::string& key);
    void report_location_not_found();
    void report_result(const Value& value);
    void report_merge_source(const std::string& source);
    /// `event`: "module_not_found" or "module_provider_not_found".
    void report_module(const std::string& module, const char* event);
    void report_text(const std::string& text);
    Explainer* explainer() const noexcept { return explainer_; }
    void stop_explaining() noexcept { explainer_ = nullptr; }

private:
    friend class CurrentInvocation;
    std::vector<std::string> names_;
    Explainer* explainer_;
};

/// Makes an invocation the one that new ones are children of, for as long as this lives.
class CurrentInvocation {
public:
    explicit CurrentInvocation(Invocation& invocation);
    ~CurrentInvocation();
    CurrentInvocation(const CurrentInvocation&) = delete;
    CurrentInvocation& operator=(const CurrentInvocation&) = delete;

private:
    Adapter& adapter_;
    Invocation* before_;
};

}  // namespace volley::lookup
