#include "language/evaluator/iterate.hpp"
#include "language/functions/iteration.hpp"
#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_merge_hashes(CallContext&, std::span<const Value> args) {
    HashBuilder result;
    for (const Value& value : args) {
        if (!value.is_hash()) continue;
        for (const auto& entry : value.as_hash()) result.set(entry.key, entry.value);
    }
    return result.build();
}

template <bool Indexed>
Value stdlib_merge_block(CallContext& context, std::span<const Value> args) {
    if (args.size() != 1)
        fail("wrong number of arguments (given " + std::to_string(args.size()) + ", expected 1)");
    Value merged = HashBuilder().build();
    const bool pairs = hash_style(args[0]);
    std::int64_t position = 0;
    const bool walked = iterate(args[0], [&](const Value& item) {
        std::vector<Value> arguments{merged};
        if (Indexed && pairs) {
            arguments.push_back(item.as_array()[0]);
            arguments.push_back(item.as_array()[1]);
        } else {
            if (Indexed) arguments.emplace_back(position++);
            arguments.push_back(item);
        }
        const Value more = context.yield(std::move(arguments));
        if (!more.is_hash()) return true;
        HashBuilder builder(merged.as_hash());
        for (const auto& entry : more.as_hash()) builder.set(entry.key, entry.value);
        merged = builder.build();
        return true;
    });
    if (!walked) fail("merge(): " + to_string(*infer(args[0])) + " is not an Iterable");
    return merged;
}

}  // namespace

const Builtin& merge_function() {
    static const Builtin def{
        .name = "merge",
        .doc =
            "Hashes merged into one; of equal keys the last counts. With a lambda of two or three "
            "parameters: the hashes that it returns for each element (it gets what is merged so far first).",
        .pure = true,
        .dispatches =
            {
                {.params = {{"Variant[Hash[Scalar,Any], Undef, String[0,0]]", "args", Dispatch::Repeated}},
                 .returns = "Hash[Scalar,Any]",
                 .call = stdlib_merge_hashes},
                {.params = {{"Iterable", "args", Dispatch::Repeated}},
                 .block = "Callable[3,3]",
                 .returns = "Hash",
                 .call = stdlib_merge_block<true>},
                {.params = {{"Iterable", "args", Dispatch::Repeated}},
                 .block = "Callable[2,2]",
                 .returns = "Hash",
                 .call = stdlib_merge_block<false>},
            },
    };
    return def;
}

}  // namespace volley::stdlib
