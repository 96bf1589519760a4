#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"
#include "language/text/characters_case.hpp"
#include "support/text.hpp"

namespace volley::builtins {
namespace {

Value camelcase_change(CallContext&, std::span<const Value> args) {
    return each_string(args[0], [](const std::string& text) {
        std::string result;
        for (const std::string& part : split(text, '_')) result += to_capitalized(part);
        return result;
    });
}

}  // namespace

const Builtin& camelcase_builtin() {
    static const Builtin def{
        .name = "camelcase",
        .doc = "Words joined by underscores as one word of capitalized parts.",
        .pure = true,
        .dispatches = {string_or_list_dispatches(camelcase_change)},
    };
    return def;
}

}  // namespace volley::builtins
