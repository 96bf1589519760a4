#include "language/deferred.hpp"

#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/text/ruby_text.hpp"
#include "language/types/builtin_objects.hpp"
#include "language/types/native_type.hpp"

namespace volley {
namespace {

const ObjectBase* as_deferred(const Value& value) {
    if (!value.is(Kind::Object)) return nullptr;
    const auto& object = value.as<ObjectBase>();
    const types::ObjectType* type = types::object_type_of(*object.type());
    return type && type->native() == &deferred_type() ? &object : nullptr;
}

Value deferred_call(CallContext& context, const ObjectBase& deferred) {
    std::vector<Value> arguments;
    const Value given = deferred.attribute("arguments").value_or(Value());
    if (given.is_array()) {
        for (const Value& argument : given.as_array())
            arguments.push_back(resolve_deferred(context, argument));
    }
    Evaluator& evaluator = context.evaluator;
    std::string name = deferred.attribute("name").value_or(Value("")).as_string();
    if (name.starts_with('$')) {
        name.erase(0, 1);
        const auto value = evaluator.find_variable(name, evaluator.top());
        if (!value) throw EvalError("UNDEFINED_VARIABLE", "Undefined variable '" + name + "';");
        arguments.insert(arguments.begin(), *value);
        name = "dig";
    }
    if (!evaluator.has_function(name)) throw EvalError("UNKNOWN_FUNCTION", "Unknown function '" + name + "'");
    return evaluator.call(name, std::move(arguments), nullptr, evaluator.top(), context.at);
}

}  // namespace

bool is_deferred(const Value& value) { return as_deferred(value) != nullptr; }

TypePtr deferred_result_type(Evaluator& evaluator, const Value& deferred) {
    const std::string name = as_deferred(deferred)->attribute("name").value_or(Value("")).as_string();
    if (name.starts_with('$')) return {};
    const Value arguments = as_deferred(deferred)->attribute("arguments").value_or(Value());
    const auto result =
        arguments.is_array() ? evaluator.result_type(name, arguments.as_array().items()) : std::nullopt;
    if (result) return *result;
    if (!evaluator.has_function(name))
        throw EvalError("UNKNOWN_FUNCTION", "Unknown function: '" + name + "'.");
    // Compatibility: no arguments are not an empty list of them, which nothing takes.
    throw EvalError("", "No matching arity found for " + name + " with arguments" +
                            (arguments.is_array() ? " " + ruby_inspect(arguments) : ""));
}

Value resolve_deferred(CallContext& context, const Value& value) {
    const NestingGuard guard;
    if (const ObjectBase* deferred = as_deferred(value)) return deferred_call(context, *deferred);
    if (value.is_array()) {
        std::vector<Value> items;
        for (const Value& item : value.as_array()) items.push_back(resolve_deferred(context, item));
        return items;
    }
    if (value.is_hash()) {
        HashBuilder entries;
        for (const auto& entry : value.as_hash())
            entries.set(entry.key, resolve_deferred(context, entry.value));
        return entries.build();
    }
    if (value.is(Kind::Sensitive))
        return Value::sensitive(resolve_deferred(context, value.unwrap_sensitive()));
    return value;
}

}  // namespace volley
