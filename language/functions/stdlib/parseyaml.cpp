#include <nlohmann/json.hpp>

#include "language/functions/stdlib/common.hpp"
#include "language/serialization/json.hpp"
#include "language/text/ruby_text.hpp"
#include "support/error.hpp"
#include "support/yaml/document.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_parseyaml(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("Wrong number of arguments. 1 or 2 arguments should be provided.");
    Value otherwise = args.size() > 1 ? args[1] : Value();
    try {
        const auto document =
            yaml::Document::parse(ruby_to_s(args[0]), {.name = "<unknown>", .what = "YAML text"});
        const Value value = from_json(document->root().to_json());
        return value.truthy() ? value : otherwise;
    } catch (const Error& error) {
        if (!otherwise.truthy()) fail(std::string("parseyaml(): ") + error.what());
        return otherwise;
    }
}

}  // namespace

const Builtin& parseyaml_function() {
    static const Builtin def{
        .name = "parseyaml",
        .doc =
            "The data that a YAML text stands for; a second argument is returned for a text that cannot be "
            "read.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_parseyaml)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
