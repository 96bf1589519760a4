#include <algorithm>

#include "language/conversion/creators.hpp"
#include "language/errors.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"

namespace volley::types {
namespace {

[[noreturn]] void no_instances(const Type& type) {
    throw EvalError("",
                    "Creation of new instance of type '" + to_display_string(type) + "' is not supported");
}

bool any_instance(const std::vector<TypePtr>& types, const Value& value, TypeGuard& guard) {
    return std::any_of(types.begin(), types.end(),
                       [&](const TypePtr& type) { return type->instance(value, guard); });
}

}  // namespace

InitType::InitType(TypePtr contained, std::vector<Value> init_arguments)
    : Type(TypeKind::Init), type(std::move(contained)), arguments(std::move(init_arguments)) {}

/// Asked anew each time: the signatures of T.new are not known before T is.
InitType::Accepted InitType::accepted() const {
    const TypeKind kind = type->kind();
    if (kind == TypeKind::Init || kind == TypeKind::Optional || kind == TypeKind::NotUndef)
        no_instances(*type);
    const std::vector<Signature> signatures = creator_signatures(*type);
    if (signatures.empty()) no_instances(*type);
    Accepted result{{type}, {}, false};
    for (const Signature& signature : signatures) {
        const TypePtr parameters = as<CallableType>(*signature.callable).parameters;
        const auto& list = as<TupleType>(*parameters);
        const TypePtr size = list.size_range();
        if (arguments.empty()) {
            if (range(*size).from == 1 && range(*size).to == 1) {
                result.single.push_back(list.types[0]);
            } else {
                result.lists.push_back(parameters);
                result.one_is_enough = result.one_is_enough || range(*size).from == 1;
            }
            continue;
        }
        if (list.types.empty()) continue;
        std::vector<TypePtr> given{list.types[0]};
        for (const Value& argument : arguments) given.push_back(infer_set(argument));
        if (!is_assignable(*parameters, *tuple(std::move(given)))) continue;
        result.single.push_back(list.types[0]);
    }
    if (!arguments.empty() && result.single.size() == 1) {
        throw EvalError("", "The type '" + to_string(*this) +
                                "' does not represent a valid set of parameters for " +
                                type->generalize()->name() + ".new()");
    }
    return result;
}

bool InitType::takes_whole(const Value& list) const {
    const Accepted known = accepted();
    TypeGuard guard;
    if (any_instance(known.single, list, guard)) return true;
    return !any_instance(known.lists, list, guard) && known.one_is_enough &&
           any_instance(known.lists, Value(std::vector<Value>{list}), guard);
}

bool InitType::instance(const Value& value, TypeGuard& guard) const {
    const NestingGuard nesting;
    if (!type) return rich_data()->instance(value, guard);
    // The same question again while it is being answered: the type is made of what it is asked about.
    const std::size_t key = value_identity(value);
    if (guard.enter_value(this, key)) return false;
    const Accepted known = accepted();
    const bool fits =
        any_instance(known.single, value, guard) || any_instance(known.lists, value, guard) ||
        (known.one_is_enough && any_instance(known.lists, Value(std::vector<Value>{value}), guard));
    guard.leave_value(this, key);
    return fits;
}

void InitType::print(std::string& out, const PrintOptions& options) const {
    out += "Init";
    if (!type) return;
    out += "[";
    type->print_inside(out, options);
    for (const Value& argument : arguments) out += ", " + to_program_text(argument);
    out += "]";
}

void InitType::for_each_contained(const std::function<void(const Type&)>& visit) const {
    if (type) visit(*type);
}

bool InitType::accepts(const Type& other, TypeGuard& guard) const {
    const NestingGuard nesting;
    if (other.kind() == TypeKind::Init) {
        const TypePtr& theirs = as<InitType>(other).type;
        return !type || (theirs && type->assignable(*theirs, guard));
    }
    if (!type) return rich_data()->assignable(other, guard);
    if (guard.enter_this(this)) return false;
    const Accepted known = accepted();
    const auto takes = [&guard](const std::vector<TypePtr>& types, const Type& wanted) {
        return std::any_of(types.begin(), types.end(),
                           [&](const TypePtr& one) { return one->assignable(wanted, guard); });
    };
    const bool fits = takes(known.single, other) || takes(known.lists, other) ||
                      (known.one_is_enough && takes(known.lists, *tuple({other.self()})));
    guard.leave_this(this);
    return fits;
}

bool InitType::same(const Type& other) const {
    const auto& that = as<InitType>(other);
    return equal_or_both_null(type, that.type) && arguments == that.arguments;
}

}  // namespace volley::types
