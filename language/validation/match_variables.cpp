#include "language/validation/match_variables.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "language/syntax/ast_walk.hpp"

namespace volley {
namespace {

using ast::NodeKind;

constexpr int any_groups = std::numeric_limits<int>::max();

/// At least as many as the pattern has; those that only group are left out.
int groups_of(std::string_view pattern) {
    int groups = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '\\') {
            ++i;
        } else if (pattern[i] == '(') {
            const std::string_view rest = pattern.substr(i + 1);
            const bool named = rest.starts_with("?<") && !rest.starts_with("?<=") && !rest.starts_with("?<!");
            if (!rest.starts_with('?') || named) ++groups;
        }
    }
    return groups;
}

/// How many groups a match with the value of `node` leaves behind; nullopt when it is not a pattern.
std::optional<int> groups_of_pattern(const ast::Node& node, bool texts_are_patterns) {
    switch (node.kind) {
        case NodeKind::Paren:
            return groups_of_pattern(*ast::as<ast::Unary>(node).expr, texts_are_patterns);
        case NodeKind::Regexp:
            return groups_of(ast::as<ast::RegexpLiteral>(node).value->source());
        case NodeKind::Default:
        case NodeKind::Undef:
        case NodeKind::Boolean:
        case NodeKind::Integer:
        case NodeKind::Float:
        case NodeKind::Reference:
        case NodeKind::Hash:
            return std::nullopt;
        case NodeKind::Name:
        case NodeKind::String:
        case NodeKind::Concatenated:
        case NodeKind::Heredoc:
            return texts_are_patterns ? std::optional(any_groups) : std::nullopt;
        case NodeKind::List: {
            std::optional<int> most;
            for (const ast::Node* value : ast::as<ast::List>(node).values)
                most = std::max(most, groups_of_pattern(*value, texts_are_patterns));
            return most;
        }
        default:
            return any_groups;  // a variable or a call: it may be one
    }
}

/// The number in $5; nullopt for other variables.
std::optional<int> group_number(const ast::Variable& variable) {
    if (variable.expr->kind == NodeKind::Integer)
        return static_cast<int>(ast::as<ast::Integer>(*variable.expr).value);
    if (variable.expr->kind != NodeKind::Name) return std::nullopt;
    const std::string_view name = ast::as<ast::Name>(*variable.expr).value;
    const bool digits = !name.empty() && name.size() < 6 &&
                        std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    return digits ? std::optional(std::stoi(std::string(name))) : std::nullopt;
}

/// Walks in the order of evaluation and keeps what the last match may have left: compatibility: `if`, `case`
/// and `?` take it back at their end.
class Walker {
public:
    std::vector<Diagnostic> found;

    void visit(const ast::Node& node) {
        switch (node.kind) {
            case NodeKind::Variable:
                return variable(ast::as<ast::Variable>(node));
            case NodeKind::Match: {
                const auto& match = ast::as<ast::Binary>(node);
                children(node);
                return matched(groups_of_pattern(*match.right, true));
            }
            case NodeKind::In: {
                children(node);
                const ast::Node& left = *ast::as<ast::Binary>(node).left;
                if (left.kind == NodeKind::Regexp) matched(groups_of_pattern(left, false));
                return;
            }
            case NodeKind::CaseOption: {
                const auto& option = ast::as<ast::CaseOption>(node);
                for (const ast::Node* value : option.values) pattern(*value);
                if (option.then) visit(*option.then);
                return;
            }
            case NodeKind::SelectorEntry: {
                const auto& entry = ast::as<ast::SelectorEntry>(node);
                pattern(*entry.match);
                return visit(*entry.value);
            }
            case NodeKind::If:
            case NodeKind::Unless:
            case NodeKind::Case:
            case NodeKind::Selector:
            case NodeKind::Lambda:
                return inside(node, groups_);
            case NodeKind::NodeDefinition: {
                std::optional<int> most;
                for (const ast::Node* match : ast::as<ast::NodeDefinition>(node).matches)
                    most = std::max(most, groups_of_pattern(*match, false));
                return inside(node, most);
            }
            case NodeKind::Class:
            case NodeKind::Define:
            case NodeKind::Function:
            case NodeKind::Plan:
            case NodeKind::Apply:
            case NodeKind::Epp:
                return inside(node, std::nullopt);
            default:
                return children(node);
        }
    }

private:
    void children(const ast::Node& node) {
        ast::for_each_child(node, [this](const ast::Node& child) { visit(child); });
    }
    void inside(const ast::Node& node, std::optional<int> groups) {
        const std::optional<int> before = groups_;
        groups_ = groups;
        children(node);
        groups_ = before;
    }
    void pattern(const ast::Node& value) {
        visit(value);
        matched(groups_of_pattern(value, false));
    }
    /// A match may fail and leave the one before: the greater number counts.
    void matched(std::optional<int> groups) { groups_ = std::max(groups_, groups); }

    void variable(const ast::Variable& node) {
        const auto number = group_number(node);
        if (!number) return children(node);
        if (groups_ && *number <= *groups_) return;
        const std::string name = "$" + std::to_string(*number);
        const std::string why = groups_
                                    ? "the match before it has only " + std::to_string(*groups_) + " groups"
                                    : "nothing is matched before it";
        found.push_back({Severity::Warning, "UNMATCHED_GROUP",
                         "'" + name + "' is a group of a regular expression, and " + why +
                             ": it is always empty. Write '\\" + name + "' for the text",
                         node.location()});
    }

    std::optional<int> groups_;  // of the last match; nullopt: none
};

}  // namespace

std::vector<Diagnostic> unmatched_groups(const ast::Node& node) {
    Walker walker;
    walker.visit(node);
    return std::move(walker.found);
}

}  // namespace volley
