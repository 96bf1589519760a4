#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/yaml_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_to_yaml(CallContext&, std::span<const Value> args) {
    YamlLayout layout;
    if (args.size() > 1) {
        const Value* indentation = args[1].as_hash().find("indentation");
        const Value* width = args[1].as_hash().find("line_width");
        if (indentation && indentation->is(Kind::Integer) && indentation->as_integer() > 1 &&
            indentation->as_integer() < 10) {
            layout.indentation = static_cast<std::size_t>(indentation->as_integer());
        }
        if (width && width->is(Kind::Integer)) {
            layout.folds = width->as_integer() > 0;
            layout.width =
                width->as_integer() < 0 ? std::string::npos : static_cast<std::size_t>(width->as_integer());
        }
    }
    return yaml_text(args[0], layout);
}

}  // namespace

const Builtin& to_yaml_function() {
    static const Builtin def{
        .name = "to_yaml",
        .doc = "A value as YAML. Options: indentation (1 to 9) and line_width.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "data"}, {"Hash", "options", Dispatch::Optional}},
                        .call = stdlib_to_yaml}},
    };
    return def;
}

}  // namespace volley::stdlib
