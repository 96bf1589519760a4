#pragma once

#include "language/functions/builtin.hpp"

namespace volley {

/// defined(), which is true when one of its arguments is known: `text_known` decides on texts, `type_known`
/// on types that name classes and resources.
template <bool (*text_known)(CallContext&, const std::string&), bool (*type_known)(CallContext&, const Type&)>
Builtin defined_function() {
    const auto any_known = [](CallContext& context, std::span<const Value> args) -> Value {
        for (const Value& value : args) {
            if (value.is_string() ? text_known(context, value.as_string())
                                  : type_known(context, *value.as_type()))
                return true;
        }
        return false;
    };
    return {
        .name = "defined",
        .doc = "Whether one of several types, classes, declared resources or variables exists.",
        .pure = true,
        .reads_variables = true,
        .dispatches = {{.params = {{"Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]]", "vals",
                                    Dispatch::RequiredRepeated}},
                        .call = any_known}},
    };
}

}  // namespace volley
