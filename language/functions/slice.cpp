#include "language/errors.hpp"
#include "language/evaluator/closure.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/iterate.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value slice(CallContext& context, std::span<const Value> args) {
    const auto size = static_cast<std::size_t>(args[1].as_integer());
    const bool rest = context.block && context.block->last_captures_rest();
    const std::size_t serving = !context.block ? 1 : rest ? size : context.block_arity();
    if (serving == 0) throw EvalError("", "slice(): block must define at least one parameter. Block has 0.");
    if (serving != 1 && serving != size) {
        throw EvalError(
            "",
            "slice(): block must define one parameter, or the same number of parameters as the given size "
            "of the slice (" +
                std::to_string(size) + "). Block has " + std::to_string(serving) + "; " +
                context.block->parameter_names());
    }
    const Value all = iterate_all(args[0]);
    std::vector<Value> pieces;
    try {
        for (std::size_t begin = 0; begin < all.as_array().size(); begin += size) {
            const auto& items = all.as_array().items();
            const auto first = items.begin() + static_cast<std::ptrdiff_t>(begin);
            std::vector<Value> piece(
                first, first + static_cast<std::ptrdiff_t>(std::min(size, items.size() - begin)));
            if (!context.block) {
                pieces.push_back(std::move(piece));
            } else if (serving == 1) {
                context.yield({Value(std::move(piece))});
            } else {
                piece.resize(serving, args[0].is_hash() ? Value(std::vector<Value>()) : Value());
                context.yield(std::move(piece));
            }
        }
    } catch (const Jump& jump) {
        if (jump.kind != Jump::Kind::Break) throw;
    }
    return context.block ? args[0] : Value(std::move(pieces));
}

}  // namespace

const Builtin& slice_builtin() {
    static const Builtin def{
        .name = "slice",
        .doc = "Cuts a collection into pieces of a size.",
        .pure = true,
        .dispatches = {{.params = {{"Hash[Any, Any]", "hash"}, {"Integer[1, default]", "slice_size"}},
                        .block = "Optional[Callable]",
                        .call = slice},
                       {.params = {{"Iterable", "enumerable"}, {"Integer[1, default]", "slice_size"}},
                        .block = "Optional[Callable]",
                        .call = slice}},
    };
    return def;
}

}  // namespace volley::builtins
