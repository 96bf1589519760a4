#include "language/evaluator/evaluator.hpp"

#include <algorithm>

#include "language/callable.hpp"
#include "language/evaluator/iterate.hpp"
#include "language/evaluator/labels.hpp"
#include "language/evaluator/wrapped_error.hpp"
#include "language/execution_state.hpp"
#include "language/loaders/definition_names.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"
#include "language/validation/heredoc_syntax.hpp"

namespace volley {
namespace {

using ast::NodeKind;

const ast::Node& without_parentheses(const ast::Node& node) {
    const ast::Node* inner = &node;
    while (inner->kind == NodeKind::Paren) inner = ast::as<ast::Unary>(*inner).expr;
    return *inner;
}

/// The names of the variables that code at `frame` can see.
std::vector<std::string> visible_names(const Frame& frame) {
    std::vector<std::string> names;
    for (const Frame* at = &frame; at != nullptr; at = at->parent().get()) {
        for (const auto& [name, value] : at->variables()) names.push_back(name);
    }
    return names;
}

bool is_numeric_name(std::string_view name) {
    if (name.empty() || (name[0] == '0' && name.size() > 1)) return false;
    return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Evaluator::Evaluator(Environment& environment, CatalogHooks* catalog)
    : environment_(environment),
      catalog_(catalog),
      top_(std::make_shared<Frame>(FramePtr(), "Class[main]")) {}

void Evaluator::fail(std::string_view issue, const ast::Node& node, const std::string& message) {
    throw EvalError(issue, "Evaluation Error: " + message, node.location());
}

void Evaluator::log(Severity severity, std::string message, const FramePtr& frame, const Location& at) {
    const std::string& description = frame->root().description();
    environment_.log(
        {severity, std::move(message), description.empty() ? "" : "Scope(" + description + ")", at});
}

Value Evaluator::run(std::shared_ptr<const ast::Program> program) {
    const ast::Program& code = *program;
    environment_.add_program(std::move(program));
    return evaluate_body(code, top_);
}

void Evaluator::fail_jump(const Jump& jump) {
    const std::string what = jump.kind == Jump::Kind::Break  ? "break()"
                             : jump.kind == Jump::Kind::Next ? "next()"
                                                             : "return()";
    throw EvalError("", what + " from context where this is illegal", {jump.at.file, jump.at.line, 0});
}

Value Evaluator::evaluate_body(const ast::Program& program, const FramePtr& frame) {
    try {
        return evaluate(*program.body, frame);
    } catch (const Jump& jump) {
        fail_jump(jump);
    }
}

void Evaluator::check_stack() {
    if (stack_is_low()) throw EvalError("STACK_TOO_DEEP", "stack level too deep");
}

Value Evaluator::evaluate(const ast::Node& node, const FramePtr& frame) {
    check_stack();
    try {
        return dispatch(node, frame);
    } catch (const LookupError&) {
        throw;
    } catch (const LanguageError& error) {
        if (error.location().known() || !error.location().file.empty()) throw;
        rethrow_at(error, node);
    }
}

void Evaluator::rethrow_at(const LanguageError& error, const ast::Node& node) {
    if (error.location().known() || !error.location().file.empty()) {
        if (const auto* wrapped = dynamic_cast<const WrappedError*>(&error)) throw WrappedError(*wrapped);
        EvalError same(error.issue(), error.what(), error.location());
        same.set_hint(error.hint());
        throw same;
    }
    WrappedError wrapped(error.issue().empty() ? "RUNTIME_ERROR" : error.issue(),
                         "Evaluation Error: Error while evaluating " + a_an(label(node)) + ", ",
                         std::string(error.what()), node.location());
    wrapped.set_hint(error.hint());
    throw wrapped;
}

Value Evaluator::dispatch(const ast::Node& node, const FramePtr& frame) {
    switch (node.kind) {
        case NodeKind::Nop:
        case NodeKind::Undef:
        case NodeKind::Function:
        case NodeKind::TypeAlias:
        case NodeKind::TypeMapping:
        case NodeKind::TypeDefinition:
        case NodeKind::Program:
            return {};
        case NodeKind::Default:
            return Value::make_default();
        case NodeKind::Boolean:
            return ast::as<ast::Boolean>(node).value;
        case NodeKind::Integer:
            return ast::as<ast::Integer>(node).value;
        case NodeKind::Float:
            return ast::as<ast::Float>(node).value;
        case NodeKind::String:
            return ast::as<ast::String>(node).value;
        case NodeKind::Name:
            return ast::as<ast::Name>(node).value;
        case NodeKind::Regexp:
            return Ref<const Regexp>(ast::as<ast::RegexpLiteral>(node).value);
        case NodeKind::Reference:
            return eval_reference(ast::as<ast::Reference>(node));
        case NodeKind::Reserved:
            fail("RESERVED_WORD", node,
                 "Use of reserved word: " + std::string(ast::as<ast::Reserved>(node).word) +
                     ", must be quoted if intended to be a String value");
        case NodeKind::Variable:
            return eval_variable(ast::as<ast::Variable>(node), frame);
        case NodeKind::Text:
            return text(evaluate(*ast::as<ast::Unary>(node).expr, frame));
        case NodeKind::Concatenated:
            return eval_concatenated(ast::as<ast::Concatenated>(node), frame);
        case NodeKind::Heredoc:
            return eval_heredoc(ast::as<ast::Heredoc>(node), frame);
        case NodeKind::List:
            return unfolded(ast::as<ast::List>(node).values, frame);
        case NodeKind::Hash:
            return eval_hash(ast::as<ast::Hash>(node), frame);
        case NodeKind::Access:
            return eval_access(ast::as<ast::Access>(node), frame);
        case NodeKind::And: {
            const auto& both = ast::as<ast::Binary>(node);
            return evaluate(*both.left, frame).truthy() && evaluate(*both.right, frame).truthy();
        }
        case NodeKind::Or: {
            const auto& either = ast::as<ast::Binary>(node);
            return evaluate(*either.left, frame).truthy() || evaluate(*either.right, frame).truthy();
        }
        case NodeKind::In: {
            const auto& both = ast::as<ast::Binary>(node);
            const Value left = evaluate(*both.left, frame);
            return puppet_includes(*this, evaluate(*both.right, frame), left, frame.get());
        }
        case NodeKind::Arithmetic:
            return eval_arithmetic(node, frame);
        case NodeKind::Comparison:
            return eval_comparison(ast::as<ast::Binary>(node), frame);
        case NodeKind::Match:
            return eval_match(ast::as<ast::Binary>(node), frame);
        case NodeKind::Assignment:
            return eval_assignment(ast::as<ast::Binary>(node), frame);
        case NodeKind::Not:
            return !evaluate(*ast::as<ast::Unary>(node).expr, frame).truthy();
        case NodeKind::Minus:
            return eval_minus(ast::as<ast::Unary>(node), frame);
        case NodeKind::Unfold:
            return unfold(evaluate(*ast::as<ast::Unary>(node).expr, frame));
        case NodeKind::Paren:
            return evaluate(*ast::as<ast::Unary>(node).expr, frame);
        case NodeKind::Block:
            return eval_block(ast::as<ast::Block>(node), frame);
        case NodeKind::Call:
            return eval_call(ast::as<ast::Call>(node), frame);
        case NodeKind::CallMethod:
            return eval_method(ast::as<ast::Call>(node), frame);
        case NodeKind::If:
        case NodeKind::Unless:
            return eval_if(ast::as<ast::If>(node), frame);
        case NodeKind::Case:
            return eval_case(ast::as<ast::Case>(node), frame);
        case NodeKind::Selector:
            return eval_selector(ast::as<ast::Selector>(node), frame);
        case NodeKind::Lambda: {  // the program of a template
            const auto& lambda = ast::as<ast::Lambda>(node);
            return lambda.body ? evaluate(*lambda.body, frame) : Value();
        }
        case NodeKind::Epp:
            return eval_epp(ast::as<ast::Epp>(node), frame);
        case NodeKind::Render:
        case NodeKind::RenderString:
            return eval_render(node, frame);
        default:
            return eval_catalog(node, frame);
    }
}

Value Evaluator::eval_catalog(const ast::Node& node, const FramePtr& frame) {
    if (catalog_) return catalog_->evaluate(*this, node, frame);
    fail("CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING", node,
         "The catalog operation '" + label(node) + "' is only available when compiling a catalog");
}

Value Evaluator::eval_reference(const ast::Reference& node) {
    const TypePtr type = environment_.types.load(node.cased_value);
    // Compatibility: a reference to nothing is not a type of its own.
    if (type && type->kind() == TypeKind::Reference)
        fail("UNKNOWN_RESOURCE_TYPE", node, "Resource type not found: UnresolvedReference");
    if (type) return type;
    EvalError error("UNKNOWN_RESOURCE_TYPE",
                    "Evaluation Error: Resource type not found: " + std::string(node.cased_value),
                    node.location());
    error.set_hint(hint_for(node.cased_value, types::builtin_type_names()));
    throw error;
}

CatalogHooks::MissingVariable CatalogHooks::of_unknown_class(std::string_view class_name,
                                                             std::string_view variable) {
    const std::string name(class_name);
    return {name + "::" + std::string(variable), "class " + name + " could not be found"};
}

std::optional<Value> Evaluator::find_variable(std::string_view name, const FramePtr& frame) {
    if (is_numeric_name(name))
        return frame->match_group(static_cast<std::size_t>(std::stoul(std::string(name.substr(0, 9)))));
    if (name.starts_with("::")) {
        name.remove_prefix(2);
        if (name.find("::") == std::string_view::npos) {
            const Value* value = top_->find_here(name);
            return value ? std::optional(*value) : std::nullopt;
        }
    }
    const std::size_t qualifier = name.rfind("::");
    if (qualifier == std::string_view::npos) {
        if (const Value* value = frame->find(name)) return *value;
        if (name == "module_name" || name == "caller_module_name") return Value();
        return std::nullopt;
    }
    const Value* value =
        catalog_ ? catalog_->class_variable(name.substr(0, qualifier), name.substr(qualifier + 2)) : nullptr;
    if (!value) value = top_->find_here(name);  // whoever calls may set variables with such names
    return value ? std::optional(*value) : std::nullopt;
}

Value Evaluator::variable(std::string_view name, const FramePtr& frame, const ast::Node* node) {
    if (const auto value = find_variable(name, frame)) return *value;
    const std::string message = "Unknown variable: '" + std::string(name) + "'.";
    if (environment_.settings.strict_variables || environment_.settings.strict == Strictness::Error) {
        UnknownVariable error(name, (node ? "Evaluation Error: " : "") + message,
                              node ? node->location() : Location{});
        error.set_hint(hint_for(name, visible_names(*frame)));
        throw error;
    }
    if (environment_.settings.strict == Strictness::Warning) {
        environment_.log({Severity::Warning, message, "", node ? node->location() : Location{}});
    }
    return {};
}

Value Evaluator::eval_variable(const ast::Variable& node, const FramePtr& frame) {
    if (node.plain) {
        if (const Value* value = frame->find(ast::as<ast::Name>(*node.expr).value)) return *value;
    }
    if (node.expr->kind == NodeKind::Name)
        return variable(ast::as<ast::Name>(*node.expr).value, frame, &node);
    const Value name = evaluate(*node.expr, frame);
    if (!name.is_string() && !name.is_number()) {
        fail("ILLEGAL_VARIABLE_EXPRESSION", *node.expr,
             "Illegal variable expression. " + a_an_uc(label(*node.expr)) +
                 " did not produce a variable name (String or Numeric).");
    }
    return variable(to_text(name), frame, &node);
}

std::string Evaluator::text(const Value& value) {
    switch (value.kind()) {
        case Kind::Array: {
            const NestingGuard guard;
            std::string result = "[";
            std::string_view separator;
            for (const Value& item : value.as_array()) {
                result.append(separator).append(text(item));
                separator = ", ";
                check_text_size(result.size());
            }
            return result + "]";
        }
        case Kind::Hash: {
            const NestingGuard guard;
            std::string result = "{";
            std::string_view separator;
            for (const auto& entry : value.as_hash()) {
                result.append(separator).append(text(entry.key)).append(" => ").append(text(entry.value));
                separator = ", ";
                check_text_size(result.size());
            }
            return result + "}";
        }
        case Kind::Type:
            return to_display_string(*value.as_type());
        default:
            return to_text(value);
    }
}

void Evaluator::append_text(std::string& to, const Value& value) {
    if (value.is_string())
        to += value.as_string();
    else
        to += text(value);
}

Value Evaluator::eval_concatenated(const ast::Concatenated& node, const FramePtr& frame) {
    std::string result;
    for (const ast::Node* segment : node.segments) {
        if (segment->kind == NodeKind::String)
            result += ast::as<ast::String>(*segment).value;
        else if (segment->kind == NodeKind::Text)
            append_text(result, evaluate(*ast::as<ast::Unary>(*segment).expr, frame));
        else
            append_text(result, evaluate(*segment, frame));
        check_text_size(result.size());
    }
    Value made(std::move(result));
    environment_.count_copied(made);
    return made;
}

Value Evaluator::eval_heredoc(const ast::Heredoc& node, const FramePtr& frame) {
    Value result = evaluate(*node.text, frame);
    if (!node.syntax.empty() && node.text->kind != NodeKind::String) {  // what is literal was checked before
        if (const auto mistake = check_heredoc_syntax(text(result), node.syntax, environment_.settings))
            throw ParseError("ILLEGAL_HEREDOC_SYNTAX", *mistake, node.text->location());
    }
    return result;
}

Value Evaluator::unfold(const Value& value) {
    switch (value.kind()) {
        case Kind::Undef:
            return std::vector<Value>();
        case Kind::Array:
            return value;
        case Kind::Hash:
        case Kind::Iterator:
            return iterate_all(value);
        default:
            return std::vector<Value>{value};
    }
}

std::vector<Value> Evaluator::unfolded(ast::NodeList nodes, const FramePtr& frame) {
    std::vector<Value> result;
    result.reserve(nodes.size());
    for (const ast::Node* node : nodes) {
        const ast::Node& inner = without_parentheses(*node);
        Value value = evaluate(inner, frame);
        if (inner.kind != NodeKind::Unfold) {
            result.push_back(std::move(value));
            continue;
        }
        for (const Value& item : value.as_array()) result.push_back(item);
    }
    return result;
}

Value Evaluator::eval_hash(const ast::Hash& node, const FramePtr& frame) {
    HashBuilder builder;
    for (const ast::Entry* entry : node.entries) {
        Value key = evaluate(*entry->key, frame);
        builder.set(std::move(key), evaluate(*entry->value, frame));
    }
    return builder.build();
}

Value Evaluator::eval_block(const ast::Block& node, const FramePtr& frame) {
    Value result;
    for (const ast::Node* statement : node.statements) result = evaluate(*statement, frame);
    return result;
}

Value Evaluator::eval_if(const ast::If& node, const FramePtr& frame) {
    const MatchGuard guard(*frame);
    const bool holds = evaluate(*node.test, frame).truthy() == (node.kind == NodeKind::If);
    const ast::Node* branch = holds ? node.then : node.otherwise;
    return branch ? evaluate(*branch, frame) : Value();
}

bool Evaluator::option_matches(const ast::Node& option, const Value& test, const FramePtr& frame) {
    if (option.kind != NodeKind::Unfold) return matches(test, evaluate(option, frame), frame.get());
    const Value options = evaluate(option, frame);
    return std::any_of(options.as_array().begin(), options.as_array().end(),
                       [&](const Value& one) { return matches(test, one, frame.get()); });
}

Value Evaluator::eval_case(const ast::Case& node, const FramePtr& frame) {
    const MatchGuard guard(*frame);
    const Value test = evaluate(*node.test, frame);
    const ast::CaseOption* otherwise = nullptr;
    for (const ast::CaseOption* option : node.options) {
        for (const ast::Node* value : option->values) {
            const ast::Node& inner = without_parentheses(*value);
            if (inner.kind == NodeKind::Default) {
                otherwise = option;
            } else if (option_matches(inner, test, frame)) {
                return option->then ? evaluate(*option->then, frame) : Value();
            }
        }
    }
    return otherwise && otherwise->then ? evaluate(*otherwise->then, frame) : Value();
}

Value Evaluator::eval_selector(const ast::Selector& node, const FramePtr& frame) {
    const MatchGuard guard(*frame);
    const Value test = evaluate(*node.left, frame);
    const ast::SelectorEntry* otherwise = nullptr;
    for (const ast::SelectorEntry* entry : node.selectors) {
        const ast::Node& match = without_parentheses(*entry->match);
        if (match.kind == NodeKind::Default) {
            otherwise = entry;
        } else if (option_matches(match, test, frame)) {
            return evaluate(*entry->value, frame);
        }
    }
    if (otherwise) return evaluate(*otherwise->value, frame);
    fail("UNMATCHED_SELECTOR", *node.left,
         "No matching entry for selector parameter with value '" + text(test) + "'");
}

Value Evaluator::eval_epp(const ast::Epp& node, const FramePtr& frame) {
    EppOutput output;
    EppOutput* const outer = std::exchange(epp_output_, &output);
    struct Restore {
        EppOutput*& place;
        EppOutput* value;
        ~Restore() { place = value; }
    } const restore{epp_output_, outer};
    if (node.body) evaluate(*node.body, frame);
    return output.sensitive ? Value::sensitive(std::move(output.text)) : Value(std::move(output.text));
}

Value Evaluator::eval_render(const ast::Node& node, const FramePtr& frame) {
    if (!epp_output_) throw EvalError("", "text of a template outside of a template");
    if (node.kind == NodeKind::RenderString) {
        epp_output_->text += ast::as<ast::RenderString>(node).value;
        check_text_size(epp_output_->text.size());
        return {};
    }
    const ast::Node* shown = ast::as<ast::Unary>(node).expr;
    const Value value = shown ? evaluate(*shown, frame) : Value();
    const bool secret = value.is(Kind::Sensitive);
    epp_output_->sensitive = epp_output_->sensitive || secret;
    append_text(epp_output_->text, secret ? value.unwrap_sensitive() : value);
    check_text_size(epp_output_->text.size());
    return {};
}

}  // namespace volley
