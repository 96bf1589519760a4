#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "language/syntax/ast.hpp"
#include "language/types/type.hpp"

namespace volley {

class AliasCache;
class NativeTypes;
namespace types {
class TypeSetType;
}

/// Where the meaning of a type name that the language does not know comes from: given a qualified name in
/// lower case ("stdlib::port"), the text that defines it ("type Stdlib::Port = Integer[0, 65535]", the
/// content of types/port.pp), or nullopt.
using AliasResolver = std::function<std::optional<std::string>(std::string_view name)>;

/// Knows the named types of one environment. Aliases are read when they are first asked for and may contain
/// themselves. Not thread safe; the types it returns are.
class TypeLoader {
public:
    explicit TypeLoader(AliasResolver resolver = {}) : resolver_(std::move(resolver)) {}
    /// Where an environment has the definitions of types: returns the TypeAlias or TypeDefinition of a name
    /// in lower case together with its program, or null. Asked after the resource types.
    using FindDefinition = std::function<std::shared_ptr<const ast::Node>(std::string_view name)>;
    void find_definitions(FindDefinition find) { definitions_ = std::move(find); }
    /// Keeps aliases of files there, and takes from there what is still right; null: reads every file anew.
    /// It must outlive the use; nobody else may use it meanwhile.
    void keep_in(AliasCache* kept) { kept_ = kept; }
    /// Says of a name in lower case that the language does not know whether it is a resource
    /// type or a defined type.
    void know_resource_types(std::function<bool(std::string_view name)> known) {
        resource_types_ = std::move(known);
    }
    /// Makes `type` known under a name.
    void define(std::string_view name, TypePtr type);
    /// The type of that name (any case), or null. Throws LanguageError when its definition is wrong.
    TypePtr load(std::string_view name);
    /// Reads "type Name = ..." and makes it known.
    TypePtr define_alias(const ast::TypeAlias& node);
    /// Makes the types of a component above known.
    void add(const NativeTypes& types) { native_.push_back(&types); }
    /// Makes it known, to be read when it is first asked for. The node must stay alive as long as the loader.
    /// Returns the node that has declared the same name before, or null.
    const ast::TypeAlias* declare_alias(const ast::TypeAlias& node);

private:
    /// Names that this loader does not know are looked for in `outer`.
    explicit TypeLoader(TypeLoader* outer) : outer_(outer) {}
    TypePtr define_object(std::string_view name, const ast::Node& body);
    TypePtr define_type_set(std::string_view name, const ast::Node& body);
    static void add_members(types::TypeSetType& set, std::string_view name,
                            const std::vector<std::pair<std::string, const ast::Node*>>& members,
                            TypeLoader& inner);
    TypePtr load_from_set(const std::string& key);
    TypePtr find(const std::string& key, std::string_view name);
    /// What a file defines: from what is kept, or read.
    TypePtr define_from_file(const std::string& key, const std::shared_ptr<const ast::Node>& node);
    TypePtr kept_alias(const std::string& key, const std::shared_ptr<const ast::Node>& node);
    TypePtr define_and_keep(const std::string& key, const std::shared_ptr<const ast::Node>& node);

    TypeLoader* outer_ = nullptr;
    AliasResolver resolver_;
    FindDefinition definitions_;
    AliasCache* kept_ = nullptr;
    using Names = std::vector<std::pair<std::string, TypePtr>>;
    Names* asked_ = nullptr;  // where what load() is asked for is noted
    std::unordered_map<std::string, std::shared_ptr<const ast::Node>>
        in_question_;  // is what is kept still right?
    std::function<bool(std::string_view)> resource_types_;
    std::unordered_map<std::string, TypePtr> known_;
    std::unordered_map<std::string, const ast::TypeAlias*> declared_;
    std::vector<const NativeTypes*> native_;
};

/// Reads a type from its text, such as "Optional[Array[String[1]]]". A name that nobody knows becomes
/// TypeReference['Name'], of which nothing is an instance. Throws ParseError for a syntax error and
/// EvalError, with Puppet's texts, for parameters that a type does not take.
TypePtr parse_type(std::string_view text, AliasResolver resolver = {});
TypePtr parse_type(std::string_view text, TypeLoader& loader);

/// A literal, list or hash that may have types in it: "{x => Integer}".
Value parse_literal(std::string_view text, TypeLoader& loader);

/// The type that an expression denotes without evaluating it.
TypePtr interpret_type(const ast::Node& node, TypeLoader& loader);

namespace types {
/// A type name with parameters, already evaluated: what Name[parameters] means.
/// `shown` is the text of the whole expression, for messages.
TypePtr parameterize(std::string_view name, std::vector<Value> parameters, std::string_view shown,
                     TypeLoader& loader);
/// The types that need no loader; null for other names.
TypePtr builtin_type(std::string_view lower_case_name);
/// "Integer", "Enum": the names of the types that the language has.
std::vector<std::string> builtin_type_names();
/// Where a name that programs cannot define again comes from, in Puppet's words; nullopt for free names.
std::optional<std::string_view> builtin_origin(std::string_view lower_case_name);
/// Builds a Struct from a hash as it is written in the language.
TypePtr struct_from(const volley::Hash& members);
}  // namespace types

}  // namespace volley
