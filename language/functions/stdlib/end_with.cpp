#include <algorithm>

#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_end_with(CallContext&, std::span<const Value> args) {
    const std::string& text = args[0].as_string();
    if (args[1].is_string()) return text.ends_with(args[1].as_string());
    const Array& any = args[1].as_array();
    return std::any_of(any.begin(), any.end(),
                       [&text](const Value& one) { return text.ends_with(one.as_string()); });
}

}  // namespace

const Builtin& end_with_function() {
    static const Builtin def{
        .name = "stdlib::end_with",
        .doc = "Whether a text ends with a text, or with one of several.",
        .dispatches = {{.params = {{"String", "test_string"},
                                   {"Variant[String[1],Array[String[1], 1]]", "suffixes"}},
                        .returns = "Boolean",
                        .call = stdlib_end_with}},
    };
    return def;
}

}  // namespace volley::stdlib
