#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/labels.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"

namespace volley {

using ast::NodeKind;

Value Evaluator::eval_assignment(const ast::Binary& node, const FramePtr& frame) {
    Value value = evaluate(*node.right, frame);
    if (node.op != "=")
        fail("UNSUPPORTED_OPERATOR", node, "The operator '" + std::string(node.op) + "' is not supported.");
    assign(*node.left, value, node, frame);
    return value;
}

void Evaluator::assign(const ast::Node& target, const Value& value, const ast::Binary& node,
                       const FramePtr& frame) {
    if (target.kind == NodeKind::List) return assign_list(ast::as<ast::List>(target), value, node, frame);
    if (target.kind != NodeKind::Variable) {
        fail("ILLEGAL_ASSIGNMENT", target,
             "Illegal attempt to assign to '" + a_an(label(target)) + "'. Not an assignable reference");
    }
    const Value name_value = evaluate(*ast::as<ast::Variable>(target).expr, frame);
    const std::string name = to_text(name_value);
    if (!name_value.is_string()) {
        fail("ILLEGAL_NUMERIC_ASSIGNMENT", *node.left,
             "Illegal attempt to assign to the numeric match result variable '$" + name +
                 "'. Numeric variables are not assignable");
    }
    if (name.find("::") != std::string::npos) {
        fail("CROSS_SCOPE_ASSIGNMENT", *node.left,
             "Illegal attempt to assign to '" + name + "'. Cannot assign to variables in other namespaces");
    }
    static constexpr std::string_view reserved[] = {"trusted", "facts"};
    const bool is_reserved = name == reserved[0] || name == reserved[1];
    if (name == "server_facts" || (is_reserved && frame->find_here(name))) {
        fail("ILLEGAL_RESERVED_ASSIGNMENT", node,
             "Attempt to assign to a reserved variable name: '$" + name + "'");
    }
    if (is_reserved) throw EvalError("", "Attempt to assign to a reserved variable name: '" + name + "'");
    if (frame->find_here(name)) {
        const bool built_in = name == "title" || name == "name";
        fail("ILLEGAL_REASSIGNMENT", node,
             built_in ? "Cannot reassign built in (or already assigned) variable '$" + name + "'"
                      : "Cannot reassign variable '$" + name + "'");
    }
    const ast::Node& written = *ast::as<ast::Variable>(target).expr;
    if (written.kind == NodeKind::Name)
        frame->bind(ast::as<ast::Name>(written).value, value);
    else
        frame->set(name, value);
}

/// What a nested list takes from a hash: the value under the key that is the list of its names.
Value Evaluator::assignment_key(const ast::Node& target, const FramePtr& frame) {
    if (target.kind == NodeKind::Variable) return evaluate(*ast::as<ast::Variable>(target).expr, frame);
    if (target.kind != NodeKind::List) {
        fail("ILLEGAL_ASSIGNMENT", target,
             "Illegal attempt to assign to '" + a_an(label(target)) + "'. Not an assignable reference");
    }
    std::vector<Value> names;
    for (const ast::Node* part : ast::as<ast::List>(target).values)
        names.push_back(assignment_key(*part, frame));
    return names;
}

void Evaluator::assign_list(const ast::List& targets, const Value& value, const ast::Binary& node,
                            const FramePtr& frame) {
    if (value.is_hash()) {
        for (const ast::Node* target : targets.values) {
            const Value key = assignment_key(*target, frame);
            const Value* item = value.as_hash().find(key);
            if (!item) {
                fail("MISSING_MULTI_ASSIGNMENT_KEY", node,
                     "No value for required key '" + ruby_to_s(key) +
                         "' in assignment to variables from hash");
            }
            assign(*target, *item, node, frame);
        }
        return;
    }
    if (value.is(Kind::Type) && value.as_type()->kind() == TypeKind::Class && catalog_) {
        const auto& type = as<types::CatalogType>(*value.as_type());
        if (!catalog_->has_class(type.type_name.value_or("")))
            fail("UNKNOWN_RESOURCE", *node.right,
                 "Resource not found: Class['" + type.type_name.value_or("") + "']");
        for (const ast::Node* target : targets.values) {
            const std::string name = ruby_to_s(assignment_key(*target, frame));
            const std::string full = type.type_name.value_or("") + "::" + name;
            const auto found = find_variable(full, frame);
            if (!found) {
                fail("MISSING_MULTI_ASSIGNMENT_VARIABLE", *target,
                     "No value for required variable '$" + full +
                         "' in assignment to variables from class reference");
            }
            assign(*target, *found, node, frame);
        }
        return;
    }
    const std::vector<Value> values = value.is_array() ? value.as_array().items() : std::vector<Value>{value};
    if (values.size() != targets.values.size()) {
        fail("ILLEGAL_MULTI_ASSIGNMENT_SIZE", node,
             "Mismatched number of assignable entries and values, expected " +
                 std::to_string(targets.values.size()) + ", got " + std::to_string(values.size()));
    }
    for (std::size_t i = 0; i < values.size(); ++i) assign(*targets.values[i], values[i], node, frame);
}

}  // namespace volley
