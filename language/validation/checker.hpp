#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/evaluator/environment.hpp"
#include "language/syntax/ast.hpp"

namespace volley {

/// Visits every node of a program and collects what is wrong. Private to the validation files.
class Checker {
public:
    /// `file_namespace`: CheckOptions of compile.hpp.
    explicit Checker(const LanguageSettings& settings, std::optional<std::string> file_namespace = {})
        : settings_(settings), file_namespace_(std::move(file_namespace)) {}
    std::vector<Diagnostic> run(const ast::Program& program);

private:
    using Node = ast::Node;
    using NodeKind = ast::NodeKind;

    // checker.cpp
    void visit(const Node& node);
    void check(const Node& node);
    void error(std::string_view issue, const Node& at, const std::string& message);
    void warning(std::string_view issue, const Node& at, const std::string& message);
    const Node* container(std::size_t up = 0) const;
    void rvalue(const Node* node);
    void illegal_expression(const Node& node, std::string_view feature, const Node& where);
    void check_variable(const ast::Variable& node);
    void check_hash(const ast::Hash& node);
    void check_case(const ast::Case& node);
    void check_selector(const ast::Selector& node);
    void check_call(const ast::Call& node);
    void check_block(const ast::Block& node);
    void check_assignment(const ast::Binary& node);
    void assign(const Node& target, bool via_index);
    void check_attribute(const ast::Attribute& node);
    void check_attribute_splat(const ast::Unary& node);
    void check_integer(const ast::Integer& node);
    void check_heredoc(const ast::Heredoc& node);
    void query(const Node& node);

    // definition_checks.cpp
    void only_definitions(const Node& body);
    void check_place(const ast::Definition& node);
    void top(const Node& definition);
    void check_definition(const ast::Definition& node);
    void check_node_definition(const ast::NodeDefinition& node);
    void check_type_alias(const ast::TypeAlias& node);
    void check_type_mapping(const ast::TypeMapping& node);
    void check_lambda(const ast::Lambda& node);
    void check_parameter(const ast::Parameter& node);
    void no_assignment(const Node& node);
    void no_capture(std::span<ast::Parameter* const> parameters, const Node& where);
    void unique_names(std::span<ast::Parameter* const> parameters);
    void reserved_type_name(const Node& node, std::string_view name);
    void type_reference(const Node& type, const Node& where);
    void literal_types(std::span<ast::Parameter* const> parameters);
    void no_value_last(const Node* body, const Node& definition);
    void hostname(const Node& node, const Node& where);

    // task_checks.cpp
    bool in_apply_block() const;
    bool is_refused_in_plans(const Node& node);
    bool refuse_in_apply_block(const Node& node);

    const LanguageSettings& settings_;
    const std::optional<std::string> file_namespace_;
    std::vector<const Node*> path_;
    std::vector<Diagnostic> found_;
};

/// True when evaluating the node does nothing but produce a value.
bool has_no_effect(const ast::Node* node);
/// "name { a => 1 }": a name followed by a hash.
bool is_resource_without_title(const ast::Node& node);
/// The value of a literal, if the node is one.
std::optional<Value> literal_value(const ast::Node& node);

}  // namespace volley
