#include "language/functions/builtin.hpp"
#include "language/slice_error.hpp"
#include "language/text/ruby_text.hpp"
#include "language/types/type.hpp"

namespace volley::builtins {
namespace {

[[noreturn]] void fail_dig(std::string_view issue, const std::string& what, const std::vector<Value>& walked,
                           std::string_view culprit, const Value& found) {
    const TypePtr type = infer(found);
    const Value path(walked);
    throw SliceError(
        issue, "The given data " + what + " at " + ruby_inspect(path) + ", got '" + to_string(*type) + "'",
        HashBuilder().set("walked_path", path).set(Value(culprit), Value(type)).build());
}

Value dig(CallContext&, std::span<const Value> args) {
    Value current = args[0];
    std::vector<Value> walked;
    for (const Value& key : args.subspan(1)) {
        if (current.is_undef() || key.is_undef()) return {};
        if (!current.is_array() && !current.is_hash())
            fail_dig("EXPECTED_COLLECTION", "does not contain a Collection", walked, "value_type", current);
        walked.push_back(key);
        if (current.is_hash()) {
            const Value* found = current.as_hash().find(key);
            current = found ? *found : Value();
            continue;
        }
        if (!key.is(Kind::Integer))
            fail_dig("EXPECTED_INTEGER_INDEX", "requires an Integer index", walked, "index_type", key);
        const auto size = static_cast<std::int64_t>(current.as_array().size());
        const std::int64_t index = key.as_integer() < 0 ? size + key.as_integer() : key.as_integer();
        current = index < 0 || index >= size ? Value() : current.as_array()[static_cast<std::size_t>(index)];
    }
    return current;
}

}  // namespace

const Builtin& dig_builtin() {
    static const Builtin def{
        .name = "dig",
        .doc = "Walks into nested collections by keys and indexes.",
        .pure = true,
        .dispatches = {{.params = {{"Optional[Collection]", "data"}, {"Any", "arg", Dispatch::Repeated}},
                        .call = dig}},
    };
    return def;
}

}  // namespace volley::builtins
