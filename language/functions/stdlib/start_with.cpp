#include <algorithm>

#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_start_with(CallContext&, std::span<const Value> args) {
    const std::string& text = args[0].as_string();
    if (args[1].is_string()) return text.starts_with(args[1].as_string());
    const Array& any = args[1].as_array();
    return std::any_of(any.begin(), any.end(),
                       [&text](const Value& one) { return text.starts_with(one.as_string()); });
}

}  // namespace

const Builtin& start_with_function() {
    static const Builtin def{
        .name = "stdlib::start_with",
        .doc = "Whether a text begins with a text, or with one of several.",
        .dispatches = {{.params = {{"String", "test_string"},
                                   {"Variant[String[1],Array[String[1], 1]]", "prefixes"}},
                        .returns = "Boolean",
                        .call = stdlib_start_with}},
    };
    return def;
}

}  // namespace volley::stdlib
