#pragma once

#include "language/functions/builtin.hpp"

namespace volley {

/// ceiling() and floor(): `rule` is applied to a Float, and, with a deprecation, to a text that holds one.
template <double (*rule)(double)>
Builtin rounding_function(std::string_view name, std::string_view doc);

namespace rounding {

/// An Integer as it is, a Float rounded.
Value of_number(const Value& number, double (*rule)(double));
/// A text that Ruby's Float() takes. Throws EvalError for others; reports the deprecation of the conversion.
Value of_text(CallContext& context, const Value& text, double (*rule)(double));

}  // namespace rounding

template <double (*rule)(double)>
Builtin rounding_function(std::string_view name, std::string_view doc) {
    return {
        .name = name,
        .doc = doc,
        .pure = true,
        .dispatches =
            {{.params = {{"Numeric", "val"}},
              .call = [](CallContext&,
                         std::span<const Value> args) { return rounding::of_number(args[0], rule); }},
             {.params = {{"String", "val"}},
              .call = [](CallContext& context,
                         std::span<const Value> args) { return rounding::of_text(context, args[0], rule); }}},
    };
}

}  // namespace volley
