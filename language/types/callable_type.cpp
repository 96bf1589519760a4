#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/types/types.hpp"

namespace volley::types {
namespace {

void append_parameters(std::string& out, const CallableType& type, const PrintOptions& options) {
    const auto& parameters = as<TupleType>(*type.parameters);
    std::string list;
    const auto add = [&list](const std::string& part) { list += (list.empty() ? "" : ", ") + part; };
    for (const TypePtr& parameter : parameters.types) {
        if (parameter->kind() == TypeKind::Unit) continue;
        std::string printed;
        parameter->print_inside(printed, options);
        add(printed);
    }
    if (parameters.types.empty()) {
        add("0, 0");
    } else if (parameters.size && !range(*parameters.size).unbounded()) {
        std::string printed;
        parameters.size->print(printed, {});
        add(printed.substr(8, printed.size() - 9));
    }
    if (type.block) {
        std::string printed;
        type.block->print_inside(printed, options);
        add(printed);
    }
    out += list;
}

}  // namespace

CallableType::CallableType(TypePtr parameter_tuple, TypePtr block_type, TypePtr result_type)
    : Type(TypeKind::Callable),
      parameters(std::move(parameter_tuple)),
      block(std::move(block_type)),
      return_type(result_type && result_type->kind() == TypeKind::Any ? TypePtr() : std::move(result_type)) {}

bool CallableType::accepts_arguments(const Type& arguments) const {
    TypeGuard guard;
    if (!parameters) return true;
    const auto& given = as<TupleType>(arguments).types;
    if (!given.empty() && given.back()->is_callable()) {
        if (!block || !block->assignable(*given.back(), guard)) return false;
        const TypePtr none = given.size() == 1 ? size_range(0, 0) : TypePtr();
        const TypePtr plain = tuple(std::vector<TypePtr>(given.begin(), given.end() - 1), none);
        return parameters->assignable(*plain, guard);
    }
    return parameters->assignable(arguments, guard) && (!block || block->assignable(*undef(), guard));
}

bool CallableType::instance(const Value& value, TypeGuard& guard) const {
    return value.is(Kind::Callable) && assignable(*value.as<CallableObject>().type(), guard);
}

TypePtr CallableType::generalize() const {
    const NestingGuard nesting;
    if (!parameters && !block && !return_type) return self();
    return make_shared_object<CallableType>(parameters ? parameters->generalize() : parameters,
                                            block ? block->generalize() : block,
                                            return_type ? return_type->generalize() : return_type);
}

TypePtr CallableType::normalize() const {
    if (!parameters && !block && !return_type) return self();
    return make_shared_object<CallableType>(parameters ? parameters->normalize() : parameters,
                                            block ? block->normalize() : block,
                                            return_type ? return_type->normalize() : return_type);
}

void CallableType::print(std::string& out, const PrintOptions& options) const {
    out += "Callable";
    if (!return_type) {
        if (!parameters) return;
        out += "[";
        append_parameters(out, *this, options);
        out += "]";
        return;
    }
    out += "[[";
    if (parameters) append_parameters(out, *this, options);
    out += "], ";
    return_type->print_inside(out, options);
    out += "]";
}

void CallableType::for_each_contained(const std::function<void(const Type&)>& visit) const {
    for (const TypePtr& part : {parameters, block, return_type}) {
        if (part) visit(*part);
    }
}

/// What is called decides: its parameters may be wider, its result narrower.
bool CallableType::accepts(const Type& other, TypeGuard& guard) const {
    if (other.kind() != TypeKind::Callable) return false;
    const auto& that = as<CallableType>(other);
    if (return_type && !return_type->assignable(that.return_type ? *that.return_type : *any(), guard))
        return false;
    if (!parameters) return true;
    if (!that.parameters || !that.parameters->assignable(*parameters, guard)) return false;
    const TypePtr mine = block ? block : undef();
    const TypePtr theirs = that.block ? that.block : undef();
    return theirs->assignable(*mine, guard);
}

bool CallableType::same(const Type& other) const {
    const auto& that = as<CallableType>(other);
    return equal_or_both_null(parameters, that.parameters) && equal_or_both_null(block, that.block) &&
           equal_or_both_null(return_type, that.return_type);
}

}  // namespace volley::types
