#include "language/evaluator/closure.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/interruption.hpp"
#include "language/types/types.hpp"

namespace volley {

using namespace types;

namespace {

bool has_no_types(std::span<ast::Parameter* const> parameters, const ast::Node* return_type) {
    return !return_type &&
           std::none_of(parameters.begin(), parameters.end(),
                        [](const ast::Parameter* parameter) { return parameter->type != nullptr; });
}

bool is_reserved(std::string_view name) {
    return name == "trusted" || name == "facts" || name == "server_facts";
}

[[noreturn]] void refuse_reserved(std::string_view name) {
    throw EvalError("", "Attempt to assign to a reserved variable name: '" + std::string(name) + "'");
}

const ast::Parameter* reserved_parameter(std::span<ast::Parameter* const> parameters) {
    for (const ast::Parameter* parameter : parameters) {
        if (is_reserved(parameter->name)) return parameter;
    }
    return nullptr;
}

/// The variables of code that runs now, in frames of their own; those of a class or of the top scope stay
/// shared.
FramePtr copied_frame(const FramePtr& frame) {
    if (!frame || !frame->description().empty()) return frame;
    auto copy = std::make_shared<Frame>(copied_frame(frame->parent()));
    for (auto& [name, value] : frame->variables()) copy->set(name, std::move(value));
    copy->match = frame->match;
    if (frame->hides_outer_matches()) copy->hide_outer_matches();
    copy->owner = frame->owner;
    return copy;
}

}  // namespace

Closure::Closure(Evaluator& evaluator, Form form, std::span<ast::Parameter* const> parameters,
                 const ast::Node* body, const ast::Node* return_type, FramePtr enclosing, std::string name)
    : evaluator_(evaluator),
      parameters_(parameters),
      body_(body),
      return_type_node_(return_type),
      enclosing_(std::move(enclosing)),
      name_(std::move(name)),
      form_(form),
      untyped_(has_no_types(parameters, return_type)),
      reserved_(reserved_parameter(parameters)) {}

Ref<const Closure> Closure::with_own_variables() const {
    return make_shared_object<Closure>(evaluator_, form_, parameters_, body_, return_type_node_,
                                       copied_frame(enclosing_), name_);
}

TypePtr Closure::parameter_type(const ast::Parameter& parameter) const {
    if (!parameter.type) return any();
    const Value type = evaluator_.evaluate(*parameter.type, enclosing_);
    return type.is(Kind::Type) ? type.as_type() : any();
}

std::string Closure::parameter_names() const {
    std::string names;
    for (const ast::Parameter* parameter : parameters_)
        names += (names.empty() ? "" : ", ") + std::string(parameter->name);
    return names;
}

void Closure::resolve_types() const {
    if (type_) return;
    std::vector<TypePtr> list;
    std::int64_t from = 0;
    std::int64_t to = 0;
    for (const ast::Parameter* parameter : parameters_) {
        TypePtr type = parameter_type(*parameter);
        std::int64_t low = parameter->value ? 0 : 1;
        std::int64_t high = 1;
        if (parameter->captures_rest) {
            low = 0;
            high = RangeType::highest;
            if (type->kind() == TypeKind::Array) {
                const RangeType& size = as<CollectionType>(*type).size_or_any();
                low = size.from;
                high = size.to;
                type = as<CollectionType>(*type).value;
            }
        }
        list.push_back(type);
        if (low > 0 && from < static_cast<std::int64_t>(list.size()) - 1) {
            Evaluator::fail("REQUIRED_PARAMETER_AFTER_OPTIONAL", *parameter,
                            "Parameter $" + std::string(parameter->name) +
                                " is required but appears after optional parameters");
        }
        from += low;
        to = high == RangeType::highest ? high : to + high;
    }
    if (return_type_node_) {
        const Value type = evaluator_.evaluate(*return_type_node_, enclosing_);
        if (type.is(Kind::Type)) return_type_ = type.as_type();
    }
    type_ = make_shared_object<CallableType>(tuple(std::move(list), size_range(from, to)), TypePtr(),
                                             return_type_);
}

TypePtr Closure::type() const {
    resolve_types();
    return type_;
}

std::optional<TypePtr> Closure::result_type(const std::vector<Value>& arguments) const {
    resolve_types();
    const auto& callable = as<types::CallableType>(*type_);
    const bool fits = !callable.parameters || is_instance(*callable.parameters, Value(arguments));
    const bool needs_block = callable.block && !is_assignable(*callable.block, *types::undef());
    if (!fits || needs_block) return std::nullopt;
    return return_type_;
}

FramePtr Closure::new_frame() const {
    auto frame = std::make_shared<Frame>(enclosing_);
    if (form_ == Form::Function) frame->hide_outer_matches();
    return frame;
}

/// The default of a parameter sees the parameters before it, and none of its own frame.
Value Closure::default_value(std::size_t index, const std::vector<Value>& bound,
                             const std::vector<std::string_view>& absent) const {
    const FramePtr scope = new_frame();
    const auto is_absent = [&absent](std::string_view name) {
        return std::find(absent.begin(), absent.end(), name) != absent.end();
    };
    for (std::size_t i = 0; i < bound.size(); ++i) {
        if (!is_absent(parameters_[i]->name)) scope->bind(parameters_[i]->name, bound[i]);
    }
    std::vector<std::string_view> later = absent;
    for (std::size_t i = index; i < parameters_.size(); ++i) later.push_back(parameters_[i]->name);
    scope->forbid(std::move(later));
    scope->make_read_only();
    try {
        return evaluator_.evaluate(*parameters_[index]->value, scope);
    } catch (const UnevaluatedParameter& early) {
        if (is_absent(early.name))
            throw EvalError("", name_ + ": expects a value for parameter $" + early.name);
        throw EvalError("", name_ + ": default expression for $" + std::string(parameters_[index]->name) +
                                " tries to illegally access not yet evaluated $" + early.name);
    }
}

Closure::Binding Closure::bind(std::span<const Value> arguments) const {
    Binding binding;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const ast::Parameter& parameter = *parameters_[i];
        Value value;
        if (i >= arguments.size()) {
            if (parameter.value) {
                value = default_value(i, binding.values);
                if (parameter.captures_rest && !value.is_array()) value = Value(std::vector<Value>{value});
            } else if (parameter.captures_rest) {
                value = Value(std::vector<Value>());
            } else {
                Evaluator::fail(
                    "MISSING_REQUIRED_PARAMETER", parameter,
                    "Parameter $" + std::string(parameter.name) + " is required but no value was given");
            }
        } else if (parameter.captures_rest) {
            std::vector<Value> rest(arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
            if (rest.size() == 1 && rest.front().is_undef() && parameter.value) {
                value = default_value(i, binding.values);
                if (!value.is_array()) value = Value(std::vector<Value>{value});
            } else {
                value = Value(std::move(rest));
            }
        } else {
            value = arguments[i];
        }
        if (parameter.captures_rest && value.is_array()) {
            binding.flat.insert(binding.flat.end(), value.as_array().begin(), value.as_array().end());
        } else {
            binding.flat.push_back(value);
        }
        binding.values.push_back(std::move(value));
    }
    return binding;
}

void Closure::check_count(const std::vector<Value>& arguments) const {
    resolve_types();
    const auto& wanted = as<TupleType>(*as<CallableType>(*type_).parameters);
    if (!range(*wanted.size_range()).contains(static_cast<std::int64_t>(arguments.size())))
        complain(arguments);
}

void Closure::complain(std::span<const Value> arguments) const {
    Signature signature{type_, {}, "unsupported_block"};
    for (const ast::Parameter* parameter : parameters_) signature.names.emplace_back(parameter->name);
    const Value list{std::vector<Value>(arguments.begin(), arguments.end())};
    const TypePtr given = arguments.empty() ? tuple({}, size_range(0, 0)) : infer_set(list);
    throw EvalError("", describe_signatures(name_, std::span(&signature, 1), given));
}

void Closure::check(std::span<const Value> flat) const {
    if (untyped_) return;
    resolve_types();
    const auto& wanted = as<TupleType>(*as<CallableType>(*type_).parameters);
    TypeGuard guard;
    bool fits = range(*wanted.size_range()).contains(static_cast<std::int64_t>(flat.size()));
    for (std::size_t i = 0; fits && i < flat.size(); ++i) fits = wanted.at(i).instance(flat[i], guard);
    if (!fits) complain(flat);
}

Value Closure::checked_result(Value result) const {
    if (!return_type_node_) return result;
    resolve_types();
    if (is_instance(*return_type_, result)) return result;
    throw EvalError("", describe_mismatch("value returned from " + name_ + " has wrong type,", return_type_,
                                          infer_set(result)));
}

Value Closure::call_by_name(const Hash& given, bool enforce) const {
    const FramePtr frame = new_frame();
    HashBuilder bound;
    std::vector<Value> values;
    std::vector<std::string_view> absent;
    for (const ast::Parameter* parameter : enforce ? parameters_ : std::span<ast::Parameter* const>()) {
        const Value* value = given.find(parameter->name);
        Value chosen = value ? *value : Value();
        const bool missing = chosen.is_undef();
        if (missing && parameter->value) chosen = default_value(values.size(), values, absent);
        if (!value && !parameter->value) absent.push_back(parameter->name);
        if (!missing || parameter->value || value) bound.set(Value(parameter->name), chosen);
        values.push_back(std::move(chosen));
    }
    for (const auto& entry : given) {
        if (enforce && entry.value.is_undef()) continue;  // compatibility: not there, also if not declared
        if (!bound.contains(entry.key)) bound.set(entry.key, entry.value);
    }
    const Value arguments = bound.build();
    if (enforce) {
        std::vector<ParameterDeclaration> declared;
        for (const ast::Parameter* parameter : parameters_) {
            declared.push_back(
                {std::string(parameter->name), parameter_type(*parameter), parameter->value != nullptr});
        }
        if (const auto message = describe_parameters(name_, declared, arguments.as_hash()))
            throw EvalError("", *message);
    }
    for (const auto& entry : arguments.as_hash()) {
        if (is_reserved(entry.key.as_string())) refuse_reserved(entry.key.as_string());
        frame->set(entry.key.as_string(), entry.value);
    }
    try {
        return body_ ? evaluator_.evaluate(*body_, frame) : Value();
    } catch (const Jump& jump) {
        if (jump.kind != Jump::Kind::Next || !enforce) throw;
        return jump.value;
    }
}

Value Closure::call_moving(std::span<Value> arguments) const {
    const bool direct = binds_directly(arguments);
    Binding binding;
    if (!direct) binding = bind(arguments);
    const std::span<Value> values = direct ? arguments : std::span<Value>(binding.values);
    check(direct ? arguments : std::span<Value>(binding.flat));
    if (reserved_) refuse_reserved(reserved_->name);
    FramePtr frame = new_frame();
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        frame->bind(parameters_[i]->name, std::move(values[i]));
    return run(std::move(frame));
}

Value Closure::run(FramePtr frame) const {
    check_interruption();
    evaluator_.environment().count_call();
    if (!body_) return checked_result({});
    try {
        return checked_result(evaluator_.evaluate(*body_, frame));
    } catch (const Jump& jump) {
        if (jump.kind != Jump::Kind::Next) throw;
        return checked_result(jump.value);
    }
}

}  // namespace volley
