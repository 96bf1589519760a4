#include "language/ruby/native/puppet_self.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/ruby/callbacks.hpp"

namespace volley::ruby {
namespace {

using SelfKind = Object::Kind;

constexpr std::array<std::string_view, 8> log_levels{"debug", "info",  "notice", "warning",
                                                     "err",   "alert", "emerg",  "crit"};

template <class List>
bool self_contains(const List& list, std::string_view wanted) {
    return std::find(list.begin(), list.end(), wanted) != list.end();
}

const std::string& self_name(const Object& name) {
    if (name.is(SelfKind::String)) return name.string().text;
    if (name.is(SelfKind::Symbol)) return name.name();
    throw NotNative{"such a name"};
}

std::vector<Value> self_values(std::span<const Object> arguments) {
    std::vector<Value> values;
    values.reserve(arguments.size());
    for (const Object& one : arguments) values.push_back(to_value(one));
    return values;
}

Severity severity_of(std::string_view level) {
    if (level == "debug") return Severity::Debug;
    if (level == "info") return Severity::Info;
    if (level == "notice") return Severity::Notice;
    if (level == "err") return Severity::Err;
    if (level == "alert") return Severity::Alert;
    if (level == "emerg") return Severity::Emerg;
    return level == "crit" ? Severity::Crit : Severity::Warning;
}

}  // namespace

void NativeState::check() const {
    variables.check();
    if (!manifest_changes) return;
    for (const auto& [address, one] : seen) static_cast<void>(to_value(one.object));
}

void NativeState::commit(CallContext& context) {
    variables.commit(context);
    if (manifest_changes) {
        for (auto& [address, one] : seen) {
            if (const Value now = to_value(one.object); !(now == one.value))
                replace_changed(one.context, one.value, now);
        }
    }
    const auto effects = std::exchange(later, {});
    forget();
    for (const auto& effect : effects) effect();
}

void NativeState::forget() {
    variables.roll_back();
    seen.clear();
    if (std::exchange(manifest_changes, false)) borrowed.clear();
}

Object ScopeSelf::seen(const Value& value, Machine& machine) {
    const Object object = state_.borrowed.object(value, machine.heap());
    if (object.is(SelfKind::Array) || object.is(SelfKind::Hash))
        state_.seen.try_emplace(value.shared(), NativeState::ObservedValue{context_, value, object});
    return object;
}

Object ScopeSelf::call(Machine& machine, std::string_view method, std::span<const Object> arguments,
                       const Closure* block) {
    if (block) throw NotNative{"a block for scope." + std::string(method)};
    if (method == "lookupvar" || method == "[]") return lookup(machine, arguments);
    if (method == "setvar" || method == "[]=") return set_variable(arguments);
    if (method.starts_with("function_")) {
        const bool list = arguments.size() == 1 && arguments[0].is(SelfKind::Array);
        if (!list) throw NotNative{"scope." + std::string(method) + " without a list"};
        return call_legacy(machine, std::string(method.substr(9)), arguments[0].array().items);
    }
    if (method == "call_function" && !arguments.empty() && arguments.size() <= 2) {
        const std::string& name = self_name(arguments[0]);
        if (arguments.size() == 1) return call_function(machine, name, {});
        if (!arguments[1].is(SelfKind::Array)) return call_function(machine, name, arguments.subspan(1));
        const std::vector<Object> list = arguments[1].array().items;
        return call_function(machine, name, list);
    }
    if (arguments.size() == 1) {
        if (method == "include?" || method == "has_variable?")
            return Object(has_variable(machine, arguments[0]));
        if (method == "exist?") {
            const std::string& name = self_name(arguments[0]);
            check_not_set_by_ruby(name);
            return Object(state_.variables.find(context_.frame, name, machine.heap()).has_value() ||
                          context_.evaluator.find_variable(name, context_.frame).has_value());
        }
        if (log(method, arguments)) return {};
    }
    if (arguments.empty()) {
        if (method == "to_hash") return all_variables(machine);
        if (method == "compiler" || method == "catalog") return Object(static_cast<HostObject&>(*this));
        CatalogHooks* catalog = context_.evaluator.catalog();
        if (method == "classes")
            return names(machine, catalog ? catalog->class_names() : std::vector<std::string>());
        if (method == "tags")
            return names(machine, catalog ? catalog->tag_names() : std::vector<std::string>());
        if (method == "nil?") return Object(false);
        if (method == "to_s")
            return machine.heap().string("Scope(" + context_.frame->root().description() + ")");
    }
    if (method == "undef_as" && arguments.size() == 2) {
        const Object& given = arguments[1];
        const bool undef = given.is_nil() || (given.is(SelfKind::Symbol) && given.name() == "undef");
        return undef ? arguments[0] : given;
    }
    throw NotNative{"scope." + std::string(method)};
}

/// The object that a function is a method of lives on: what it keeps is there when it is called again.
Object ScopeSelf::instance_variable(Machine& machine, const std::string& name) {
    static_cast<void>(machine);
    throw NotNative{"the instance variable " + name + " of a function"};
}

CallContext ScopeSelf::top_context() const {
    CallContext context = context_;
    // Compatibility: a lambda of the main manifest is part of the top scope as long as it runs.
    if (&context.frame->root() != context_.evaluator.top().get()) context.frame = context_.evaluator.top();
    return context;
}

void ScopeSelf::check_not_set_by_ruby(std::string_view name) const {
    if (set_by_ruby_.empty()) return;
    for (const auto& [place, number] : set_by_ruby_) {
        if (place.second == name) throw NotNative{"a variable that Ruby code has set"};
    }
}

Object ScopeSelf::set_variable(std::span<const Object> arguments) {
    if (arguments.size() != 2 || !arguments[0].is(SelfKind::String)) throw NotNative{"such a scope.setvar"};
    const std::string& name = arguments[0].string().text;
    check_not_set_by_ruby(name);
    state_.variables.set(context_.frame, name, arguments[1]);
    return arguments[1];
}

Object ScopeSelf::lookup(Machine& machine, std::span<const Object> arguments) {
    if (arguments.empty() || !arguments[0].is(SelfKind::String)) throw NotNative{"a variable without a name"};
    const std::string& name = arguments[0].string().text;
    check_not_set_by_ruby(name);
    if (const auto object = state_.variables.find(context_.frame, name, machine.heap())) return *object;
    if (const auto value = context_.evaluator.find_variable(name, context_.frame))
        return seen(*value, machine);
    if (const auto* run = dynamic_cast<const Run*>(&machine); !run || run->catches())
        throw NotNative{"throw :undefined_variable"};
    const std::string_view bare = std::string_view(name).substr(name.starts_with("::") ? 2 : 0);
    const bool qualified = name.find("::") != std::string::npos;
    const std::string message =
        "Undefined variable '" + (qualified ? "::" + std::string(bare) : name) + "'; ";
    const Strictness strict = context_.environment().settings.strict;
    if (strict == Strictness::Error) throw Raised{"ArgumentError", message};
    if (strict == Strictness::Warning)
        context_.evaluator.log(Severity::Warning, message + "\n   (file & line not available)",
                               context_.frame, {});
    return {};
}

bool ScopeSelf::has_variable(Machine& machine, const Object& name) {
    const std::string& text = self_name(name);
    check_not_set_by_ruby(text);
    if (const auto object = state_.variables.find(context_.frame, text, machine.heap()))
        return !object->is_nil();
    const auto value = context_.evaluator.find_variable(text, context_.frame);
    return value && !value->is_undef();
}

Object ScopeSelf::template_variable(Machine& machine, const std::string& name, std::size_t time) {
    check_not_set_by_ruby(name);
    if (name == "scope" || name.starts_with("__"))
        throw NotNative{"@" + name};  // the worker has its own there
    if (const auto object = state_.variables.find(context_.frame, name, machine.heap(), time)) return *object;
    const Value* value = context_.frame->find(name);
    if (!value || value->is_undef() || value->is(volley::Kind::Callable)) return {};
    return seen(*value, machine);
}

Object ScopeSelf::all_variables(Machine& machine) {
    if (!set_by_ruby_.empty() || !state_.variables.empty())
        throw NotNative{"variables that Ruby code has set"};
    const Object made = machine.heap().hash();
    for (const Frame* frame = context_.frame.get(); frame; frame = frame->parent().get()) {
        for (const auto& [name, value] : frame->variables()) {
            const Object key = machine.heap().string(name);
            if (!made.hash().find(key) && !value.is(volley::Kind::Callable))
                made.hash().set(key, seen(value, machine));
        }
    }
    return made;
}

Object ScopeSelf::names(Machine& machine, const std::vector<std::string>& from) {
    std::vector<Object> items;
    for (const std::string& name : from) items.push_back(machine.heap().string(name));
    return machine.heap().array(std::move(items));
}

bool ScopeSelf::log(std::string_view method, std::span<const Object> arguments) {
    if (!self_contains(log_levels, method)) return false;
    if (arguments.size() != 1 || !arguments[0].is(SelfKind::String))
        throw NotNative{"a log line that is not text"};
    context_.evaluator.log(severity_of(method), arguments[0].string().text, context_.frame, {});
    return true;
}

/// Whoever hands over to the worker begins anew: what has been done by then must not show.
void ScopeSelf::check_pure(const std::string& name) {
    const Callee callee = context_.environment().find_callee(name);
    if (callee.builtin && callee.builtin->reads_variables && state_.ahead())
        throw NotNative{"the function " + name + " after a change of variables"};
    // A function in Ruby runs natively or not at all.
    if (!callee || callee.ruby || (callee.builtin && callee.builtin->pure)) return;
    throw NotNative{"the function " + name};
}

Object ScopeSelf::finished(Machine& machine, const std::function<Value()>& function) {
    try {
        return to_object(function(), machine.heap());
    } catch (const LanguageError& error) {
        throw Raised{"Puppet::ParseError", error.what(), std::current_exception()};
    }
}

Object ScopeSelf::call_function(Machine& machine, const std::string& name,
                                std::span<const Object> arguments) {
    std::vector<Value> values = self_values(arguments);
    check_pure(name);
    return finished(machine, [&] { return call_from_ruby(context_, name, std::move(values)); });
}

Object ScopeSelf::call_legacy(Machine& machine, const std::string& name, std::span<const Object> arguments) {
    std::vector<Value> values = self_values(arguments);
    check_pure(name);
    if (!context_.evaluator.has_function(name)) throw NotNative{"the function " + name};
    return finished(machine, [&] { return call_legacy_from_ruby(context_, name, std::move(values)); });
}

Object ScopeSelf::call_foreign(Machine& machine, const Object& object, std::string_view method,
                               std::span<const Object> arguments) {
    const Value& value = object.foreign();
    if (arguments.empty()) {
        if (method == "to_s") return machine.heap().string(to_text(object));
        if (method == "inspect") return machine.heap().string(inspect(object));
        if (method == "nil?") return Object(false);
        if (method == "unwrap" && value.is(volley::Kind::Sensitive))
            return to_object(value.unwrap_sensitive(), machine.heap(), Change::Borrowed);
        if (method == "respond_to?") return Object(false);
    }
    if (arguments.size() == 1 && (method == "is_a?" || method == "kind_of?") &&
        arguments[0].is(SelfKind::Module)) {
        constexpr std::array<std::string_view, 9> data{"String", "Array",  "Hash",    "Integer",  "Float",
                                                       "Symbol", "Regexp", "Numeric", "TrueClass"};
        if (self_contains(data, arguments[0].name())) return Object(false);
    }
    if (arguments.size() == 1 && method == "respond_to?" && value.is(volley::Kind::Sensitive) &&
        arguments[0].is(SelfKind::Symbol) && arguments[0].name() == "unwrap")
        return Object(true);
    return Self::call_foreign(machine, object, method, arguments);
}

std::optional<Object> ScopeSelf::constant(Machine& machine, std::string_view name) {
    constexpr std::array<std::string_view, 6> modules{
        "Puppet", "Puppet::Util::Package", "Puppet::Parser::Functions",
        "Facter", "Puppet::Util",          "Puppet::Pops::Types::TypeCalculator"};
    if (!self_contains(modules, name)) return std::nullopt;
    return machine.heap().module(name);
}

std::optional<Object> ScopeSelf::call_module(Machine& machine, std::string_view module,
                                             std::string_view method, std::span<const Object> arguments) {
    if (module == "Puppet" && method == "version" && arguments.empty())
        return machine.heap().string("7.23.0");
    if (module == "Puppet" && arguments.size() == 1 && log(method, arguments)) return Object();
    if (module == "Puppet::Util::Package" && method == "versioncmp" && arguments.size() == 2 &&
        arguments[0].is(SelfKind::String) && arguments[1].is(SelfKind::String))
        return call_function(machine, "versioncmp", arguments);
    if (module == "Puppet::Parser::Functions" && method == "autoloader" && arguments.empty())
        return machine.heap().module(module);
    const bool asks = method == "function" || method == "loaded?" || method == "load";
    if (module == "Puppet::Parser::Functions" && asks && !arguments.empty()) {
        const std::string& name = self_name(arguments[0]);
        if (!context_.evaluator.has_function(name)) return Object(false);
        return method == "loaded?" ? Object(true) : machine.heap().string("function_" + name);
    }
    return std::nullopt;
}

Object TemplateSelf::call(Machine& machine, std::string_view method, std::span<const Object> arguments,
                          const Closure* block) {
    if (method == "scope" && arguments.empty()) return Object(static_cast<HostObject&>(scope_));
    if (method == "has_variable?" || method == "classes")
        return scope_.call(machine, method, arguments, block);
    if (method == "all_tags") return scope_.call(machine, "tags", arguments, block);
    if (method == "file" && arguments.empty() && !path_.empty()) return machine.heap().string(path_);
    if (scope_.log(method, arguments)) return {};
    throw NotNative{"the method " + std::string(method)};
}

Object FunctionSelf::call(Machine& machine, std::string_view method, std::span<const Object> arguments,
                          const Closure* block) {
    if (method == "call_function" && !arguments.empty() && !block)
        return scope_.call_function(machine, self_name(arguments[0]), arguments.subspan(1));
    if (method == "closure_scope" && arguments.empty()) return Object(static_cast<HostObject&>(top_));
    throw NotNative{"the method " + std::string(method)};
}

}  // namespace volley::ruby
