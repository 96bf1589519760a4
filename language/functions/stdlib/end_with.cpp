#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_end_with(CallContext&, std::span<const Value> args) {
    return holds_of_any(args,
                        [](std::string_view text, std::string_view other) { return text.ends_with(other); });
}

}  // namespace

const Builtin& end_with_function() {
    static const Builtin def{
        .name = "stdlib::end_with",
        .doc = "Whether a text ends with a text, or with one of several.",
        .pure = true,
        .dispatches = {{.params = {{"String", "test_string"},
                                   {"Variant[String[1],Array[String[1], 1]]", "suffixes"}},
                        .returns = "Boolean",
                        .call = stdlib_end_with}},
    };
    return def;
}

}  // namespace volley::stdlib
