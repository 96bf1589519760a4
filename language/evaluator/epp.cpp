#include "language/evaluator/epp.hpp"

#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/types/mismatch.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

std::shared_ptr<const ast::Program> parse_template(CallContext& context, const std::string& text,
                                                   const std::string& path) {
    try {
        const auto checked = context.environment().epp_template(text, path);
        report_diagnostics(*checked, context.environment().host);
        return checked->program;
    } catch (const ParseError& error) {
        throw EvalError("", std::string(context.name) + "(): Invalid EPP: " + error.full_message());
    }
}

bool is_rendered_text(const Value& value) {
    return value.is_string() || (value.is(Kind::Sensitive) && value.unwrap_sensitive().is_string());
}

}  // namespace

Value render_epp(CallContext& context, const std::string& text, const std::string& path,
                 const Value* parameters) {
    const auto program = parse_template(context, text, path);
    const auto& lambda = ast::as<ast::Lambda>(*program->body);
    if (!program->definitions.empty()) {
        throw EvalError("", std::string(context.name) +
                                "(): The EPP template contains illegal expressions (definitions)");
    }
    const bool given = parameters && parameters->is_hash();
    const bool declared = ast::as<ast::Epp>(*lambda.body).parameters_specified;
    const Value none = HashBuilder().build();
    const FramePtr& scope = path.empty() ? context.frame : context.evaluator.top();
    // A template in a file sees no matches of whoever renders it, one in the program does.
    const Closure::Form form = path.empty() ? Closure::Form::Lambda : Closure::Form::Function;
    const Closure closure(context.evaluator, form, lambda.parameters, lambda.body, lambda.return_type, scope,
                          "lambda");
    try {
        Value result = closure.call_by_name((given ? *parameters : none).as_hash(), declared || !given);
        if (is_rendered_text(result)) return result;
        const TypePtr wanted = parse_type("Variant[String, Sensitive[String]]", context.environment().types);
        throw EvalError("", describe_mismatch("value returned from function '" + std::string(context.name) +
                                                  "' has wrong type,",
                                              wanted, infer_set(result)));
    } catch (const Jump& jump) {
        if (jump.kind == Jump::Kind::Break) throw;
        return jump.value;  // compatibility: of any type, unless next() returns from a template that declares
    }
}

}  // namespace volley
