#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/json_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_without_undef(const Value& value) {
    if (value.is_array()) {
        std::vector<Value> kept;
        for (const Value& item : value.as_array()) {
            if (!item.is_undef()) kept.push_back(item);
        }
        return kept;
    }
    HashBuilder kept;
    for (const auto& entry : value.as_hash()) {
        if (!entry.value.is_undef()) kept.set(entry.key, entry.value);
    }
    return kept.build();
}

void stdlib_take(const Value* given, std::string& into) {
    if (given && given->is_string()) into = given->as_string();
}

Value stdlib_to_json_pretty(CallContext&, std::span<const Value> args) {
    JsonLayout layout{.indent = "  ", .space = " ", .object_line = "\n", .array_line = "\n"};
    if (args.size() > 2) {
        const Hash& options = args[2].as_hash();
        stdlib_take(options.find("indent"), layout.indent);
        stdlib_take(options.find("space"), layout.space);
        stdlib_take(options.find("space_before"), layout.space_before);
        stdlib_take(options.find("object_nl"), layout.object_line);
        stdlib_take(options.find("array_nl"), layout.array_line);
    }
    const bool skip = args.size() > 1 && args[1].truthy();
    return json_text(skip ? stdlib_without_undef(args[0]) : args[0], layout) + "\n";
}

}  // namespace

const Builtin& to_json_pretty_function() {
    static const Builtin def{
        .name = "to_json_pretty",
        .doc =
            "A list or hash as JSON over several lines, with undef entries left out when asked, and options "
            "for the layout.",
        .pure = true,
        .dispatches =
            {{.params = {{"Variant[Hash, Array]", "data"},
                         {"Optional[Boolean]", "skip_undef", Dispatch::Optional},
                         {"Struct[{indent => Optional[String], space => Optional[String], space_before => "
                          "Optional[String], object_nl => Optional[String], array_nl => Optional[String], "
                          "allow_nan => Optional[Boolean], max_nesting => Optional[Integer[-1,default]]}]",
                          "opts", Dispatch::Optional}},
              .call = stdlib_to_json_pretty}},
    };
    return def;
}

}  // namespace volley::stdlib
