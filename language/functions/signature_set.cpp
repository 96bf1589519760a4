#include "language/functions/signature_set.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/evaluator/closure.hpp"
#include "language/types/explain.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

TypePtr signature_argument_types(std::span<const Value> arguments, const TypePtr& block) {
    std::vector<TypePtr> types;
    for (const Value& argument : arguments) types.push_back(infer_set(argument));
    if (block) types.push_back(block);
    return types.empty() ? types::tuple({}, types::size_range(0, 0)) : types::tuple(std::move(types));
}

}  // namespace

bool SignatureSet::Parsed::accepts(std::span<const Value> arguments, const TypePtr& block_type) const {
    const auto count = static_cast<std::int64_t>(arguments.size());
    if (count < low || count > high) return false;
    TypeGuard guard;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!types[std::min(i, types.size() - 1)]->instance(arguments[i], guard)) return false;
    }
    if (!block_type) return !block || is_assignable(*block, *types::undef());
    return block && is_assignable(*block, *block_type);
}

SignatureSet::Parsed SignatureSet::parse(const Dispatch& dispatch, TypeLoader& loader) {
    Parsed result;
    result.explains = dispatch.explains;
    for (const Dispatch::Parameter& parameter : dispatch.params) {
        result.types.push_back(parse_type(parameter.type, loader));
        result.signature.names.emplace_back(parameter.name);
        const bool required =
            parameter.arity == Dispatch::Required || parameter.arity == Dispatch::RequiredRepeated;
        const bool repeats =
            parameter.arity == Dispatch::Repeated || parameter.arity == Dispatch::RequiredRepeated;
        result.low += required ? 1 : 0;
        result.high = repeats ? types::RangeType::highest : result.high + 1;
    }
    if (!dispatch.returns.empty()) result.returns = parse_type(dispatch.returns, loader);
    if (!dispatch.block.empty()) result.block = parse_type(dispatch.block, loader);
    const TypePtr parameters = types::tuple(result.types, types::size_range(result.low, result.high));
    result.signature.callable = make_shared_object<types::CallableType>(parameters, result.block, TypePtr());
    return result;
}

SignatureSet::SignatureSet(std::span<const Dispatch> dispatches, TypeLoader& loader) {
    for (const Dispatch& dispatch : dispatches) list_.push_back(parse(dispatch, loader));
}

void SignatureSet::name_blocks(std::span<const std::string> names) {
    for (std::size_t i = 0; i < list_.size() && i < names.size(); ++i)
        list_[i].signature.block_name = names[i];
}

std::optional<TypePtr> SignatureSet::result_type(std::span<const Value> arguments) const {
    const auto found = std::find_if(list_.begin(), list_.end(), [&](const Parsed& parsed) {
        return parsed.accepts(arguments, TypePtr());
    });
    return found == list_.end() ? std::nullopt : std::optional(found->returns);
}

std::size_t SignatureSet::choose(std::string_view function, std::span<const Value> arguments,
                                 const Closure* block, bool plain_words) const {
    const TypePtr type = block ? block->type() : TypePtr();
    const auto found = std::find_if(list_.begin(), list_.end(),
                                    [&](const Parsed& parsed) { return parsed.accepts(arguments, type); });
    if (found != list_.end()) return static_cast<std::size_t>(found - list_.begin());
    const TypePtr given = signature_argument_types(arguments, type);
    throw EvalError("", plain_words ? explain_signatures(function, signatures(), given)
                                    : describe_signatures(function, signatures(), given));
}

std::vector<Signature> SignatureSet::signatures() const {
    std::vector<Signature> result;
    for (const Parsed& parsed : list_) {
        if (!parsed.explains) result.push_back(parsed.signature);
    }
    return result;
}

}  // namespace volley
