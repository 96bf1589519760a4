#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "language/types/type.hpp"

namespace volley::types {

/// A set of named types with a version. Spec "TypeSet".
class TypeSetType final : public Type {
public:
    explicit TypeSetType(std::string set_name, std::string name_authority = {});
    static TypePtr make_default();

    /// Takes what stands in TypeSet[...]; its types are made already. Called once, before anybody else sees
    /// the set. Throws EvalError, in Puppet's words, for a definition that makes no sense.
    void define(const volley::Hash& definition);
    /// Makes a type known by its simple name.
    void add(std::string simple_name, TypePtr type) {
        types_.emplace_back(std::move(simple_name), std::move(type));
    }
    /// Makes the types of another set known below a name.
    void add_reference(std::string alias, TypePtr set) {
        sets_.emplace_back(std::move(alias), std::move(set));
    }
    /// The type of that name (any case), of this set or, as Alias::Name, of one that it refers to; null when
    /// there is none.
    TypePtr find(std::string_view name) const;

    std::string name() const override { return "TypeSet"; }
    const std::string& set_name() const noexcept { return name_; }
    /// Its version as text; empty when it has none.
    const std::string& version() const noexcept { return version_; }
    bool instance(const Value& value, TypeGuard& guard) const override;
    void print(std::string& out, const PrintOptions& options) const override;
    void for_each_contained(const std::function<void(const Type&)>& visit) const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;

private:
    bool is_default() const { return name_ == "DefaultTypeSet"; }

    std::string name_;
    std::string authority_;
    std::string uri_;
    std::string pcore_version_;
    std::string version_;
    std::vector<std::pair<std::string, TypePtr>> types_;
    std::vector<std::pair<std::string, TypePtr>> sets_;
    Value references_;
};

/// The authority of names that programs define.
inline constexpr std::string_view runtime_name_authority = "http://puppet.com/2016.1/runtime";

}  // namespace volley::types
