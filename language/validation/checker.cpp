#include "language/validation/checker.hpp"

#include <algorithm>
#include <limits>

#include "language/errors.hpp"
#include "language/evaluator/labels.hpp"
#include "language/syntax/ast_walk.hpp"
#include "language/syntax/large_number.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/syntax/node_kinds.hpp"
#include "language/text/text.hpp"
#include "language/validation/heredoc_syntax.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

using ast::as;
using ast::NodeKind;

/// /\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*\z/
bool is_variable_name(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    for (;;) {
        std::size_t end = 0;
        while (end < name.size() && is_word(name[end])) ++end;
        if (end == 0 || is_digit(name[0]) || is_upper(name[0])) return false;
        if (end == name.size()) return true;
        if (name[0] == '_' || !name.substr(end).starts_with("::")) return false;
        name.remove_prefix(end + 2);
    }
}

bool is_decimal_name(std::string_view name) {
    return name == "0" || (name[0] != '0' && std::all_of(name.begin(), name.end(), is_digit));
}

/// "%#+x" of a number that 64 bits cannot hold.
std::string hexadecimal_text(const ast::Integer& node) { return "+0x" + ast::digits_in_radix(node, 16); }

}  // namespace

bool is_resource_without_title(const ast::Node& node) {
    if (node.kind != NodeKind::Block) return false;
    const auto statements = as<ast::Block>(node).statements;
    return statements.size() == 2 && statements[0]->kind == NodeKind::Name &&
           statements[1]->kind == NodeKind::Hash;
}

bool has_no_effect(const ast::Node* node) {
    if (!node) return true;
    const NodeKind kind = node->kind;
    if (ast::is_pure_operator(kind)) return true;
    if (kind == NodeKind::Paren) return has_no_effect(as<ast::Unary>(*node).expr);
    if (kind == NodeKind::Render) return false;
    if (ast::has_one_operand(kind) || ast::is_plain_value(kind)) return true;
    switch (kind) {
        case NodeKind::Nop:
        case NodeKind::Regexp:
        case NodeKind::Reference:
        case NodeKind::Reserved:
        case NodeKind::List:
        case NodeKind::Hash:
        case NodeKind::Access:
        case NodeKind::Concatenated:
        case NodeKind::Heredoc:
        case NodeKind::Selector:
            return true;
        case NodeKind::Block: {
            const auto statements = as<ast::Block>(*node).statements;
            return std::all_of(statements.begin(), statements.end(),
                               [](const ast::Node* one) { return has_no_effect(one); });
        }
        case NodeKind::If:
        case NodeKind::Unless: {
            const auto& branch = as<ast::If>(*node);
            return has_no_effect(branch.test) && has_no_effect(branch.then) &&
                   has_no_effect(branch.otherwise);
        }
        case NodeKind::Case: {
            const auto& choice = as<ast::Case>(*node);
            return has_no_effect(choice.test) &&
                   std::all_of(
                       choice.options.begin(), choice.options.end(), [](const ast::CaseOption* option) {
                           return std::all_of(option->values.begin(), option->values.end(),
                                              [](const ast::Node* value) { return has_no_effect(value); }) &&
                                  has_no_effect(option->then);
                       });
        }
        default:
            return false;
    }
}

