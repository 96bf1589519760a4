#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "language/name_index.hpp"
#include "language/syntax/ast.hpp"
#include "language/text/regexp.hpp"
#include "language/types/alias_cache.hpp"
#include "language/types/type.hpp"

namespace volley {

class TypeLoader;

/// The types of a definition's parameters, as long as the names in them mean what they meant.
struct ParameterTypes {
    struct Name {
        const ast::Node* reference = nullptr;  // where it is asked for first
        TypePtr type;
    };
    std::vector<TypePtr> types;  // null: anything
    std::vector<Name> names;     // those that the language itself does not know
};

/// A class, defined type or node, as the manifest has it: the same for every catalog.
struct DefinitionCode {
    enum class Kind : std::uint8_t { Class, Define, Node };
    Kind kind = Kind::Class;
    std::string name;       // in lower case; of a node with a regular expression a made-up one
    std::string reference;  // "Foo::Bar": the title of a class, the type of a defined type's instances
    const ast::Node* node = nullptr;  // null for main
    const ast::Node* body = nullptr;
    std::span<ast::Parameter* const> parameters;
    std::string parent;  // "::name" of the class it inherits; empty for none
    std::string module_name;
    Ref<const Regexp> pattern;  // of a node
    std::shared_ptr<const ParameterTypes>
        types;  // once they were read; null when each catalog has to read them
    NameIndex parameter_index;
};

/// What one compilation of a catalog can take from those before it: whatever depends on nothing but the files
/// of modules. It remembers no decision to read a file and nothing that was logged: every compilation finds,
/// checks and reports all files by itself, in its own order, and takes from here only what came of a file
/// that is still the same.
struct CachedDefinitions {
    struct Manifest {
        std::shared_ptr<const ast::Program> program;
        std::vector<std::shared_ptr<DefinitionCode>> definitions;
    };
    AliasCache types;
    std::unordered_map<std::string, Manifest> manifests;  // of modules, by the name that stands for the file
};

/// Where the compilations of one environment put what the next may use. Any thread; those that run at the
/// same time each have a CachedDefinitions of their own.
class DefinitionCache {
public:
    /// An idle one, or an empty one.
    std::unique_ptr<CachedDefinitions> take();
    void put_back(std::unique_ptr<CachedDefinitions> code);

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<CachedDefinitions>> idle_;
};

/// The CachedDefinitions that a compilation uses while it runs.
class DefinitionLease {
public:
    /// `cache`: null for a compilation that stands alone. `types` keeps its aliases in it.
    DefinitionLease(std::shared_ptr<DefinitionCache> cache, TypeLoader& types);
    ~DefinitionLease() { end(); }
    DefinitionLease(const DefinitionLease&) = delete;
    DefinitionLease& operator=(const DefinitionLease&) = delete;

    /// nullptr when there is none, or no longer.
    CachedDefinitions* code() const noexcept { return code_.get(); }
    /// Puts it back: the values of a compilation may live longer, and on other threads.
    void end() noexcept;

private:
    std::shared_ptr<DefinitionCache> cache_;
    TypeLoader& types_;
    std::unique_ptr<CachedDefinitions> code_;
};

}  // namespace volley
