#include "planner/checks/static_types.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/serialization/json.hpp"
#include "language/syntax/ast_walk.hpp"
#include "language/syntax/parser.hpp"
#include "language/types/explain.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"

namespace volley::planner {
namespace {

using ast::NodeKind;

/// The families of values, as bits: two types whose families have none in common share no value.
enum Family : unsigned {
    Whole = 1,
    Fraction = 2,
    Truth = 4,
    Text = 8,
    ListLike = 16,
    HashLike = 32,
    Nothing = 64,
    Secret = 128,
    Anything = ~0U,
};

unsigned families(const Type& type, int depth = 0) {
    if (depth > 20) return Anything;  // an alias may contain itself
    const auto inside = [depth](const TypePtr& inner) {
        return inner ? families(*inner, depth + 1) : unsigned{Anything};
    };
    switch (type.kind()) {
        case TypeKind::Undef:
            return Nothing;
        case TypeKind::Integer:
            return Whole;
        case TypeKind::Float:
            return Fraction;
        case TypeKind::Numeric:
            return Whole | Fraction;
        case TypeKind::Boolean:
            return Truth;
        case TypeKind::String:
        case TypeKind::Enum:
        case TypeKind::Pattern:
            return Text;
        case TypeKind::ScalarData:
            return Whole | Fraction | Truth | Text;
        case TypeKind::Array:
        case TypeKind::Tuple:
            return ListLike;
        case TypeKind::Hash:
        case TypeKind::Struct:
            return HashLike;
        case TypeKind::Collection:
            return ListLike | HashLike;
        case TypeKind::Sensitive:
            return Secret;
        case TypeKind::Optional:
            return inside(as<types::WrapperType>(type).type) | Nothing;
        case TypeKind::NotUndef:
            return inside(as<types::WrapperType>(type).type) & ~unsigned{Nothing};
        case TypeKind::Alias:
            return inside(as<types::AliasType>(type).resolved_ptr());
        case TypeKind::Variant: {
            unsigned all = 0;
            for (const TypePtr& choice : as<types::VariantType>(type).types) all |= inside(choice);
            return all;
        }
        default:
            return Anything;
    }
}

/// The value of an expression that is one as it stands.
std::optional<Value> literal_value(const ast::Node& node) {
    switch (node.kind) {
        case NodeKind::Undef:
            return Value();
        case NodeKind::Boolean:
            return Value(ast::as<ast::Boolean>(node).value);
        case NodeKind::Integer:
            if (!ast::as<ast::Integer>(node).fits) return std::nullopt;
            return Value(ast::as<ast::Integer>(node).value);
        case NodeKind::Float:
            return Value(ast::as<ast::Float>(node).value);
        case NodeKind::String:
        case NodeKind::Name:
            return Value(*literal_text(node));
        case NodeKind::Paren:
            return literal_value(*ast::as<ast::Unary>(node).expr);
        case NodeKind::List: {
            std::vector<Value> items;
            for (const ast::Node* item : ast::as<ast::List>(node).values) {
                auto value = literal_value(*item);
                if (!value) return std::nullopt;
                items.push_back(std::move(*value));
            }
            return Value(std::move(items));
        }
        case NodeKind::Hash: {
            HashBuilder made;
            for (const ast::Entry* entry : ast::as<ast::Hash>(node).entries) {
                auto key = literal_value(*entry->key);
                auto value = literal_value(*entry->value);
                if (!key || !value) return std::nullopt;
                made.set(*key, std::move(*value));
            }
            return made.build();
        }
        default:
            return std::nullopt;
    }
}

StaticType exact_type(const Value& value) { return {infer_set(value), value}; }
StaticType some_type(TypeKind kind) { return {types::default_of(kind), std::nullopt}; }

}  // namespace

std::optional<std::string> literal_text(const ast::Node& node) {
    if (node.kind == NodeKind::String) return std::string(ast::as<ast::String>(node).value);
    if (node.kind == NodeKind::Name) return std::string(ast::as<ast::Name>(node).value);
    return std::nullopt;
}

StaticTypes::StaticTypes(const PlanDefinition& plan, Environment& environment) : environment_(environment) {
    if (plan.yaml) {
        for (const auto& one : plan.yaml->parameters()) variables_[one.name] = {one.type, std::nullopt};
        return;
    }
    for (const ast::Parameter* one : plan.definition->parameters) {
        StaticType& known = variables_[std::string(one->name)];
        if (one->type) known.type = interpret_type(*one->type, environment.types);
    }
    if (plan.definition->body) collect(*plan.definition->body);
}

/// Variables in the order in which they are set; parameters of blocks hide others of their name.
void StaticTypes::collect(const ast::Node& node) {
    if (node.kind == NodeKind::Parameter) variables_[std::string(ast::as<ast::Parameter>(node).name)] = {};
    if (node.kind == NodeKind::Assignment) {
        const auto& both = ast::as<ast::Binary>(node);
        if (both.left->kind == NodeKind::Variable) {
            if (const auto name = literal_text(*ast::as<ast::Variable>(*both.left).expr)) {
                const StaticType value = of(*both.right);
                const bool first = variables_.emplace(*name, value).second;
                if (!first) variables_[*name] = {};
            }
        }
    }
    ast::for_each_child(node, [this](const ast::Node& child) { collect(child); });
}

/// A builtin says what it returns; several signatures must agree.
StaticType StaticTypes::of_call(const ast::Call& call) const {
    const auto name = literal_text(*call.functor);
    const Builtin* builtin = name ? environment_.find_builtin(*name) : nullptr;
    if (!builtin || builtin->dispatches.empty()) return {};
    const std::string_view returned = builtin->dispatches.front().returns;
    for (const Dispatch& dispatch : builtin->dispatches) {
        if (dispatch.returns != returned) return {};
    }
    if (returned.empty()) return {};
    return {parse_type(returned, environment_.types), std::nullopt};
}

StaticType StaticTypes::of(const ast::Node& node) const {
    if (const auto value = literal_value(node)) return exact_type(*value);
    switch (node.kind) {
        case NodeKind::Variable: {
            const auto name = literal_text(*ast::as<ast::Variable>(node).expr);
            const auto known = name ? variables_.find(*name) : variables_.end();
            return known == variables_.end() ? StaticType() : known->second;
        }
        case NodeKind::Paren:
            return of(*ast::as<ast::Unary>(node).expr);
        case NodeKind::Concatenated:
        case NodeKind::Heredoc:
            return some_type(TypeKind::String);
        case NodeKind::List:
            return some_type(TypeKind::Array);
        case NodeKind::Hash:
            return some_type(TypeKind::Hash);
        case NodeKind::Not:
        case NodeKind::And:
        case NodeKind::Or:
        case NodeKind::In:
        case NodeKind::Comparison:
        case NodeKind::Match:
            return some_type(TypeKind::Boolean);
        case NodeKind::Call:
            return of_call(ast::as<ast::Call>(node));
        default:
            return {};
    }
}

StaticType StaticTypes::of(const YamlValue& value) const {
    switch (value.kind) {
        case YamlValue::Kind::Data:
            return exact_type(value.data);
        case YamlValue::Kind::List:
            return some_type(TypeKind::Array);
        case YamlValue::Kind::Map:
            return some_type(TypeKind::Hash);
        case YamlValue::Kind::Bare:
            if (!value.is_expression()) return exact_type(Value(value.text));
            break;
        case YamlValue::Kind::DoubleQuoted:
            if (value.text.find('$') == std::string::npos) return exact_type(Value(value.text));
            return some_type(TypeKind::String);
        case YamlValue::Kind::Code:
            return {};
    }
    const auto program = parse_program(yaml_code(value), {.file = {}, .tasks = true});
    const ast::Node* code = program->body;
    if (code->kind == NodeKind::Block && ast::as<ast::Block>(*code).statements.size() == 1) {
        code = ast::as<ast::Block>(*code).statements.front();
    }
    return of(*code);
}

std::optional<std::string> StaticTypes::mismatch(const StaticType& given, const TypePtr& expected) {
    if (!given.type || !expected) return std::nullopt;
    const bool fits = given.value ? is_instance(*expected, *given.value)
                                  : (families(*given.type) & families(*expected)) != 0;
    if (fits) return std::nullopt;
    return explain_mismatch("", expected, given.type);
}

}  // namespace volley::planner
