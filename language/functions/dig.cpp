#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/ruby_text.hpp"
#include "language/types/type.hpp"

namespace volley::builtins {
namespace {

Value dig(CallContext&, std::span<const Value> args) {
    Value current = args[0];
    std::vector<Value> walked;
    for (const Value& key : args.subspan(1)) {
        if (current.is_undef() || key.is_undef()) return {};
        if (!current.is_array() && !current.is_hash()) {
            throw EvalError("EXPECTED_COLLECTION", "The given data does not contain a Collection at " +
                                                       ruby_inspect(Value(walked)) + ", got '" +
                                                       to_string(*infer(current)) + "'");
        }
        walked.push_back(key);
        if (current.is_hash()) {
            const Value* found = current.as_hash().find(key);
            current = found ? *found : Value();
            continue;
        }
        if (!key.is(Kind::Integer)) {
            throw EvalError("EXPECTED_INTEGER_INDEX", "The given data requires an Integer index at " +
                                                          ruby_inspect(Value(walked)) + ", got '" +
                                                          to_string(*infer(key)) + "'");
        }
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
        .dispatches = {{.params = {{"Optional[Collection]", "data"}, {"Any", "arg", Dispatch::Repeated}},
                        .call = dig}},
    };
    return def;
}

}  // namespace volley::builtins
