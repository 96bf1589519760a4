#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/functions/legacy.hpp"
#include "language/functions/ruby_random.hpp"
#include "language/text/characters_case.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::builtins {
namespace {

std::string node_name(CallContext& context) {
    const auto facts = context.evaluator.find_variable("facts", context.evaluator.top());
    const Value* networking = facts && facts->is_hash() ? facts->as_hash().find("networking") : nullptr;
    const Value* fqdn = networking && networking->is_hash() ? networking->as_hash().find("fqdn") : nullptr;
    return fqdn ? ruby_to_s(*fqdn) : "";
}
Value fqdn_rand(CallContext& context, std::span<const Value> args) {
    const std::int64_t limit = std::strtoll(ruby_to_s(args[0]).c_str(), nullptr, 10);
    if (limit <= 0) throw EvalError("", "invalid argument - " + std::to_string(limit));
    std::string name = node_name(context);
    if (args.size() > 2 && args[2].truthy()) name = to_lower(name);
    const std::string seed = args.size() > 1 ? ruby_to_s(args[1]) : "";
    return ruby_random(digest_text("MD5", name + ":" + std::to_string(limit) + ":" + seed), limit);
}

}  // namespace

const Builtin& fqdn_rand_builtin() {
    static const Builtin def{
        .name = "fqdn_rand",
        .doc = "A number below a limit that is always the same for one node and seed.",
        .pure = true,
        .reads_variables = true,
        .dispatches = {legacy_dispatch(fqdn_rand)},
        .legacy_arity = -2,
    };
    return def;
}

}  // namespace volley::builtins
