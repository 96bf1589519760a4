#include "language/evaluator/evaluator.hpp"
#include "language/functions/stdlib/common.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/version_compare.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_os_version_gte(CallContext& context, std::span<const Value> args) {
    const Value facts = context.evaluator.find_variable("facts", context.evaluator.top()).value_or(Value());
    const auto fact = [&facts](const char* name) {
        const Value* value = facts.is_hash() ? facts.as_hash().find(name) : nullptr;
        return value ? ruby_to_s(*value) : std::string();
    };
    return fact("operatingsystem") == args[0].as_string() &&
           version_compare(fact("operatingsystemmajrelease"), args[1].as_string(), false) >= 0;
}

}  // namespace

const Builtin& os_version_gte_function() {
    static const Builtin def{
        .name = "os_version_gte",
        .doc =
            "Whether the node runs an operating system (the fact operatingsystem) of at least a major "
            "release.",
        .pure = true,
        .reads_variables = true,
        .dispatches = {{.params = {{"String[1]", "os"}, {"String[1]", "version"}},
                        .returns = "Boolean",
                        .call = stdlib_os_version_gte}},
    };
    return def;
}

}  // namespace volley::stdlib
