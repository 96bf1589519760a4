#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "language/syntax/ast.hpp"
#include "language/types/type.hpp"

namespace volley {

/// The aliases of modules' files, kept from one use of an environment to the next. Each knows what its names
/// meant: it is taken again only where the file is still the same and every name means the same type, so that
/// whoever takes it has asked for all that reading the file anew would have asked for, in the same order.
/// Aliases that lead back to themselves, and those that need such ones, are not kept. Used by one TypeLoader
/// at a time.
class AliasCache {
public:
    struct Alias {
        std::shared_ptr<const ast::Node> node;  // keeps its program alive: no other node gets its address
        TypePtr type;
        std::vector<std::pair<std::string, TypePtr>>
            names;  // that were asked for, and what they meant; null: nothing
    };

    /// What was made of this node; nullptr when nothing was, or of another state of the file. `key`: the
    /// alias's name in lower case.
    std::shared_ptr<const Alias> find(const std::string& key, const ast::Node& node) const {
        const auto known = aliases_.find(key);
        return known != aliases_.end() && known->second->node.get() == &node ? known->second : nullptr;
    }
    /// Whether this very type is kept under the name.
    bool holds(const std::string& key, const TypePtr& type) const {
        const auto known = aliases_.find(key);
        return known != aliases_.end() && known->second->type == type;
    }
    /// Takes the place of what was kept under the name.
    void keep(const std::string& key, Alias alias) {
        aliases_[key] = std::make_shared<const Alias>(std::move(alias));
    }

private:
    std::unordered_map<std::string, std::shared_ptr<const Alias>> aliases_;
};

}  // namespace volley
