#include "language/functions/builtin.hpp"

#include <unordered_map>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/legacy.hpp"
#include "language/functions/signature_set.hpp"
#include "language/types/parse.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

/// Signatures are parsed once for each builtin and thread, at its first call.
const SignatureSet& parsed_signatures(const Builtin& builtin) {
    thread_local std::unordered_map<const Builtin*, SignatureSet> cache;
    const auto known = cache.find(&builtin);
    if (known != cache.end()) return known->second;
    TypeLoader loader([&builtin](std::string_view wanted) -> std::optional<std::string> {
        for (const auto& [name, meaning] : builtin.local_types) {
            if (lower(name) != wanted) continue;
            if (meaning.starts_with('#')) return std::string(meaning);
            return "type " + std::string(name) + " = " + std::string(meaning);
        }
        return std::nullopt;
    });
    if (builtin.native_types) loader.add(*builtin.native_types);
    return cache.emplace(&builtin, SignatureSet(builtin.dispatches, loader)).first->second;
}

}  // namespace

Value CallContext::yield(std::vector<Value> arguments) const { return block->call(std::move(arguments)); }

Value CallContext::yield_moving(std::span<Value> arguments) const { return block->call_moving(arguments); }

std::size_t CallContext::block_arity() const { return block->parameter_count(); }

Environment& CallContext::environment() const { return evaluator.environment(); }

std::vector<Signature> Builtin::signatures() const { return parsed_signatures(*this).signatures(); }

std::optional<TypePtr> Builtin::result_type(std::span<const Value> arguments) const {
    if (legacy_arity) return TypePtr();
    return parsed_signatures(*this).result_type(arguments);
}

Value Builtin::invoke(CallContext& context, std::span<const Value> arguments) const {
    if (legacy_arity) {
        const std::vector<Value> converted = legacy_arguments(arguments);
        check_legacy_arity(name, *legacy_arity, converted.size());
        return dispatches.front().call(context, converted);
    }
    const std::size_t index =
        parsed_signatures(*this).choose(name, arguments, context.block, native_types != nullptr);
    return dispatches[index].call(context, arguments);
}

}  // namespace volley
