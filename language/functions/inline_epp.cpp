#include "language/evaluator/epp.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value inline_epp(CallContext& context, std::span<const Value> args) {
    return render_epp(context, args[0].as_string(), "", args.size() > 1 ? &args[1] : nullptr);
}

}  // namespace

const Builtin& inline_epp_builtin() {
    static const Builtin def{
        .name = "inline_epp",
        .doc = "Renders a template given as text.",
        .reads_variables = true,
        .dispatches = {{.params = {{"String", "template"},
                                   {"Hash[Pattern[/^\\w+$/], Any]", "parameters", Dispatch::Optional}},
                        .returns = "Variant[String, Sensitive[String]]",
                        .call = inline_epp}},
    };
    return def;
}

}  // namespace volley::builtins