std::optional<Value> literal_value(const ast::Node& node) {
    switch (node.kind) {
        case NodeKind::Undef:
            return Value();
        case NodeKind::Default:
            return Value::make_default();
        case NodeKind::Boolean:
            return Value(as<ast::Boolean>(node).value);
        case NodeKind::Integer:
            return Value(as<ast::Integer>(node).value);
        case NodeKind::Float:
            return Value(as<ast::Float>(node).value);
        case NodeKind::String:
            return Value(as<ast::String>(node).value);
        case NodeKind::Name:
            return Value(as<ast::Name>(node).value);
        case NodeKind::Reference:
            return Value(as<ast::Reference>(node).cased_value);
        case NodeKind::Regexp:
            return Value(Ref<const Regexp>(as<ast::RegexpLiteral>(node).value));
        case NodeKind::Concatenated: {
            const auto segments = as<ast::Concatenated>(node).segments;
            return segments.size() == 1 && segments[0]->kind == NodeKind::String ? literal_value(*segments[0])
                                                                                 : std::nullopt;
        }
        case NodeKind::List: {
            std::vector<Value> items;
            for (const ast::Node* item : as<ast::List>(node).values) {
                const auto value = literal_value(*item);
                if (!value) return std::nullopt;
                items.push_back(*value);
            }
            return Value(std::move(items));
        }
        case NodeKind::Minus: {
            const auto number = literal_value(*as<ast::Unary>(node).expr);
            if (!number || !number->is_number()) return std::nullopt;
            if (number->is(Kind::Float)) return Value(-number->as_float());
            if (number->as_integer() == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
            return Value(-number->as_integer());
        }
        case NodeKind::Access: {
            const auto& access = as<ast::Access>(node);
            const auto left = literal_value(*access.left);
            const bool list = access.keys.size() == 1 && access.keys[0]->kind == NodeKind::List;
            if (access.left->kind != NodeKind::Reference || !left || list) return std::nullopt;
            std::vector<Value> keys;
            for (const ast::Node* key : access.keys) {
                const auto value = literal_value(*key);
                if (!value) return std::nullopt;
                keys.push_back(*value);
            }
            return HashBuilder().set(*left, Value(std::move(keys))).build();  // no list is equal to it
        }
        case NodeKind::Hash: {
            HashBuilder hash;
            for (const ast::Entry* entry : as<ast::Hash>(node).entries) {
                const auto key = literal_value(*entry->key);
                const auto value = literal_value(*entry->value);
                if (!key || !value) return std::nullopt;
                hash.set(*key, *value);
            }
            return hash.build();
        }
        default:
            return std::nullopt;
    }
}

std::vector<Diagnostic> Checker::run(const ast::Program& program) {
    if (file_namespace_) only_definitions(*program.body);
    visit(*program.body);
    // Compatibility: a heredoc whose text is wrong is reported alone.
    const auto heredoc = std::ranges::find(found_, "ILLEGAL_HEREDOC_SYNTAX", &Diagnostic::issue);
    if (heredoc != found_.end()) return {std::move(*heredoc)};
    return std::move(found_);
}

void Checker::visit(const Node& node) {
    if (!settings_.tasks || !is_refused_in_plans(node)) check(node);
    path_.push_back(&node);
    ast::for_each_child(node, [this](const Node& child) { visit(child); });
    path_.pop_back();
}

const ast::Node* Checker::container(std::size_t up) const {
    return up < path_.size() ? path_[path_.size() - 1 - up] : nullptr;
}

void Checker::error(std::string_view issue, const Node& at, const std::string& message) {
    found_.push_back({Severity::Err, std::string(issue), message, at.location()});
}

void Checker::warning(std::string_view issue, const Node& at, const std::string& message) {
    found_.push_back({Severity::Warning, std::string(issue), message, at.location()});
}

void Checker::illegal_expression(const Node& node, std::string_view feature, const Node& where) {
    error("ILLEGAL_EXPRESSION", node,
          "Illegal expression. " + a_an_uc(label(node)) + " is unacceptable as " + std::string(feature) +
              " in " + a_an(label(where)));
}

void Checker::rvalue(const Node* node) {
    if (!node) return;
    if (node->kind == NodeKind::Collect || ast::is_definition(node->kind)) {
        error("NOT_RVALUE", *node,
              "Invalid use of expression. " + a_an_uc(label(*node)) + " does not produce a value");
    } else if (ast::has_one_operand(node->kind) && node->kind != NodeKind::Variable) {
        rvalue(as<ast::Unary>(*node).expr);
    }
}

void Checker::check(const Node& node) {
    switch (node.kind) {
        case NodeKind::Variable:
            return check_variable(as<ast::Variable>(node));
        case NodeKind::Integer:
            return check_integer(as<ast::Integer>(node));
        case NodeKind::Hash:
            return check_hash(as<ast::Hash>(node));
        case NodeKind::Entry:
            rvalue(as<ast::Entry>(node).key);
            return rvalue(as<ast::Entry>(node).value);
        case NodeKind::List:
            for (const Node* value : as<ast::List>(node).values) rvalue(value);
            return;
        case NodeKind::Arithmetic:
        case NodeKind::Comparison:
        case NodeKind::Match:
        case NodeKind::In:
        case NodeKind::And:
        case NodeKind::Or:
            rvalue(as<ast::Binary>(node).left);
            return rvalue(as<ast::Binary>(node).right);
        case NodeKind::Relationship:
            for (const Node* side : {as<ast::Binary>(node).left, as<ast::Binary>(node).right}) {
                if (side->kind != NodeKind::Collect) rvalue(side);
            }
            return;
        case NodeKind::Assignment:
            return check_assignment(as<ast::Binary>(node));
        case NodeKind::Not:
        case NodeKind::Minus:
        case NodeKind::Unfold:
        case NodeKind::Paren:
        case NodeKind::Text:
        case NodeKind::Render:
            return rvalue(as<ast::Unary>(node).expr);
        case NodeKind::Block:
            return check_block(as<ast::Block>(node));
        case NodeKind::Call:
            return check_call(as<ast::Call>(node));
        case NodeKind::Lambda:
            return check_lambda(as<ast::Lambda>(node));
        case NodeKind::Parameter:
            return check_parameter(as<ast::Parameter>(node));
        case NodeKind::If:
        case NodeKind::Unless:
            return rvalue(as<ast::If>(node).test);
        case NodeKind::Case:
            return check_case(as<ast::Case>(node));
        case NodeKind::CaseOption:
            for (const Node* value : as<ast::CaseOption>(node).values) rvalue(value);
            return;
        case NodeKind::Selector:
            return check_selector(as<ast::Selector>(node));
        case NodeKind::SelectorEntry:
            return rvalue(as<ast::SelectorEntry>(node).match);
        case NodeKind::Attribute:
            return check_attribute(as<ast::Attribute>(node));
        case NodeKind::AttributeSplat:
            return check_attribute_splat(as<ast::Unary>(node));
        case NodeKind::Collect:
            if (as<ast::Collect>(node).type_expr->kind == NodeKind::Reference) return;
            return illegal_expression(*as<ast::Collect>(node).type_expr, "type name", node);
        case NodeKind::VirtualQuery:
        case NodeKind::ExportedQuery:
            if (as<ast::Unary>(node).expr) query(*as<ast::Unary>(node).expr);
            return;
        case NodeKind::Resource: {
            const auto& resource = as<ast::Resource>(node);
            const bool is_class = resource.type_name->kind == NodeKind::Name &&
                                  as<ast::Name>(*resource.type_name).value == "class";
            if (is_class && resource.form != "regular")
                error("CLASS_NOT_VIRTUALIZABLE", node, "Classes are not virtualizable");
            return;
        }
        case NodeKind::ResourceBody: {
            bool seen = false;
            for (const Node* operation : as<ast::ResourceBody>(node).operations) {
                if (operation->kind != NodeKind::AttributeSplat) continue;
                if (seen)
                    error("MULTIPLE_ATTRIBUTES_UNFOLD", *operation,
                          "Unfolding of attributes from Hash can only be used once per resource body");
                seen = true;
            }
            return;
        }
        case NodeKind::ResourceDefaults:
        case NodeKind::ResourceOverride:
            if (as<ast::AbstractResource>(node).form != "regular") {
                error("NOT_VIRTUALIZEABLE", node, "Resource Defaults are not virtualizable");
            }
            return;
        case NodeKind::Reserved:
            return error("RESERVED_WORD", node,
                         "Use of reserved word: " + std::string(as<ast::Reserved>(node).word) +
                             ", must be quoted if intended to be a String value");
        case NodeKind::Class:
        case NodeKind::Define:
        case NodeKind::Function:
        case NodeKind::Plan:
            return check_definition(as<ast::Definition>(node));
        case NodeKind::NodeDefinition:
            return check_node_definition(as<ast::NodeDefinition>(node));
        case NodeKind::Heredoc:
            return check_heredoc(as<ast::Heredoc>(node));
        case NodeKind::TypeMapping:
            return check_type_mapping(as<ast::TypeMapping>(node));
        case NodeKind::TypeAlias:
            return check_type_alias(as<ast::TypeAlias>(node));
        case NodeKind::TypeDefinition:
            top(node);
            return error(
                "UNSUPPORTED_EXPRESSION", node,
                "Expressions of type " + a_an(label(node)) + " are not supported in this version of Puppet");
        case NodeKind::Epp:
            if (const Node* outer = container(); outer && outer->kind == NodeKind::Lambda) {
                no_capture(as<ast::Lambda>(*outer).parameters, node);
                unique_names(as<ast::Lambda>(*outer).parameters);
            }
            return;
        default:
            return;
    }
}

void Checker::check_variable(const ast::Variable& node) {
    if (node.expr->kind == NodeKind::Integer) return;
    if (node.expr->kind != NodeKind::Name) return illegal_expression(node, "name", node);
    const std::string name(as<ast::Name>(*node.expr).value);
    if (!name.empty() && is_digit(name[0])) {
        if (is_decimal_name(name)) return;
        return error("ILLEGAL_NUMERIC_VAR_NAME", node,
                     "Illegal numeric variable name, The given name '" + name +
                         "' must be a decimal value if it starts with a digit 0-9");
    }
    if (is_variable_name(name)) return;
    error("ILLEGAL_VAR_NAME", node,
          "Illegal variable name, The given name '" + name +
              "' does not conform to the naming rule /^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/");
}

void Checker::check_integer(const ast::Integer& node) {
    if (node.fits) return;
    error("NUMERIC_OVERFLOW", node,
          "A Literal Integer resulted in a value outside of Puppet Integer max range, got '" +
              hexadecimal_text(node) + "'");
}

namespace {

/// As a program shows it; of a type literal_value() makes a hash.
std::string key_text(const ast::Node& node, const Value& key) {
    if (node.kind != NodeKind::Access) return to_text(key);
    const auto& type = *key.as_hash().begin();
    return to_text(type.key) + to_program_text(type.value);
}

}  // namespace

void Checker::check_hash(const ast::Hash& node) {
    if (settings_.strict == Strictness::Off) return;
    HashBuilder seen;
    for (const ast::Entry* entry : node.entries) {
        const auto key = literal_value(*entry->key);
        if (!key) continue;
        if (seen.contains(*key)) {
            const std::string message =
                "The key '" + key_text(*entry->key, *key) + "' is declared more than once";
            if (settings_.strict == Strictness::Error)
                error("DUPLICATE_KEY", *entry, message);
            else
                warning("DUPLICATE_KEY", *entry, message);
        }
        seen.set(*key, Value());
    }
}

void Checker::check_case(const ast::Case& node) {
    rvalue(node.test);
    bool found = false;
    for (const ast::CaseOption* option : node.options) {
        for (const Node* value : option->values) {
            if (value->kind != NodeKind::Default) continue;
            if (found) {
                error("DUPLICATE_DEFAULT", *value,
                      "This " + label(node) + " already has a 'default' entry - this is a duplicate");
            }
            found = true;
        }
    }
}

void Checker::check_selector(const ast::Selector& node) {
    rvalue(node.left);
    int defaults = 0;
    for (const ast::SelectorEntry* entry : node.selectors) {
        if (entry->match->kind != NodeKind::Default || ++defaults != 2) continue;
        error("DUPLICATE_DEFAULT", *entry->match,
              "This " + label(node) + " already has a 'default' entry - this is a duplicate");
    }
}

void Checker::check_call(const ast::Call& node) {
    const Node& functor = *node.functor;
    if (functor.kind == NodeKind::Reference || functor.kind == NodeKind::Name) return;
    if (functor.kind == NodeKind::Access && as<ast::Access>(functor).left->kind == NodeKind::Reference)
        return;
    if (functor.kind == NodeKind::RenderString) {
        return error("ILLEGAL_EPP_PARAMETERS", node,
                     "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove "
                     "leading whitespace");
    }
    illegal_expression(functor, "function name", node);
}

void Checker::check_block(const ast::Block& node) {
    if (is_resource_without_title(node)) {
        return error("RESOURCE_WITHOUT_TITLE", node,
                     "This expression is invalid. Did you try declaring a '" +
                         std::string(as<ast::Name>(*node.statements[0]).value) +
                         "' resource without a title?");
    }
    for (std::size_t i = 0; i + 1 < node.statements.size(); ++i) {
        const Node& statement = *node.statements[i];
        if (!has_no_effect(&statement)) continue;
        return error("IDEM_EXPRESSION_NOT_LAST", statement,
                     "This " + label(statement) +
                         " has no effect. A value was produced and then forgotten (one or more preceding "
                         "expressions may "
                         "have the wrong form)");
    }
}

void Checker::check_assignment(const ast::Binary& node) {
    if (node.op != "=") {
        return error("APPENDS_DELETES_NO_LONGER_SUPPORTED", node,
                     "The operator '" + std::string(node.op) +
                         "' is no longer supported. See "
                         "http://links.puppet.com/remove-plus-equals");
    }
    assign(*node.left, false);
    rvalue(node.right);
}

void Checker::assign(const Node& target, bool via_index) {
    if (target.kind == NodeKind::List) {
        for (const Node* one : as<ast::List>(target).values) assign(*one, false);
        return;
    }
    if (target.kind == NodeKind::Access) {
        return error("ILLEGAL_INDEXED_ASSIGNMENT", target,
                     "Illegal attempt to assign via [index/key]. Not an assignable reference");
    }
    if (target.kind != NodeKind::Variable) {
        return error("ILLEGAL_ASSIGNMENT", target,
                     "Illegal attempt to assign to " + std::string(via_index ? "" : "'") +
                         a_an(label(target)) + (via_index ? " via [index/key]" : "'") +
                         ". Not an assignable reference");
    }
    const Node& name_node = *as<ast::Variable>(target).expr;
    const std::string name(name_node.kind == NodeKind::Name ? as<ast::Name>(name_node).value
                                                            : std::string_view());
    if (!name.empty() && is_digit(name[0]) && is_decimal_name(name)) {
        error("ILLEGAL_NUMERIC_ASSIGNMENT", target,
              "Illegal attempt to assign to the numeric match result variable '$" + name +
                  "'. Numeric variables are not assignable");
    }
    if (name.find("::") != std::string::npos) {
        error("CROSS_SCOPE_ASSIGNMENT", target,
              "Illegal attempt to assign to '" + name + "'. Cannot assign to variables in other namespaces");
    }
}

void Checker::check_attribute(const ast::Attribute& node) {
    const Node* outer = container();
    const bool allowed =
        outer && (outer->kind == NodeKind::Collect || outer->kind == NodeKind::ResourceOverride);
    if (node.op == "+>" && !allowed) {
        error("ILLEGAL_ATTRIBUTE_APPEND", node,
              "Illegal +> operation on attribute " + std::string(node.name) +
                  ". This operator can not be used in " +
                  a_an(outer ? label(*outer) : std::string("Program")));
    }
    rvalue(node.value);
}

void Checker::check_attribute_splat(const ast::Unary& node) { rvalue(node.expr); }

void Checker::query(const Node& node) {
    switch (node.kind) {
        case NodeKind::Comparison:
            if (as<ast::Binary>(node).op == "==" || as<ast::Binary>(node).op == "!=") return;
            break;
        case NodeKind::And:
        case NodeKind::Or:
            query(*as<ast::Binary>(node).left);
            return query(*as<ast::Binary>(node).right);
        case NodeKind::Paren:
            return query(*as<ast::Unary>(node).expr);
        case NodeKind::Variable:
        case NodeKind::Name:
        case NodeKind::Integer:
        case NodeKind::Float:
        case NodeKind::String:
        case NodeKind::Boolean:
            return;
        default:
            break;
    }
    error("ILLEGAL_QUERY_EXPRESSION", node,
          "Illegal query expression. " + a_an_uc(label(node)) + " cannot be used in a query");
}

void Checker::check_heredoc(const ast::Heredoc& node) {
    if (node.syntax.empty() || node.text->kind != NodeKind::String) return;
    const std::string_view text = as<ast::String>(*node.text).value;
    if (const auto mistake = check_heredoc_syntax(text, node.syntax, settings_))
        error("ILLEGAL_HEREDOC_SYNTAX", *node.text, *mistake);
}

}  // namespace volley
