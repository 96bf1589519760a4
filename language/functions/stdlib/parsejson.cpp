#include <nlohmann/json.hpp>

#include "language/functions/stdlib/common.hpp"
#include "language/serialization/json.hpp"
#include "language/text/ruby_text.hpp"
#include "support/json/json_reader.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_parsejson(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("Wrong number of arguments. 1 or 2 arguments should be provided.");
    Value otherwise = args.size() > 1 ? args[1] : Value();
    std::string fault;
    const Json data = try_parse_json(ruby_to_s(args[0]), fault);
    if (data.is_discarded()) {
        if (!otherwise.truthy()) fail("parsejson(): the text is not valid JSON: " + fault);
        return otherwise;
    }
    const Value value = from_json(data);
    return value.truthy() ? value : otherwise;
}

}  // namespace

const Builtin& parsejson_function() {
    static const Builtin def{
        .name = "parsejson",
        .doc =
            "The data that a JSON text stands for; a second argument is returned for a text that cannot be "
            "read.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_parsejson)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
