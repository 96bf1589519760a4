#include "language/lookup/interpolate.hpp"

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/errors.hpp"
#include "language/lookup/invocation.hpp"
#include "language/lookup/key.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/text/ruby_text.hpp"
#include "support/text.hpp"

namespace volley::lookup {
namespace {

struct Expression {
    std::string method;  // "scope", "lookup", ...
    std::string argument;
};

/// name("argument") or name('argument'); anything else is a variable.
Expression read_expression(std::string_view text, bool methods) {
    std::size_t name = 0;
    while (name < text.size() && is_word(text[name])) ++name;
    const bool call = name > 0 && text.size() > name + 4 && text[name] == '(' && text.back() == ')';
    const char quote = call ? text[name + 1] : '\0';
    if (!call || (quote != '"' && quote != '\'') || text[text.size() - 2] != quote)
        return {"scope", std::string(text)};
    const std::string_view argument = text.substr(name + 2, text.size() - name - 4);
    if (argument.empty() || argument.find(quote) != std::string_view::npos)
        return {"scope", std::string(text)};
    if (!methods) {
        throw LookupError("Interpolation using method syntax is not allowed in this context",
                          "HIERA_INTERPOLATION_METHOD_SYNTAX_NOT_ALLOWED");
    }
    return {std::string(text.substr(0, name)), std::string(argument)};
}

bool is_empty_expression(std::string_view text) {
    return text.empty() || text == "::" || text == "\"\"" || text == "''" || text == "\"::\"" ||
           text == "'::'";
}

/// The key as a lookup of its own; what is not found is "".
Value looked_up(const std::string& key, Invocation& parent) {
    // Each level takes kilobytes of the stack.
    const NestingGuard guard(400);
    Invocation child(parent.adapter, parent.evaluator, parent.scope, parent.overrides, parent.defaults,
                     parent.explainer());
    child.global_only = parent.global_only;
    child.hiera_scope = parent.hiera_scope && parent.global_only;
    const LookupKey parsed(key);
    child.top_key = key;
    child.module_name = parsed.module_name();
    const CurrentInvocation current(child);
    return parent.adapter.find(child, {key}, {}, {}, Value(""), {});
}

Value method_value(const Expression& expression, Invocation& invocation, const std::string& subject) {
    if (expression.method == "scope")
        return scope_value(expression.argument, invocation, "in string: " + subject).value_or(Value());
    if (expression.method == "lookup" || expression.method == "hiera" || expression.method == "alias")
        return looked_up(expression.argument, invocation);
    if (expression.method == "literal") return expression.argument;
    throw LookupError("Unknown interpolation method '" + expression.method + "'",
                      "HIERA_INTERPOLATION_UNKNOWN_INTERPOLATION_METHOD");
}

Value interpolate_string(const std::string& subject, Invocation& invocation, bool methods) {
    const auto explained = invocation.explain(Explanation::Interpolation, subject);
    std::string result;
    std::size_t done = 0;
    for (;;) {
        const std::size_t open = subject.find("%{", done);
        const std::size_t close = open == std::string::npos ? open : subject.find('}', open);
        if (close == std::string::npos) break;
        result.append(subject, done, open - done);
        const std::string_view text = trim(std::string_view(subject).substr(open + 2, close - open - 2));
        done = close + 1;
        if (is_empty_expression(text)) continue;
        const Expression expression = read_expression(text, methods);
        const bool alias = expression.method == "alias";
        if (alias && (open != 0 || done != subject.size())) {
            throw LookupError(
                "'alias' interpolation is only permitted if the expression is equal to the entire string",
                "HIERA_INTERPOLATION_ALIAS_NOT_ENTIRE_STRING");
        }
        Value value = method_value(expression, invocation, subject);
        if (alias) return value;
        const std::string name = (expression.method == "scope" ? "scope:" : "") + expression.argument;
        value = as_lookup_error([&] {
            const Invocation::NameGuard guard(invocation, name);
            return interpolate(value, invocation, methods);
        });
        result += ruby_to_s(value);
    }
    result.append(subject, done);
    return result;
}

/// The names that version 3 knows beside the variables.
std::optional<Value> calling_value(const std::string& name, Invocation& invocation) {
    if (name == "calling_module") {
        const auto module = invocation.evaluator.find_variable("module_name", invocation.scope);
        return module.value_or(Value());
    }
    if (name != "calling_class" && name != "calling_class_path") return std::nullopt;
    for (const Frame* frame = invocation.scope.get(); frame; frame = frame->parent().get()) {
        const std::string& description = frame->description();
        if (!description.starts_with("Class[")) continue;
        std::string class_name = lower(description.substr(6, description.size() - 7));
        if (name == "calling_class") return Value(class_name);
        for (std::size_t at = class_name.find("::"); at != std::string::npos; at = class_name.find("::"))
            class_name.replace(at, 2, "/");
        return Value(class_name);
    }
    return Value();
}

/// What the scope knows under that name; nullopt when there is no such variable.
std::optional<Value> variable_value(const std::string& name, const std::string& key, Invocation& invocation,
                                    bool quietly) {
    if (invocation.hiera_scope) {
        if (auto value = calling_value(name, invocation)) return value;
    }
    std::optional<Value> value = invocation.evaluator.find_variable(name, invocation.scope);
    if (!value && !quietly) invocation.adapter.unknown_variable(name, key, invocation);
    if (value && invocation.hiera_scope && value->is_string() && value->as_string().empty()) return Value();
    return value;
}

const Value* find_in(const Value& hash, const std::string& key) {
    return hash.is_hash() ? hash.as_hash().find(key) : nullptr;
}

Value root_value(const std::string& root, const std::string& key, Invocation& invocation) {
    const auto explained = invocation.explain(Explanation::Scope, "Global Scope");
    if (const Value* overriding = find_in(invocation.overrides, root)) {
        invocation.report_found(root, *overriding, "found_in_overrides");
        return *overriding;
    }
    const Value* by_default = find_in(invocation.defaults, root);
    const auto value = variable_value(root, key, invocation, by_default != nullptr);
    if (value) {
        invocation.report_found(root, *value);
        return *value;
    }
    if (!by_default) return {};
    invocation.report_found(root, *by_default, "found_in_defaults");
    return *by_default;
}

}  // namespace

std::optional<Value> scope_value(const std::string& key, Invocation& invocation, const std::string& where) {
    std::vector<Value> segments = split_key(key, where);
    const std::string root = ruby_to_s(segments.front());
    segments.erase(segments.begin());
    Value value = root_value(root, key, invocation);
    if (!value.is_undef() && !segments.empty()) {
        value = dig_segments(key, invocation, segments, value).value_or(Value());
    }
    if (invocation.interpolated) invocation.interpolated->push_back({key, root, std::move(segments), value});
    return value.is_undef() ? std::nullopt : std::optional(value);
}

Value interpolate(const Value& value, Invocation& invocation, bool methods) {
    if (value.is_string()) {
        const std::string& text = value.as_string();
        return text.find("%{") == std::string::npos ? value : interpolate_string(text, invocation, methods);
    }
    if (value.is_array()) {
        const NestingGuard guard;
        std::vector<Value> items;
        items.reserve(value.as_array().size());
        for (const Value& item : value.as_array()) items.push_back(interpolate(item, invocation, methods));
        return items;
    }
    if (value.is_hash()) {
        const NestingGuard guard;
        HashBuilder hash;
        for (const auto& entry : value.as_hash()) {
            hash.set(interpolate(entry.key, invocation, methods),
                     interpolate(entry.value, invocation, methods));
        }
        return hash.build();
    }
    return value;
}

std::string interpolate_text(const std::string& text, Invocation& invocation) {
    return ruby_to_s(interpolate(Value(text), invocation, false));
}

}  // namespace volley::lookup
