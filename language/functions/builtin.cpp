#include "language/functions/builtin.hpp"

#include <algorithm>
#include <unordered_map>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/legacy.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

using namespace types;

/// The parsed signature of a dispatch.
struct Parsed {
    std::vector<TypePtr> types;
    std::int64_t low = 0;
    std::int64_t high = 0;
    TypePtr block;
    Signature signature;

    bool accepts(std::span<const Value> arguments, const TypePtr& block_type) const {
        const auto count = static_cast<std::int64_t>(arguments.size());
        if (count < low || count > high) return false;
        TypeGuard guard;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (!types[std::min(i, types.size() - 1)]->instance(arguments[i], guard)) return false;
        }
        if (!block_type) return !block || is_assignable(*block, *undef());
        return block && is_assignable(*block, *block_type);
    }
};

Parsed parse(const Dispatch& dispatch, TypeLoader& loader) {
    Parsed result;
    for (const Dispatch::Parameter& parameter : dispatch.params) {
        result.types.push_back(parse_type(parameter.type, loader));
        result.signature.names.emplace_back(parameter.name);
        const bool required =
            parameter.arity == Dispatch::Required || parameter.arity == Dispatch::RequiredRepeated;
        const bool repeats =
            parameter.arity == Dispatch::Repeated || parameter.arity == Dispatch::RequiredRepeated;
        result.low += required ? 1 : 0;
        result.high = repeats ? RangeType::highest : result.high + 1;
    }
    if (!dispatch.block.empty()) result.block = parse_type(dispatch.block, loader);
    const TypePtr parameters = tuple(result.types, size_range(result.low, result.high));
    result.signature.callable = make_shared_object<CallableType>(parameters, result.block, TypePtr());
    return result;
}

/// Signatures are parsed once for each builtin and thread, at its first call.
const std::vector<Parsed>& parsed(const Builtin& builtin) {
    thread_local std::unordered_map<const Builtin*, std::vector<Parsed>> cache;
    const auto known = cache.find(&builtin);
    if (known != cache.end()) return known->second;
    TypeLoader loader([&builtin](std::string_view wanted) -> std::optional<std::string> {
        for (const auto& [name, meaning] : builtin.local_types) {
            if (lower(name) == wanted) return "type " + std::string(name) + " = " + std::string(meaning);
        }
        return std::nullopt;
    });
    if (builtin.native_types) loader.add(*builtin.native_types);
    std::vector<Parsed> list;
    for (const Dispatch& dispatch : builtin.dispatches) list.push_back(parse(dispatch, loader));
    return cache.emplace(&builtin, std::move(list)).first->second;
}

TypePtr argument_types(std::span<const Value> arguments, const TypePtr& block) {
    std::vector<TypePtr> types;
    for (const Value& argument : arguments) types.push_back(infer_set(argument));
    if (block) types.push_back(block);
    return types.empty() ? tuple({}, size_range(0, 0)) : tuple(std::move(types));
}

}  // namespace

Value CallContext::yield(std::vector<Value> arguments) const { return block->call(std::move(arguments)); }

std::size_t CallContext::block_arity() const { return block->parameter_count(); }

Environment& CallContext::environment() const { return evaluator.environment(); }

std::vector<Signature> Builtin::signatures() const {
    std::vector<Signature> result;
    const auto& list = parsed(*this);
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!dispatches[i].explains) result.push_back(list[i].signature);
    }
    return result;
}

Value Builtin::invoke(CallContext& context, std::span<const Value> arguments) const {
    if (legacy_arity) {
        const std::vector<Value> converted = legacy_arguments(arguments);
        check_legacy_arity(name, *legacy_arity, converted.size());
        return dispatches.front().call(context, converted);
    }
    const auto& list = parsed(*this);
    const TypePtr block = context.block ? context.block->type() : TypePtr();
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].accepts(arguments, block)) return dispatches[i].call(context, arguments);
    }
    throw EvalError("", describe_signatures(name, signatures(), argument_types(arguments, block)));
}

}  // namespace volley
