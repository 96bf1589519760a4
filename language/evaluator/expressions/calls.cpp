#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/expressions/members.hpp"
#include "language/evaluator/labels.hpp"
#include "language/functions/builtin.hpp"
#include "language/ruby/ruby.hpp"

namespace volley {

using ast::NodeKind;

namespace {

/// Functions of the language take no block. Arguments that do not fit are reported first, by the call itself.
void refuse_block(const Closure& function, const std::vector<Value>& arguments) {
    if (function.result_type(arguments))
        throw EvalError("", "'" + function.name() + "' does not expect a block");
}

}  // namespace

Value Evaluator::eval_call(const ast::Call& node, const FramePtr& frame) {
    const ast::Node& functor = *node.functor;
    const bool type_name =
        functor.kind == NodeKind::Reference ||
        (functor.kind == NodeKind::Access && ast::as<ast::Access>(functor).left->kind == NodeKind::Reference);
    if (type_name) {
        std::vector<Value> arguments{evaluate(functor, frame)};
        for (Value& argument : unfolded(node.arguments, frame)) arguments.push_back(std::move(argument));
        return call_at("new", std::move(arguments), node, frame);
    }
    if (functor.kind == NodeKind::RenderString) {
        fail("ILLEGAL_EPP_PARAMETERS", node,
             "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading "
             "whitespace");
    }
    if (functor.kind != NodeKind::Name) {
        fail("ILLEGAL_EXPRESSION", functor,
             "Illegal expression. " + a_an_uc(label(functor)) + " is unacceptable as function name in " +
                 a_an(label(node)));
    }
    return call_at(ast::as<ast::Name>(functor).value, unfolded(node.arguments, frame), node, frame);
}

Value Evaluator::eval_method(const ast::Call& node, const FramePtr& frame) {
    const auto& access = ast::as<ast::Binary>(*node.functor);
    ast::Node* const receiver[] = {access.left};
    std::vector<Value> arguments = unfolded(receiver, frame);
    const std::string_view name = ast::as<ast::Name>(*access.right).value;
    if (!arguments.empty() && has_member(arguments[0], name)) {
        const std::vector<Value> rest = unfolded(node.arguments, frame);
        const Ref<const Closure> block = block_of(node, frame);
        CallContext context{*this, frame, block.get(), name, node};
        return call_member(context, arguments[0], name, rest);
    }
    for (Value& argument : unfolded(node.arguments, frame)) arguments.push_back(std::move(argument));
    return call_at(name, std::move(arguments), node, frame);
}

Value Evaluator::call_at(std::string_view name, std::vector<Value> arguments, const ast::Call& node,
                         const FramePtr& frame) {
    const Callee callee = environment_.find_callee(name);
    if (!callee) throw environment_.unknown_function(name, "Evaluation Error: ", node.location());
    const Ref<const Closure> block = block_of(node, frame);
    return call(callee, name, std::move(arguments), block.get(), frame, node);
}

/// Counted, so that a function may keep its block beyond the call (a plan's background()).
Ref<const Closure> Evaluator::block_of(const ast::Call& node, const FramePtr& frame) {
    if (!node.lambda) return {};
    return make_shared_object<Closure>(*this, Closure::Form::Lambda, node.lambda->parameters,
                                       node.lambda->body, node.lambda->return_type, frame, "lambda");
}

bool Evaluator::has_function(std::string_view name) {
    return static_cast<bool>(environment_.find_callee(name));
}

Ref<const Closure> Evaluator::closure_of(const ast::Definition& definition) {
    Ref<const Closure>& known = functions_[&definition];
    if (!known) {
        known = make_shared_object<Closure>(*this, Closure::Form::Function, definition.parameters,
                                            definition.body, definition.return_type, top_,
                                            std::string(definition.name));
    }
    return known;
}

std::optional<TypePtr> Evaluator::result_type(std::string_view name, const std::vector<Value>& arguments) {
    const Callee callee = environment_.find_callee(name);
    if (callee.definition) return closure_of(*callee.definition)->result_type(arguments);
    if (callee.builtin) return callee.builtin->result_type(arguments);
    if (callee.ruby) {
        CallContext context{*this, top_, nullptr, name, {}};
        return environment_.ruby().result_type(context, name, arguments);
    }
    throw environment_.unknown_function(name);
}

Value Evaluator::call_function(const ast::Definition& definition, std::vector<Value> arguments) {
    const Ref<const Closure> closure = closure_of(definition);
    closure->check_count(arguments);
    try {
        return closure->call(std::move(arguments));
    } catch (const Jump& jump) {
        if (jump.kind != Jump::Kind::Return) throw;
        return jump.value;  // compatibility: not compared with the declared type
    }
}

Value Evaluator::call(std::string_view name, std::vector<Value> arguments, const Closure* block,
                      const FramePtr& frame, const Location& at) {
    const Callee callee = environment_.find_callee(name);
    if (!callee) throw environment_.unknown_function(name);
    return call(callee, name, std::move(arguments), block, frame, at);
}

Value Evaluator::call(const Callee& callee, std::string_view name, std::vector<Value> arguments,
                      const Closure* block, const FramePtr& frame, const CallSite& at) {
    if (callee.definition) {
        if (block) refuse_block(*closure_of(*callee.definition), arguments);
        return call_function(*callee.definition, std::move(arguments));
    }
    CallContext context{*this, frame, block, name, at};
    if (callee.ruby) return environment_.ruby().call(context, name, std::move(arguments));
    if (environment_.attempt && !callee.builtin->pure) environment_.attempt->refuse(name);
    Value result = callee.builtin->invoke(context, arguments);
    if (result.shared() && result.shared()->is_unique())
        environment_.count_copied(result);  // it was made just now
    return result;
}

}  // namespace volley
