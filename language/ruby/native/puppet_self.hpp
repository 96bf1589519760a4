#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "language/evaluator/attempt.hpp"
#include "language/evaluator/frame.hpp"
#include "language/functions/builtin.hpp"
#include "language/ruby/native/run.hpp"
#include "language/ruby/native/set_variables.hpp"
#include "language/ruby/native/text/conversion.hpp"

namespace volley::ruby {

/// What runs of one environment share.
struct NativeState final : Attempt {
    BorrowedObjects borrowed;
    /// A list or hash of the manifest that runs under way have looked at.
    struct ObservedValue {
        CallContext context;  // that saw it
        Value value;          // as it was
        Object object;
    };
    std::unordered_map<const Shared*, ObservedValue> seen;
    bool manifest_changes = false;  // one of them has changed
    SetVariables variables;
    std::unique_ptr<Heap> heap;  // of all runs that are under way: nested ones change each other's objects
    /// What changes something outside, such as a line in the log: done when the outermost run has ended well.
    std::vector<std::function<void()>> later;
    int inside = 0;                             // runs that are under way
    std::unordered_set<const Program*> loaded;  // whose constants can be made

    /// Whether runs under way know more than the manifest's scope does.
    bool ahead() const noexcept { return manifest_changes || variables.pending(); }
    /// Throws NotNative when what has been set and changed cannot outlive its run.
    void check() const;
    void keep(std::function<void()> effect) override { later.push_back(std::move(effect)); }
    void refuse(std::string_view function) override {
        throw NotNative{"the function " + std::string(function)};
    }
    /// The outermost run has ended well: what it has done happens to the manifest.
    void commit(CallContext& context);
    /// The outermost run has not, or all is done.
    void forget();
};

/// The scope as Ruby code sees it; self of a function of the older API.
class ScopeSelf : public Self {
public:
    ScopeSelf(CallContext& context, NativeState& state, const SetByRuby& set_by_ruby)
        : context_(context), state_(state), set_by_ruby_(set_by_ruby) {}

    std::string_view class_name() const override { return "Puppet::Parser::Scope"; }
    Object call(Machine& machine, std::string_view method, std::span<const Object> arguments,
                const Closure* block) override;
    Object call_foreign(Machine& machine, const Object& object, std::string_view method,
                        std::span<const Object> arguments) override;
    std::optional<Object> constant(Machine& machine, std::string_view name) override;
    std::optional<Object> call_module(Machine& machine, std::string_view module, std::string_view method,
                                      std::span<const Object> arguments) override;

    void changes_manifest() override { state_.manifest_changes = true; }
    Object instance_variable(Machine& machine, const std::string& name) override;

    /// A variable as @name of a template that began at `time`; nil when it had no value then.
    Object template_variable(Machine& machine, const std::string& name, std::size_t time);
    /// As SetVariables::time().
    std::size_t time() const noexcept { return state_.variables.time(); }
    /// "debug" to "emerg". False: the method is none of these.
    bool log(std::string_view method, std::span<const Object> arguments);
    /// The context of code in the top scope.
    CallContext top_context() const;
    /// The same in another scope, whose context must live as long.
    ScopeSelf in(CallContext& context) const { return {context, state_, set_by_ruby_}; }
    /// call_function(name, arguments).
    Object call_function(Machine& machine, const std::string& name, std::span<const Object> arguments);

private:
    Object set_variable(std::span<const Object> arguments);
    Object seen(const Value& value, Machine& machine);
    Object lookup(Machine& machine, std::span<const Object> arguments);
    bool has_variable(Machine& machine, const Object& name);
    Object all_variables(Machine& machine);
    Object names(Machine& machine, const std::vector<std::string>& from);
    Object call_legacy(Machine& machine, const std::string& name, std::span<const Object> arguments);
    Object finished(Machine& machine, const std::function<Value()>& function);
    void check_pure(const std::string& name);
    void check_not_set_by_ruby(std::string_view name) const;

    CallContext& context_;
    NativeState& state_;
    const SetByRuby& set_by_ruby_;
};

/// self of code that is not a scope itself, but runs inside of one.
class InScope : public Self {
public:
    Object call_foreign(Machine& machine, const Object& object, std::string_view method,
                        std::span<const Object> arguments) override {
        return scope_.call_foreign(machine, object, method, arguments);
    }
    void changes_manifest() override { scope_.changes_manifest(); }
    std::optional<Object> constant(Machine& machine, std::string_view name) override {
        return scope_.constant(machine, name);
    }
    std::optional<Object> call_module(Machine& machine, std::string_view module, std::string_view method,
                                      std::span<const Object> arguments) override {
        return scope_.call_module(machine, module, method, arguments);
    }

protected:
    explicit InScope(ScopeSelf& scope) : scope_(scope) {}
    ScopeSelf& scope_;
};

/// self of a template.
class TemplateSelf final : public InScope {
public:
    TemplateSelf(ScopeSelf& scope, std::string path)
        : InScope(scope), path_(std::move(path)), began_(scope.time()) {}
    std::string_view class_name() const override { return "Puppet::Parser::TemplateWrapper"; }
    Object call(Machine& machine, std::string_view method, std::span<const Object> arguments,
                const Closure* block) override;
    Object instance_variable(Machine& machine, const std::string& name) override {
        return scope_.template_variable(machine, name.substr(1), began_);
    }

private:
    std::string path_;
    const std::size_t began_;
};

/// self of a function of the newer API.
class FunctionSelf final : public InScope {
public:
    explicit FunctionSelf(ScopeSelf& scope)
        : InScope(scope), top_context_(scope.top_context()), top_(scope.in(top_context_)) {}
    std::string_view class_name() const override { return "Puppet::Functions::Function"; }
    Object instance_variable(Machine& machine, const std::string& name) override {
        return scope_.instance_variable(machine, name);
    }
    Object call(Machine& machine, std::string_view method, std::span<const Object> arguments,
                const Closure* block) override;

private:
    CallContext top_context_;
    ScopeSelf top_;  // closure_scope
};

}  // namespace volley::ruby
