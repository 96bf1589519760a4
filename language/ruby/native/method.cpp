#include "language/ruby/native/method.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"

namespace volley::ruby {
namespace {

using Kind = Object::Kind;
using Index = std::unordered_map<std::string_view, const Method*>;

/// What comes first hides what comes later: the class, then the modules it includes, then Object.
Index index_tables(std::initializer_list<methods::Table> tables) {
    Index index;
    for (const methods::Table& table : tables) {
        for (const Method& method : table) index.emplace(method.name, &method);
    }
    return index;
}

constexpr std::size_t kind_count = static_cast<std::size_t>(Kind::Enumerator) + 1;

Index index_kind(Kind kind) {
    using namespace methods;  // the tables
    const auto object = [](std::initializer_list<Table> tables) {
        Index index = index_tables(tables);
        for (const Table& table : {json_methods(), yaml_methods(), object_methods()}) {
            for (const Method& method : table) index.emplace(method.name, &method);
        }
        return index;
    };
    switch (kind) {
        case Kind::Nil:
            return object({nil_methods()});
        case Kind::False:
        case Kind::True:
            return object({boolean_methods()});
        case Kind::Integer:
            return object({integer_methods(), integer_arithmetic_methods(), comparable_methods()});
        case Kind::Float:
            return object({float_methods(), comparable_methods()});
        case Kind::Symbol:
            return object({symbol_methods(), comparable_methods()});
        case Kind::String:
            return object({string_methods(), string_access_methods(), string_change_methods(),
                           string_set_methods(), string_split_methods(), string_match_methods(),
                           string_number_methods(), comparable_methods()});
        case Kind::Array:
            return object({array_methods(), array_access_methods(), array_change_methods(),
                           array_combine_methods(), array_sorting_methods(), enumerable_methods(),
                           enumerable_choosing_methods(), enumerable_ordering_methods(),
                           enumerable_cutting_methods()});
        case Kind::Hash:
            return object({hash_methods(), hash_change_methods(), hash_choose_methods(), enumerable_methods(),
                           enumerable_choosing_methods(), enumerable_ordering_methods(),
                           enumerable_cutting_methods()});
        case Kind::Range:
            return object({range_methods(), enumerable_methods(), enumerable_choosing_methods(),
                           enumerable_ordering_methods(), enumerable_cutting_methods()});
        case Kind::Pattern:
            return object({pattern_methods()});
        case Kind::Match:
            return object({match_methods()});
        case Kind::Module:
            return object({module_methods()});
        case Kind::Enumerator:
            return object({enumerator_methods(), enumerable_methods(), enumerable_choosing_methods(),
                           enumerable_ordering_methods(), enumerable_cutting_methods()});
        case Kind::Proc:
        case Kind::Foreign:
        case Kind::Host:
            return index_tables({object_methods()});
    }
    return {};
}

const Index& kind_index(Kind kind) {
    static const std::array<Index, kind_count> indexes = [] {
        std::array<Index, kind_count> made;
        for (std::size_t at = 0; at < kind_count; ++at) made[at] = index_kind(static_cast<Kind>(at));
        return made;
    }();
    return indexes[static_cast<std::size_t>(kind)];
}

const Method* find_in(const Index& index, std::string_view name) {
    const auto found = index.find(name);
    return found == index.end() ? nullptr : found->second;
}

const std::unordered_map<std::string_view, Index>& module_indexes() {
    static const auto indexes = [] {
        std::unordered_map<std::string_view, Index> made;
        for (const auto& modules : {methods::core_modules(), methods::file_modules(), methods::json_modules(),
                                    methods::yaml_modules(), methods::digest_modules(),
                                    methods::math_modules(), methods::network_modules()}) {
            for (const methods::ModuleTable& table : modules) {
                for (const Method& method : table.methods) made[table.module].emplace(method.name, &method);
            }
        }
        return made;
    }();
    return indexes;
}

struct Ancestry {
    Kind kind;
    std::initializer_list<std::string_view> names;  // besides Object, Kernel and BasicObject
};

const Ancestry* ancestry_of(Kind kind) {
    static const Ancestry rows[] = {
        {Kind::Nil, {"NilClass"}},
        {Kind::False, {"FalseClass"}},
        {Kind::True, {"TrueClass"}},
        {Kind::Integer, {"Integer", "Numeric", "Comparable"}},
        {Kind::Float, {"Float", "Numeric", "Comparable"}},
        {Kind::Symbol, {"Symbol", "Comparable"}},
        {Kind::String, {"String", "Comparable"}},
        {Kind::Array, {"Array", "Enumerable"}},
        {Kind::Hash, {"Hash", "Enumerable"}},
        {Kind::Range, {"Range", "Enumerable"}},
        {Kind::Pattern, {"Regexp"}},
        {Kind::Match, {"MatchData"}},
        {Kind::Proc, {"Proc"}},
        {Kind::Enumerator, {"Enumerator", "Enumerable"}},
    };
    const auto* const found =
        std::find_if(std::begin(rows), std::end(rows), [&](const Ancestry& row) { return row.kind == kind; });
    return found == std::end(rows) ? nullptr : found;
}

bool is_built_in_class(std::string_view name) {
    static constexpr std::string_view names[] = {
        "NilClass", "TrueClass", "FalseClass", "Integer", "Float",     "Numeric", "Symbol",    "String",
        "Array",    "Hash",      "Range",      "Regexp",  "MatchData", "Proc",    "Enumerator"};
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::uint32_t* walks_over(const Object& object) {
    switch (object.kind()) {
        case Kind::String:
            return &object.string().walked;
        case Kind::Array:
            return &object.array().walked;
        case Kind::Hash:
            return &object.hash().walked;
        case Kind::Enumerator:
            return walks_over(object.enumerator().receiver);
        default:
            return nullptr;
    }
}

/// While one lives the object must not change: the method keeps places in it, or a copy, where Ruby may look
/// again.
class Walked {
public:
    explicit Walked(const Object& object) : count_(walks_over(object)) {
        if (count_) ++*count_;
    }
    ~Walked() {
        if (count_) --*count_;
    }
    Walked(const Walked&) = delete;
    Walked& operator=(const Walked&) = delete;

private:
    std::uint32_t* const count_;
};

}  // namespace

Object invoke(const Method& method, const Call& call) {
    // Methods whose arguments may be left out count them each in a way of their own: "expected 1" for 0 or 1.
    if (method.least != method.most && call.arguments.size() > static_cast<std::size_t>(method.most))
        not_native(std::string(method.name) + " with so many arguments");
    expect_arguments(call.arguments.size(), method.least, method.most);
    if (method.changes) check_changeable(call);
    if (!call.block || method.live) return method.run(call);
    const Walked walked(call.self);
    return method.run(call);
}

const Method* find_method(const Object& self, std::string_view name) {
    return find_in(kind_index(self.kind()), name);
}

const Method* find_kernel_function(std::string_view name) {
    static const Index index = index_tables({methods::kernel_functions()});
    return find_in(index, name);
}

const Method* find_module_method(std::string_view module, std::string_view name) {
    const auto found = module_indexes().find(module);
    return found == module_indexes().end() ? nullptr : find_in(found->second, name);
}

bool is_known_module(std::string_view name) {
    static constexpr std::string_view others[] = {"Object",     "BasicObject", "Kernel", "Comparable",
                                                  "Enumerable", "Class",       "Module", "File",
                                                  "Psych",      "Digest"};
    return is_built_in_class(name) ||
           std::find(std::begin(others), std::end(others), name) != std::end(others) ||
           module_indexes().contains(name);
}

bool is_a(const Object& object, std::string_view module) {
    if (module == "Object" || module == "Kernel" || module == "BasicObject") return true;
    if (const Ancestry* const row = ancestry_of(object.kind()))
        return std::find(row->names.begin(), row->names.end(), module) != row->names.end();
    if (is_built_in_class(module)) return false;
    throw NotNative{"is_a? of " + std::string(module)};
}

}  // namespace volley::ruby
