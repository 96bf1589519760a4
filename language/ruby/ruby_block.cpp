#include "language/ruby/ruby_block.hpp"

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "language/evaluator/evaluator.hpp"
#include "language/execution_state.hpp"
#include "language/ruby/ruby.hpp"
#include "language/ruby/ruby_runner.hpp"
#include "language/syntax/parser.hpp"

namespace volley {
namespace {

// Of the frame around the lambda. Programs cannot name such variables.
constexpr std::string_view number_variable = "ruby block";
constexpr std::string_view lambda_variable = "ruby block's lambda";

Value run_ruby_block(CallContext& context, std::span<const Value> arguments) {
    const FramePtr& frame = context.frame;
    const Value* number = frame->find(number_variable);
    if (!number) throw EvalError("", "This function is for blocks of Ruby code only");
    const Value* lambda = frame->find(lambda_variable);
    Json numbers = Json::array();
    for (const Value& part : number->as_array()) numbers.push_back(part.as_integer());
    CallContext outside{context.evaluator, frame->parent() ? frame->parent()->parent() : frame,
                        lambda && lambda->is(Kind::Callable) ? &lambda->as<Closure>() : nullptr, context.name,
                        context.at};
    try {
        return context.environment().ruby().runner().call_block(outside, numbers, arguments);
    } catch (const LanguageError&) {
        // Another fiber has no Ruby code around that waits for it.
        if (!execution_state().inside) throw;
        throw RubyBlockRaised{std::current_exception()};
    }
}

const Builtin& ruby_block_builtin() {
    static const Builtin def{
        .name = "volley::ruby_block",
        .doc = "Runs a block of Ruby code.",
        .dispatches = {{.params = {{"Any", "arguments", Dispatch::Repeated}}, .call = run_ruby_block}},
    };
    return def;
}

/// A lambda with so many parameters, which calls that function with them.
std::string ruby_block_program(int arity) {
    const int required = arity < 0 ? -arity - 1 : arity;
    std::string parameters;
    std::string arguments;
    const auto add = [](std::string& list, const std::string& one) {
        list += (list.empty() ? "" : ", ") + one;
    };
    for (int i = 0; i < required; ++i) {
        add(parameters, "$p" + std::to_string(i));
        add(arguments, "$p" + std::to_string(i));
    }
    if (arity < 0) {
        add(parameters, "*$rest");
        add(arguments, "*$rest");
    }
    return "with() |" + parameters + "| { volley::ruby_block(" + arguments + ") }";
}

const ast::Lambda& ruby_block_lambda(Environment& environment, int arity) {
    thread_local std::map<int, std::shared_ptr<const ast::Program>> programs;
    std::shared_ptr<const ast::Program>& program = programs[arity];
    if (!program) program = parse_program(ruby_block_program(arity));
    environment.keep(program);
    const ast::Node* body = program->body;
    if (body->kind == ast::NodeKind::Block) body = ast::as<ast::Block>(*body).statements[0];
    return *ast::as<ast::Call>(*body).lambda;
}

}  // namespace

Ref<const Closure> ruby_block_closure(const CallContext& context, const Json& number, int arity) {
    Environment& environment = context.environment();
    if (!environment.find_builtin(ruby_block_builtin().name))
        environment.add_builtins({&ruby_block_builtin()});
    const ast::Lambda& lambda = ruby_block_lambda(environment, arity);
    const auto frame = std::make_shared<Frame>(context.frame);
    std::vector<Value> numbers;
    for (const Json& part : number) numbers.emplace_back(part.get<std::int64_t>());
    frame->bind(number_variable, std::move(numbers));
    if (context.block) frame->bind(lambda_variable, Value(Kind::Callable, Ref<const Shared>(context.block)));
    return make_shared_object<Closure>(context.evaluator, Closure::Form::Lambda, lambda.parameters,
                                       lambda.body, lambda.return_type, frame, "lambda");
}

}  // namespace volley
