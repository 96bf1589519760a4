#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_start_with(CallContext&, std::span<const Value> args) {
    return holds_of_any(
        args, [](std::string_view text, std::string_view other) { return text.starts_with(other); });
}

}  // namespace

const Builtin& start_with_function() {
    static const Builtin def{
        .name = "stdlib::start_with",
        .doc = "Whether a text begins with a text, or with one of several.",
        .pure = true,
        .dispatches = {{.params = {{"String", "test_string"},
                                   {"Variant[String[1],Array[String[1], 1]]", "prefixes"}},
                        .returns = "Boolean",
                        .call = stdlib_start_with}},
    };
    return def;
}

}  // namespace volley::stdlib
