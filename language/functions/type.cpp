#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value detailed(CallContext&, std::span<const Value> args) { return infer_set(args[0]); }
Value reduced(CallContext&, std::span<const Value> args) { return infer(args[0]); }
Value generalized(CallContext&, std::span<const Value> args) { return infer(args[0])->generalize(); }

}  // namespace

const Builtin& type_builtin() {
    static const Builtin def{
        .name = "type",
        .doc = "The type of a value.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "value"},
                                   {"Enum[detailed]", "inference_method", Dispatch::Optional}},
                        .call = detailed},
                       {.params = {{"Any", "value"}, {"Enum[reduced]", "inference_method"}}, .call = reduced},
                       {.params = {{"Any", "value"}, {"Enum[generalized]", "inference_method"}},
                        .call = generalized}},
    };
    return def;
}

}  // namespace volley::builtins
