#include <deque>
#include <unordered_map>

#include "language/lookup/context.hpp"
#include "language/types/builtin_objects.hpp"
#include "language/types/native_type.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"
#include "language/types/types_of_types.hpp"
#include "support/text.hpp"

namespace volley::types {
namespace {

const NativeType& annotation_type() {
    static const NativeType type{.name = "Annotation", .interface = ""};
    return type;
}

/// The parent of the type system's own types, which annotate() takes as well.
const NativeType& pcore_type() {
    static const NativeType type{.name = "Pcore", .interface = ""};
    return type;
}

/// How a function of an object is written in Ruby.
const NativeType& ruby_method_type() {
    static const NativeType type{
        .name = "RubyMethod",
        .interface =
            "parent => Annotation, attributes => {body => String, "
            "parameters => {type => Optional[String[1]], value => undef}}",
    };
    return type;
}

/// The Object types that every program knows. They name plain types only.
const NativeTypes& language_types() {
    static const NativeTypes& types =
        NativeTypes::make({&annotation_type(), &pcore_type(), &error_type(), &deferred_type(),
                           &ruby_method_type(), &lookup::lookup_context_native()});
    return types;
}

TypePtr builtin_alias(std::string_view name, std::string_view text) {
    AliasType* alias = new AliasType(std::string(name));
    TypePtr keep(alias);
    TypeLoader loader;
    loader.define(name, keep);
    alias->resolve(parse_type(text, loader));
    return keep;
}

/// Resource types that exist in every environment.
constexpr std::string_view resource_types[] = {"Component", "Exec",   "File",    "Filebucket", "Group",
                                               "Node",      "Notify", "Package", "Resources",  "Schedule",
                                               "Service",   "Stage",  "Tidy",    "User",       "Whit"};

/// Names in messages of Puppet's own types.
constexpr std::pair<std::string_view, std::string_view> pcore_names[] = {
    {"Pcore::SimpleTypeName", R"(Pattern[/\A[A-Z]\w*\z/])"},
    {"Pcore::MemberName", R"(Pattern[/\A[a-z_]\w*\z/])"},
    {"Pcore::TypeName", R"(Pattern[/\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z/])"},
    {"Pcore::QRef", R"(Pattern[/\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z/])"},
};

using Table = std::unordered_map<std::string_view, TypePtr>;

const Table& plain_types() {
    static const Table table = [] {
        Table result;
        const std::pair<std::string_view, TypeKind> kinds[] = {
            {"integer", TypeKind::Integer},
            {"float", TypeKind::Float},
            {"numeric", TypeKind::Numeric},
            {"init", TypeKind::Init},
            {"iterable", TypeKind::Iterable},
            {"iterator", TypeKind::Iterator},
            {"string", TypeKind::String},
            {"binary", TypeKind::Binary},
            {"sensitive", TypeKind::Sensitive},
            {"enum", TypeKind::Enum},
            {"boolean", TypeKind::Boolean},
            {"pattern", TypeKind::Pattern},
            {"regexp", TypeKind::Regexp},
            {"array", TypeKind::Array},
            {"hash", TypeKind::Hash},
            {"class", TypeKind::Class},
            {"resource", TypeKind::Resource},
            {"collection", TypeKind::Collection},
            {"scalar", TypeKind::Scalar},
            {"scalardata", TypeKind::ScalarData},
            {"catalogentry", TypeKind::CatalogEntry},
            {"undef", TypeKind::Undef},
            {"notundef", TypeKind::NotUndef},
            {"default", TypeKind::Default},
            {"any", TypeKind::Any},
            {"variant", TypeKind::Variant},
            {"optional", TypeKind::Optional},
            {"runtime", TypeKind::Runtime},
            {"type", TypeKind::Type},
            {"tuple", TypeKind::Tuple},
            {"struct", TypeKind::Struct},
            {"object", TypeKind::Object},
            {"typealias", TypeKind::Alias},
            {"typereference", TypeKind::Reference},
            {"typeset", TypeKind::TypeSet},
            {"callable", TypeKind::Callable},
            {"semver", TypeKind::SemVer},
            {"semverrange", TypeKind::SemVerRange},
            {"timestamp", TypeKind::Timestamp},
            {"timespan", TypeKind::Timespan},
            {"uri", TypeKind::Uri},
        };
        for (const auto& [name, kind] : kinds) result.emplace(name, default_of(kind));
        return result;
    }();
    return table;
}

const Table& aliases() {
    static const Table table = [] {
        Table result;
        const TypePtr key = builtin_alias("RichDataKey", "Variant[String,Numeric]");
        result.emplace("data", data());
        result.emplace("richdata", rich_data());
        result.emplace("richdatakey", key);
        result.emplace("puppet::lookupkey", builtin_alias("Puppet::LookupKey", "Variant[String,Numeric]"));
        result.emplace("puppet::lookupvalue", rich_data());
        static std::vector<std::string> names;  // owns the keys of the table
        static std::deque<std::string> pcore_keys;
        for (const std::string_view name : resource_types) {
            std::string lower_case(name);
            lower_case[0] = static_cast<char>(lower_case[0] - 'A' + 'a');
            names.push_back(std::move(lower_case));
        }
        for (const auto& [name, meaning] : pcore_names)
            result.emplace(pcore_keys.emplace_back(lower(name)), builtin_alias(name, meaning));
        for (std::size_t i = 0; i < names.size(); ++i) {
            result.emplace(names[i], make_shared_object<CatalogType>(
                                         TypeKind::Resource, std::string(resource_types[i]), std::nullopt));
        }
        return result;
    }();
    return table;
}

}  // namespace

TypePtr data() {
    static const TypePtr type =
        builtin_alias("Data", "Variant[ScalarData,Undef,Hash[String,Data],Array[Data]]");
    return type;
}

TypePtr rich_data() {
    static const TypePtr type = [] {
        AliasType* alias = new AliasType("RichData");
        TypePtr keep(alias);
        TypeLoader loader;
        loader.define("RichData", keep);
        loader.define("RichDataKey", builtin_alias("RichDataKey", "Variant[String,Numeric]"));
        alias->resolve(
            parse_type("Variant[Scalar,SemVerRange,Binary,Sensitive,Type,TypeSet,URI,Object,Undef,Default,"
                       "Hash[RichDataKey,RichData],Array[RichData]]",
                       loader));
        return keep;
    }();
    return type;
}

TypePtr builtin_type(std::string_view lower_case_name) {
    const auto plain = plain_types().find(lower_case_name);
    if (plain != plain_types().end()) return plain->second;
    // The aliases are built from plain types, so asking for those must not build the aliases.
    if (lower_case_name == "data") return data();
    if (lower_case_name == "richdata") return rich_data();
    if (TypePtr native = language_types().find(lower_case_name)) return native;
    const auto named = aliases().find(lower_case_name);
    if (named != aliases().end()) return named->second;
    return lower_case_name.starts_with("pcore::") ? types_of_types().find(lower_case_name) : TypePtr();
}

std::vector<std::string> builtin_type_names() {
    std::vector<std::string> names{"Data", "RichData"};
    for (const auto& [key, type] : plain_types()) names.push_back(type->name());
    std::sort(names.begin(), names.end());
    return names;
}

std::optional<std::string_view> builtin_origin(std::string_view lower_case_name) {
    if (plain_types().contains(lower_case_name)) return "Originally set by Puppet-Type-System/Static-Loader.";
    const bool named = lower_case_name == "deferred" || lower_case_name == "annotation" ||
                       lower_case_name == "data" || lower_case_name == "richdata" ||
                       aliases().contains(lower_case_name);
    return named ? std::optional<std::string_view>("Set at unknown location") : std::nullopt;
}

}  // namespace volley::types
