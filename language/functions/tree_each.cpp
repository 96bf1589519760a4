#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/tree_walk.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

const Value* options_of(std::span<const Value> args) { return args.size() > 1 ? &args[1] : nullptr; }
template <bool Two>
Value tree_each_with_lambda(CallContext& context, std::span<const Value> args) {
    const Value sequence = tree_sequence(args[0], options_of(args));
    try {
        sequence.as<LazySequence>().walk([&](const Value& step) {
            const Array& pair = step.as_array();
            if (Two)
                context.yield({pair[0], pair[1]});
            else
                context.yield({pair[1]});
            return true;
        });
    } catch (const Jump& jump) {
        if (jump.kind != Jump::Kind::Break) throw;
    }
    return args[0];
}
Value tree_each_lazy(CallContext&, std::span<const Value> args) {
    return tree_sequence(args[0], options_of(args));
}

}  // namespace

const Builtin& tree_each_builtin() {
    static const Builtin def{
        .name = "tree_each",
        .doc = "Walks over everything in nested lists and hashes, with the path to it.",
        .pure = true,
        .dispatches = {{.params = {{"Variant[Iterator, Array, Hash, Object]", "tree"},
                                   {"OptionsType", "options", Dispatch::Optional}},
                        .block = "Callable[2,2]",
                        .call = tree_each_with_lambda<true>},
                       {.params = {{"Variant[Iterator, Array, Hash, Object]", "tree"},
                                   {"OptionsType", "options", Dispatch::Optional}},
                        .block = "Callable[1,1]",
                        .call = tree_each_with_lambda<false>},
                       {.params = {{"Variant[Iterator, Array, Hash, Object]", "tree"},
                                   {"OptionsType", "options", Dispatch::Optional}},
                        .call = tree_each_lazy}},
        .local_types =
            {{"OptionsType",
              "Struct[{container_type => Optional[Type], include_root => Optional[Boolean], "
              "include_containers => Optional[Boolean], include_values => Optional[Boolean], order => "
              "Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}]"}},
    };
    return def;
}

}  // namespace volley::builtins
