#include "language/evaluator/epp.hpp"

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value epp(CallContext& context, std::span<const Value> args) {
    std::string name = args[0].as_string();
    if (!name.ends_with(".epp")) name += ".epp";
    context.evaluator.log(Severity::Debug, "Retrieving epp template " + name, context.frame, {});
    const auto file = context.environment().host.module_file("templates", name);
    if (!file) throw EvalError("", "Could not find template '" + name + "'");
    return render_epp(context, file->text, file->path, args.size() > 1 ? &args[1] : nullptr);
}

}  // namespace

const Builtin& epp_builtin() {
    static const Builtin def{
        .name = "epp",
        .doc = "Renders a template of a module.",
        .reads_variables = true,
        .dispatches = {{.params = {{"String", "path"},
                                   {"Hash[Pattern[/^\\w+$/], Any]", "parameters", Dispatch::Optional}},
                        .returns = "Variant[String, Sensitive[String]]",
                        .call = epp}},
        .file = FileArgument{0, "templates"},
    };
    return def;
}

}  // namespace volley::builtins
