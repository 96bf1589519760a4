#include "language/lookup/invocation.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/merge.hpp"
#include "language/text/ruby_text.hpp"
#include "support/text.hpp"

namespace volley::lookup {

Invocation::Invocation(Adapter& of, Evaluator& by, FramePtr frame, Value first_values, Value last_values,
                       Explainer* explanation)
    : adapter(of),
      evaluator(by),
      scope(std::move(frame)),
      overrides(std::move(first_values)),
      defaults(std::move(last_values)),
      explainer_(explanation) {
    const Invocation* parent = adapter.current();
    if (!parent) return;
    names_ = parent->names_;
    hiera_call = parent->hiera_call;
    hiera_merge = parent->hiera_merge;
    global_only = parent->global_only;
    hiera_levels = parent->hiera_levels;
    explainer_ = parent->explainer_;
}

Invocation::NameGuard::NameGuard(Invocation& invocation, std::string name) : invocation_(invocation) {
    std::vector<std::string>& names = invocation.names_;
    if (std::ranges::find(names, name) != names.end())
        throw LookupError("Recursive lookup detected in [" + join(names, ", ") + "]");
    names.push_back(std::move(name));
}

Invocation::NameGuard::~NameGuard() { invocation_.names_.pop_back(); }

Invocation::Branch Invocation::explain(Explanation about, const std::string& name) {
    if (!explainer_) return Branch(nullptr);
    return explain(about, Explainer::Subject{name, {}, {}, {}, {}});
}

Invocation::Branch Invocation::explain(Explanation about, Explainer::Subject subject) {
    if (explainer_) explainer_->push(about, std::move(subject));
    return Branch(explainer_);
}

Invocation::Branch Invocation::explain_merge(const MergeStrategy& strategy) {
    if (!explainer_) return Branch(nullptr);
    return explain(Explanation::Merge,
                   Explainer::Subject{strategy.name(), {}, {}, {}, strategy.options_without_strategy()});
}

Invocation::Branch Invocation::explain_sub_key(const std::vector<Value>& segments) {
    if (!explainer_) return Branch(nullptr);
    std::string path;
    for (const Value& segment : segments) path += (path.empty() ? "" : ".") + ruby_to_s(segment);
    return explain(Explanation::SubKey, path);
}

void Invocation::report_found(const std::string& key, const Value& value, std::string_view event) {
    if (explainer_) explainer_->found(key, value, event);
}
void Invocation::report_not_found(const std::string& key) {
    if (explainer_) explainer_->not_found(key);
}
void Invocation::report_location_not_found() {
    if (explainer_) explainer_->location_not_found();
}
void Invocation::report_result(const Value& value) {
    if (explainer_) explainer_->result(value);
}
void Invocation::report_merge_source(const std::string& source) {
    const auto branch = explain(Explanation::MergeSource, source);
}
void Invocation::report_module(const std::string& module, const char* event) {
    const auto branch = explain(Explanation::Module, module);
    if (explainer_) explainer_->found({}, {}, event);
}
void Invocation::report_text(const std::string& text) {
    if (explainer_) explainer_->text_line(text);
}

CurrentInvocation::CurrentInvocation(Invocation& invocation)
    : adapter_(invocation.adapter), before_(adapter_.current()) {
    adapter_.set_current(&invocation);
}

CurrentInvocation::~CurrentInvocation() { adapter_.set_current(before_); }

}  // namespace volley::lookup
