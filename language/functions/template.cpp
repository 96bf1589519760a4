#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/legacy.hpp"
#include "language/functions/module_text.hpp"
#include "language/ruby/ruby.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::builtins {
namespace {

std::string template_render(CallContext& context, const std::string& name) {
    context.evaluator.log(Severity::Debug, "Retrieving template " + name, context.frame, {});
    const auto file = module_text(context, "templates", name);
    if (!file) throw EvalError("", "Could not find template '" + name + "'");
    try {
        return context.environment().ruby().render(context, file->text, file->path,
                                                   "'" + name + "' (" + file->path + ")");
    } catch (const RubyError& error) {
        throw EvalError(
            "", "Failed to parse template " + name + ":\n  Filepath: " + error.fault.template_file +
                    "\n  Line: " + error.fault.template_line + "\n  Detail: " + error.fault.message + "\n");
    }
}

Value template_call(CallContext& context, std::span<const Value> args) {
    require_catalog(context, "ERB template");
    std::string result;
    for (const Value& name : args) result += template_render(context, ruby_to_s(name));
    return result;
}

}  // namespace

const Builtin& template_builtin() {
    static const Builtin def{
        .name = "template",
        .doc =
            "Renders ERB templates of modules, such as 'module/file.erb', with the variables of the scope, "
            "and "
            "puts the results together. Needs a ruby on PATH only for Ruby that is not native.",
        .pure = true,
        .dispatches = {legacy_dispatch(template_call)},
        .legacy_arity = -2,
        .file = FileArgument{0, "templates"},
    };
    return def;
}

}  // namespace volley::builtins
