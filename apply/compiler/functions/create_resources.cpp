#include "apply/compiler/compiler.hpp"
#include "apply/compiler/resources/references.hpp"
#include "language/errors.hpp"
#include "language/functions/legacy.hpp"
#include "language/text/ruby_text.hpp"
#include "support/text.hpp"

namespace volley::compiler_functions {
namespace {

void check_arguments(std::span<const Value> args) {
    if (args.size() > 3) {
        throw EvalError("", "create_resources(): wrong number of arguments (" + std::to_string(args.size()) +
                                "; must be 2 or 3)");
    }
    if (!args[1].is_hash()) throw EvalError("", "create_resources(): second argument must be a hash");
    if (args.size() == 3 && !args[2].is_hash())
        throw EvalError("", "create_resources(): third argument, if provided, must be a hash");
    if (!args[0].is_string()) throw EvalError("", "create_resources(): first argument must be a string");
}

std::vector<ResourceParameter> parameters_in(const Hash& hash, Compiler& compiler, const Scope& scope) {
    std::vector<ResourceParameter> parameters;
    for (const auto& one : hash) {
        const std::string name = ruby_to_s(one.key);
        parameters.push_back(compiler.make_parameter(name, to_parameter_value(name, one.value), scope));
    }
    return parameters;
}

Value create_resources(CallContext& context, std::span<const Value> args) {
    Compiler& compiler = Compiler::of(context);
    check_arguments(args);
    Scope& scope = compiler.scope_of(context.frame);
    const Scope::Declaring declaring(scope, context.frame);
    const std::string type = args[0].as_string();
    const Location at = context.at;
    Compiler::Declaration declaration;
    declaration.exported = type.starts_with("@@");
    declaration.is_virtual = type.starts_with("@");
    declaration.type =
        lower(std::string_view(type).substr(declaration.exported ? 2 : declaration.is_virtual));
    if (declaration.type == "class" && declaration.is_virtual) {
        throw EvalError("CLASS_NOT_VIRTUALIZABLE", "Evaluation Error: Classes are not virtualizable",
                        {at.file, at.line, 0});
    }
    // Compatibility: where the code has no file, these resources have one of this name.
    declaration.at = compiler.keep({at.file.empty() ? "unknown" : at.file, at.line, 0});
    std::vector<ResourceParameter> defaults;
    if (args.size() == 3) defaults = parameters_in(args[2].as_hash(), compiler, scope);
    std::vector<Value> created;
    for (const auto& entry : args[1].as_hash()) {
        if (!entry.value.is_hash())
            throw EvalError("", "no implicit conversion of " + ruby_class(entry.value) + " into Hash");
        const std::vector<ResourceParameter> parameters =
            merged_parameters(defaults, parameters_in(entry.value.as_hash(), compiler, scope));
        const std::vector<Value> titles =
            entry.key.is_array() ? entry.key.as_array().items() : std::vector<Value>{entry.key};
        for (Value& reference : compiler.declare(declaration, titles, parameters, scope))
            created.push_back(std::move(reference));
    }
    return {};
}

}  // namespace

const Builtin& create_resources_builtin() {
    static const Builtin def{
        .name = "create_resources",
        .doc = "Declares resources of one type from a hash of titles and their parameters.",
        .dispatches = {legacy_dispatch(create_resources)},
        .legacy_arity = -3,
    };
    return def;
}

}  // namespace volley::compiler_functions
