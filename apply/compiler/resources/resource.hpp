#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "apply/compiler/definitions.hpp"
#include "apply/compiler/name_table.hpp"
#include "apply/compiler/resources/attribute_index.hpp"
#include "apply/compiler/resources/tags.hpp"
#include "apply/types/resource_type.hpp"
#include "language/errors.hpp"
#include "language/name_index.hpp"
#include "language/syntax/ast.hpp"
#include "language/value.hpp"
#include "support/text_hash.hpp"

namespace volley {

class Scope;
struct Resource;

/// Where something was written: a node, or the place of a function call. Lines are computed when asked for.
class Origin {
public:
    Origin() = default;
    Origin(const ast::Node& node) : node_(&node) {}
    /// `place` must stay alive as long as the compilation.
    explicit Origin(const Location* place) : place_(place) {}
    /// File and line; no column, as resources know none.
    Location location() const;
    /// The same in two parts, without copying the file's name.
    std::string_view file() const;
    int line() const;
    /// "(line: 1)", "(file: f, line: 1)", or nothing.
    std::string text() const;
    /// The same with a space in front.
    std::string suffix() const;

private:
    const ast::Node* node_ = nullptr;
    const Location* place_ = nullptr;
};

/// A parameter of a resource. Names live as long as the compilation.
struct ResourceParameter {
    std::string_view name;
    Value value;
    const Definition* source = nullptr;  // whose code set it; decides who may override it
    Origin at = {};
    bool append = false;  // +>
};

/// All resources of one type.
struct ResourceBucket {
    std::string type;  // "File", "Foo::Bar", "Class"
    const ResourceType* native = nullptr;
    Definition* define = nullptr;
    bool is_class = false;
    bool is_stage = false;
    bool is_node = false;
    bool has_defaults = false;  // somebody wrote Type { }
    const Tag* tag = nullptr;
    std::vector<Resource*> resources;
    NameTable names;            // titles and aliases
    std::uint64_t changes = 0;  // how often a parameter of one was changed after it was declared
    std::unordered_map<std::string_view, AttributeIndex> indexes;  // for collectors, by attribute
    /// A parameter of a resource got another value.
    void note_change(Resource& resource, std::string_view attribute) {
        ++changes;
        if (!indexes.empty()) changed(resource, attribute);
    }
    /// The index of an attribute over all resources as they are now; nullptr as long as it would not pay.
    AttributeIndex* index_of(std::string_view attribute);

private:
    void changed(Resource& resource, std::string_view attribute);
};

/// A title as the program wrote it: text nearly always. Functions may pass other values, which Puppet keeps
/// beside their text: such a title is not a tag, and the name is more than a repetition of it
/// (compatibility).
struct ResourceTitle {
    ResourceTitle(std::string title) : text(std::move(title)) {}
    ResourceTitle(const char* title) : text(title) {}
    explicit ResourceTitle(const Value& title);
    std::string text;
    Value value;  // undef: the text is all
};

/// A resource while the catalog is being compiled.
struct Resource {
    ResourceBucket* bucket = nullptr;
    std::string title;
    Value title_value;                 // what the program wrote when that was not text; else undef
    bool main_title = false;           // Class[main] and Stage[main]: their title is not text (compatibility)
    Definition* definition = nullptr;  // of a class, define or node
    Scope* scope = nullptr;            // where it was declared
    const Definition* source = nullptr;
    Origin at = {};
    std::vector<ResourceParameter> parameters;  // none is ever taken away, nor renamed
    std::vector<std::string_view> sensitive;
    TagSet tags;
    std::vector<Resource*> containers;
    std::vector<Resource*> contents;
    std::vector<Value> before;  // references that arrows add
    std::vector<Value> notify;
    std::uint32_t order = 0;     // among those of its type
    std::uint32_t position = 0;  // in the catalog, once that is made
    bool in_catalog = false;
    bool is_virtual = false;
    bool exported = false;
    bool evaluated = false;
    bool has_scope_tags = false;
    bool finished = false;
    bool spread = false;  // its metaparameters went to what it contains

    std::string reference() const { return bucket->type + "[" + title + "]"; }
    bool title_is_text() const noexcept { return !main_title && title_value.is_undef(); }
    Value title_as_given() const { return title_value.is_undef() ? Value(title) : title_value; }
    bool is_class() const noexcept { return bucket->is_class; }
    bool is_native() const noexcept { return bucket->native != nullptr; }
    ResourceParameter* find(std::string_view name);
    const ResourceParameter* find(std::string_view name) const;
    /// What resource[name] is in Puppet: the title, or the value of a parameter; undef when there is none.
    Value value(std::string_view name) const;
    bool has_attribute(std::string_view name) const;

private:
    mutable NameIndex parameter_index_;
};

/// The defaults, and after them what is only among a resource's `own`; its values win over theirs.
std::vector<ResourceParameter> merged_parameters(std::vector<ResourceParameter> defaults,
                                                 std::vector<ResourceParameter> own);

/// Names of parameters and files, once for each text.
class NamePool {
public:
    std::string_view intern(std::string_view name) {
        const auto found = names_.find(name);
        return found == names_.end() ? std::string_view(*names_.emplace(name).first)
                                     : std::string_view(*found);
    }

private:
    std::unordered_set<std::string, TextHasher, std::equal_to<>> names_;
};

/// A type and a title as catalogs write them.
struct ResourceKey {
    std::string type;
    std::string title;
    std::string text() const { return type + "[" + title + "]"; }
};

/// Reads "File[/tmp/x]" and "Class[a::b]". Throws EvalError for what is not a reference.
ResourceKey parse_resource_key(const std::string& text);
/// In the form of catalogs: the type with capitals, and the title of a class too.
ResourceKey make_resource_key(std::string_view type, std::string_view title);

/// The parameters as the catalog has them, with what the title says: Puppet's to_hash.
std::vector<std::pair<std::string_view, Value>> resource_hash(const Resource& resource);

}  // namespace volley
