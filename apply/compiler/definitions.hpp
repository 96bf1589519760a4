#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "apply/compiler/definition_cache.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/frame.hpp"
#include "language/syntax/ast.hpp"
#include "language/types/type.hpp"

namespace volley {

/// A class, defined type or node, as this compilation sees it. The code around main is the class "". What the
/// manifest says is in `code` and may be read as if it were its own.
struct Definition {
    using Kind = DefinitionCode::Kind;
    explicit Definition(std::shared_ptr<DefinitionCode> its_code);

    const std::shared_ptr<DefinitionCode> code;
    const Kind kind;
    const std::string& name;
    const std::string& reference;
    const ast::Node* const node;
    const ast::Node* const body;
    const std::span<ast::Parameter* const> parameters;
    const std::string& parent;
    const std::string& module_name;
    std::span<const TypePtr> types;                         // of the parameters; null: anything
    std::shared_ptr<const ParameterTypes> parameter_types;  // holds them
    std::shared_ptr<const MatchData> match;                 // of a node's pattern with the node's name
    Definition* parent_definition = nullptr;                // once it was asked for
    /// A collector with overrides came from here, so that it may override everything (compatibility).
    bool overrides_everything = false;

    bool has_parameter(std::string_view parameter) const;
    /// Whether it may override what `other` has set: it inherits from it.
    bool is_child_of(const Definition* other) const;
};

/// The classes, defined types and nodes that are known, and those that modules have. Spec "Names": all names
/// are absolute and do not regard case.
class Definitions {
public:
    /// `added` is called with each definition before it can be found. `lease`: what is known of modules'
    /// manifests.
    Definitions(Environment& environment, const DefinitionLease& lease,
                std::function<void(Definition&)> added);

    /// Makes the classes, defines and nodes of a program known. Throws EvalError for a name that is taken.
    void add(const ast::Program& program, const std::string& module_name);
    Definition& main() noexcept { return *main_; }
    /// "a::b" or "::a::b", any case; loads the module's manifest when need be. nullptr when there is none.
    Definition* find_class(std::string_view name);
    Definition* find_define(std::string_view name);
    Definition* known_class(std::string_view name);
    /// The node definition for a node of that name: by name, else the first with a matching pattern.
    Definition* find_node(std::string_view name);
    /// The classes or defined types that are known and those that modules may have, for suggestions.
    std::vector<std::string> names(Definition::Kind kind) const;
    bool has_nodes() const noexcept { return !nodes_.empty(); }
    /// A class without code.
    Definition& add_empty_class(const std::string& name);

private:
    using Table = std::unordered_map<std::string, Definition*>;
    void add_one(const std::shared_ptr<DefinitionCode>& code);
    void check_name(const Definition& one) const;
    void add_loaded(const std::string& name, const std::shared_ptr<const ast::Program>& program);
    bool load(const std::string& name);
    Definition* find_or_load(Table& table, std::string_view name);

    Environment& environment_;
    const DefinitionLease& lease_;
    std::function<void(Definition&)> added_;
    std::vector<std::unique_ptr<Definition>> all_;
    Definition* main_ = nullptr;
    Table classes_;
    Table defines_;
    Table nodes_;
    std::vector<Definition*> patterns_;
    std::unordered_set<std::string> loaded_;  // names whose manifests were asked for
};

}  // namespace volley
