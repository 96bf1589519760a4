#include "language/serialization/pcore_types.hpp"

#include <cmath>

#include "language/errors.hpp"
#include "language/text/regexp.hpp"
#include "language/text/version.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

using namespace types;

class StructElementValue final : public Shared {
public:
    StructElementValue(TypePtr key_type, TypePtr value_type)
        : key(std::move(key_type)), value(std::move(value_type)) {}
    const TypePtr key;
    const TypePtr value;
};

Value pcore_type_value(const TypePtr& type) { return type ? Value(type) : Value(); }

Value pcore_type_list(const std::vector<TypePtr>& list) {
    std::vector<Value> values;
    for (const TypePtr& type : list) values.emplace_back(type);
    return values;
}

Value pcore_texts(const std::vector<std::string>& list) {
    std::vector<Value> values;
    for (const std::string& text : list) values.emplace_back(text);
    return values;
}

Value pcore_optional_text(const std::optional<std::string>& text) { return text ? Value(*text) : Value(); }

using Attributes = std::vector<std::pair<std::string, Value>>;

/// Without the undefs at the end.
Attributes pcore_trimmed(Attributes attributes) {
    while (!attributes.empty() && attributes.back().second.is_undef()) attributes.pop_back();
    return attributes;
}

Value pcore_bound(TypeKind kind, std::int64_t bound) {
    if (bound == RangeType::lowest || bound == RangeType::highest) return {};
    if (kind == TypeKind::Timespan) return Value::timespan(bound);
    if (kind == TypeKind::Timestamp) return Value::timestamp(bound);
    return bound;
}

Attributes pcore_collection(const CollectionType& type) {
    const bool hash = type.kind() == TypeKind::Hash;
    Attributes result;
    if (hash) result.emplace_back("key_type", Value(type.key ? type.key : any()));
    if (type.kind() != TypeKind::Collection)
        result.emplace_back(hash ? "value_type" : "element_type", Value(type.value ? type.value : any()));
    if (type.size) {
        result.emplace_back("size_type", Value(type.size));
        return result;
    }
    while (!result.empty() && result.back().second.as_type()->kind() == TypeKind::Any) result.pop_back();
    return result;
}

Attributes pcore_struct(const StructType& type) {
    std::vector<Value> elements;
    for (const StructType::Element& element : type.elements)
        elements.emplace_back(Kind::Opaque,
                              make_shared_object<StructElementValue>(element.key, element.value));
    return {{"elements", elements}};
}

Attributes pcore_patterns(const PatternType& type) {
    std::vector<Value> patterns;
    for (const auto& regexp : type.patterns)
        patterns.emplace_back(TypePtr(make_shared_object<RegexpType>(regexp)));
    return {{"patterns", patterns}};
}

Attributes pcore_enum(const EnumType& type) {
    Attributes result{{"values", pcore_texts(type.values)}};
    if (type.case_insensitive) result.emplace_back("case_insensitive", true);
    return result;
}

Attributes pcore_attributes(const Type& type) {
    switch (type.kind()) {
        case TypeKind::Integer:
        case TypeKind::Timespan:
        case TypeKind::Timestamp: {
            const auto& limits = as<RangeType>(type);
            return pcore_trimmed({{"from", pcore_bound(type.kind(), limits.from)},
                                  {"to", pcore_bound(type.kind(), limits.to)}});
        }
        case TypeKind::Float: {
            const auto& limits = as<FloatType>(type);
            const auto bound = [](double value) {
                return std::abs(value) < INFINITY ? Value(value) : Value();
            };
            return pcore_trimmed({{"from", bound(limits.from)}, {"to", bound(limits.to)}});
        }
        case TypeKind::String: {
            const auto& text = as<StringType>(type);
            return pcore_trimmed(
                {{"size_type_or_value", text.value ? Value(*text.value) : pcore_type_value(text.size)}});
        }
        case TypeKind::Enum:
            return pcore_enum(as<EnumType>(type));
        case TypeKind::Pattern:
            return pcore_patterns(as<PatternType>(type));
        case TypeKind::Regexp: {
            const auto& regexp = as<RegexpType>(type).regexp;
            return pcore_trimmed({{"pattern", regexp ? Value(regexp->pattern()) : Value()}});
        }
        case TypeKind::Collection:
        case TypeKind::Array:
        case TypeKind::Hash:
            return pcore_collection(as<CollectionType>(type));
        case TypeKind::Tuple:
            return pcore_trimmed({{"types", pcore_type_list(as<TupleType>(type).types)},
                                  {"size_type", pcore_type_value(as<TupleType>(type).size)}});
        case TypeKind::Struct:
            return pcore_struct(as<StructType>(type));
        case TypeKind::Variant:
            return {{"types", pcore_type_list(as<VariantType>(type).types)}};
        case TypeKind::Optional:
        case TypeKind::NotUndef:
        case TypeKind::Type:
        case TypeKind::Iterable:
        case TypeKind::Iterator:
            return pcore_trimmed({{"type", pcore_type_value(as<WrapperType>(type).type)}});
        case TypeKind::Callable: {
            const auto& callable = as<CallableType>(type);
            return {{"param_types", pcore_type_value(callable.parameters)},
                    {"block_type", pcore_type_value(callable.block)},
                    {"return_type", pcore_type_value(callable.return_type)}};
        }
        case TypeKind::Class:
            return pcore_trimmed({{"class_name", pcore_optional_text(as<CatalogType>(type).type_name)}});
        case TypeKind::Resource:
            return pcore_trimmed({{"type_name", pcore_optional_text(as<CatalogType>(type).type_name)},
                                  {"title", pcore_optional_text(as<CatalogType>(type).title)}});
        case TypeKind::Init: {
            const auto& init = as<InitType>(type);
            return pcore_trimmed({{"type", pcore_type_value(init.type)},
                                  {"init_args", init.arguments.empty() ? Value() : Value(init.arguments)}});
        }
        case TypeKind::Uri:
            return pcore_trimmed({{"parameters", as<UriType>(type).parameters}});
        case TypeKind::SemVer: {
            std::vector<Value> ranges;
            for (const std::string& text : as<TextType>(type).texts)
                ranges.push_back(VersionRange::parse(text));
            return pcore_trimmed({{"ranges", ranges.empty() ? Value() : Value(ranges)}});
        }
        case TypeKind::Alias:
            return {{"name", Value(type.name())},
                    {"type_expr", Value()},
                    {"resolved_type", Value(as<AliasType>(type).resolved_ptr())}};
        default:
            return {};
    }
}

bool pcore_is_object(TypeKind kind) {
    switch (kind) {
        // Their own attributes are data that only their text holds in full.
        case TypeKind::Runtime:
        case TypeKind::Reference:
        case TypeKind::Object:
        case TypeKind::ObjectExtension:
        case TypeKind::TypeSet:
            return false;
        default:
            return true;
    }
}

std::string pcore_type_name(const Type& type) {
    if (type.kind() == TypeKind::Alias) return "Pcore::TypeAliasType";
    if (type.kind() == TypeKind::Resource) return "Pcore::ResourceType";
    return "Pcore::" + type.name() + "Type";
}

TypePtr pcore_type_of(const Value* value) {
    if (!value || value->is_undef()) return {};
    if (!value->is(Kind::Type)) throw EvalError("", "a type is described by something that is not a type");
    return value->as_type();
}

std::vector<TypePtr> pcore_types_of(const Value* value) {
    std::vector<TypePtr> result;
    if (!value || !value->is_array()) return result;
    for (const Value& item : value->as_array()) {
        if (TypePtr type = pcore_type_of(&item)) result.push_back(std::move(type));
    }
    return result;
}

/// Parameters as they would stand in the brackets of a type expression.
Value pcore_parameterized(const std::string& name, std::vector<Value> parameters, const PcoreWorld& world) {
    return parameterize(name, std::move(parameters), name, world.types);
}

std::int64_t pcore_limit(const Value* value, std::int64_t otherwise) {
    return value && !value->is_undef() ? value->as_integer() : otherwise;
}

TypePtr pcore_size_of(const Hash& attributes) {
    TypePtr size = pcore_type_of(attributes.find("size_type"));
    if (size && size->kind() != TypeKind::Integer)
        throw EvalError("", "the size of a type is not an Integer type");
    return size;
}

Value pcore_make_struct(const Hash& attributes) {
    std::vector<StructType::Element> elements;
    const Value* list = attributes.find("elements");
    for (const Value& item : list && list->is_array() ? list->as_array().items() : std::vector<Value>()) {
        if (!item.is(Kind::Opaque)) throw EvalError("", "a Struct has an element that is not one");
        const auto& element = item.as<StructElementValue>();
        const Type* key = element.key.get();
        while (key->kind() == TypeKind::Optional || key->kind() == TypeKind::NotUndef)
            key = as<WrapperType>(*key).type ? as<WrapperType>(*key).type.get()
                                             : throw EvalError("", "a Struct has an element without a name");
        if (key->kind() != TypeKind::String || !as<StringType>(*key).value)
            throw EvalError("", "a Struct has an element without a name");
        elements.push_back({*as<StringType>(*key).value, element.key, element.value});
    }
    return TypePtr(make_shared_object<StructType>(std::move(elements)));
}

Value pcore_make_string(const Hash& attributes) {
    const Value* given = attributes.find("size_type_or_value");
    if (given && given->is_string()) return string_literal(given->as_string());
    const TypePtr size = pcore_type_of(given);
    if (!size) return default_of(TypeKind::String);
    if (size->kind() != TypeKind::Integer) throw EvalError("", "the size of a String is not an Integer type");
    return TypePtr(make_shared_object<StringType>(size));
}

Value pcore_make_pattern(const Hash& attributes) {
    std::vector<Ref<const volley::Regexp>> patterns;
    for (const TypePtr& type : pcore_types_of(attributes.find("patterns"))) {
        if (type->kind() != TypeKind::Regexp || !as<RegexpType>(*type).regexp)
            throw EvalError("", "a Pattern has a pattern that is not a Regexp");
        patterns.push_back(as<RegexpType>(*type).regexp);
    }
    return TypePtr(make_shared_object<PatternType>(std::move(patterns)));
}

Value pcore_make_enum(const Hash& attributes) {
    std::vector<std::string> words;
    const Value* list = attributes.find("values");
    for (const Value& word : list && list->is_array() ? list->as_array().items() : std::vector<Value>())
        words.push_back(word.as_string());
    const Value* folds = attributes.find("case_insensitive");
    return TypePtr(make_shared_object<EnumType>(std::move(words), folds && folds->truthy()));
}

Value pcore_make_range(TypeKind kind, const Hash& attributes) {
    return TypePtr(make_shared_object<RangeType>(kind,
                                                 pcore_limit(attributes.find("from"), RangeType::lowest),
                                                 pcore_limit(attributes.find("to"), RangeType::highest)));
}

Value pcore_make_float(const Hash& attributes) {
    const auto limit = [&attributes](const char* key, double otherwise) {
        const Value* value = attributes.find(key);
        return value && value->is_number() ? value->as_float() : otherwise;
    };
    return TypePtr(make_shared_object<FloatType>(limit("from", -INFINITY), limit("to", INFINITY)));
}

Value pcore_make_catalog(TypeKind kind, const Hash& attributes) {
    const auto text = [&attributes](const char* key) -> std::optional<std::string> {
        const Value* value = attributes.find(key);
        return value && value->is_string() ? std::optional(value->as_string()) : std::nullopt;
    };
    return TypePtr(make_shared_object<CatalogType>(kind,
                                                   text(kind == TypeKind::Class ? "class_name" : "type_name"),
                                                   kind == TypeKind::Class ? std::nullopt : text("title")));
}

Value pcore_make_alias(const Hash& attributes, const PcoreWorld& world) {
    const Value* name = attributes.find("name");
    if (!name || !name->is_string()) throw EvalError("", "a type alias has no name");
    // An alias that is known here means what it means here.
    if (const TypePtr known = world.types.load(name->as_string())) return known;
    const TypePtr meaning = pcore_type_of(attributes.find("resolved_type"));
    if (!meaning) throw EvalError("", "the type alias " + name->as_string() + " has no meaning");
    const Ref<AliasType> alias(new AliasType(name->as_string()));
    alias->resolve(meaning);
    return TypePtr(alias);
}

Value pcore_make_kind(const std::string& plain, const Hash& attributes, const PcoreWorld& world) {
    // What an empty list or hash has in it; it has no name in the language.
    if (plain == "unit") return simple(TypeKind::Unit);
    const TypePtr base = builtin_type(plain);
    if (!base)
        throw EvalError("", "No implementation mapping found for Puppet Type Pcore::" + plain + "Type");
    switch (base->kind()) {
        case TypeKind::Integer:
        case TypeKind::Timespan:
        case TypeKind::Timestamp:
            return pcore_make_range(base->kind(), attributes);
        case TypeKind::Float:
            return pcore_make_float(attributes);
        case TypeKind::String:
            return pcore_make_string(attributes);
        case TypeKind::Enum:
            return pcore_make_enum(attributes);
        case TypeKind::Pattern:
            return pcore_make_pattern(attributes);
        case TypeKind::Regexp: {
            const Value* pattern = attributes.find("pattern");
            if (!pattern || !pattern->is_string()) return base;
            return TypePtr(make_shared_object<RegexpType>(
                Ref<const volley::Regexp>(volley::Regexp::compile(pattern->as_string()))));
        }
        case TypeKind::Collection:
        case TypeKind::Array:
        case TypeKind::Hash: {
            const char* element = base->kind() == TypeKind::Hash ? "value_type" : "element_type";
            return TypePtr(make_shared_object<CollectionType>(
                base->kind(), pcore_type_of(attributes.find("key_type")),
                pcore_type_of(attributes.find(element)), pcore_size_of(attributes)));
        }
        case TypeKind::Tuple:
            return tuple(pcore_types_of(attributes.find("types")), pcore_size_of(attributes));
        case TypeKind::Struct:
            return pcore_make_struct(attributes);
        case TypeKind::Variant:
            return TypePtr(make_shared_object<VariantType>(pcore_types_of(attributes.find("types"))));
        case TypeKind::Optional:
        case TypeKind::NotUndef:
        case TypeKind::Type:
        case TypeKind::Iterable:
        case TypeKind::Iterator:
            return wrap(base->kind(), pcore_type_of(attributes.find("type")));
        case TypeKind::Callable:
            return TypePtr(make_shared_object<CallableType>(pcore_type_of(attributes.find("param_types")),
                                                            pcore_type_of(attributes.find("block_type")),
                                                            pcore_type_of(attributes.find("return_type"))));
        case TypeKind::Class:
        case TypeKind::Resource:
            return pcore_make_catalog(base->kind(), attributes);
        case TypeKind::SemVer: {
            const Value* ranges = attributes.find("ranges");
            return ranges && ranges->is_array()
                       ? pcore_parameterized("SemVer", ranges->as_array().items(), world)
                       : Value(base);
        }
        case TypeKind::Uri: {
            const Value* parts = attributes.find("parameters");
            return parts ? pcore_parameterized("URI", {*parts}, world) : Value(base);
        }
        default:
            return base;
    }
}

}  // namespace

PcoreObject describe_type(const Type& type) {
    if (!pcore_is_object(type.kind())) {
        return {.type = "Pcore::TypeReferenceType", .attributes = {{"type_string", Value(to_string(type))}}};
    }
    return {.type = pcore_type_name(type), .attributes = pcore_attributes(type)};
}

PcoreObject describe_struct_element(const Value& element) {
    const auto& pair = element.as<StructElementValue>();
    return {.type = "Pcore::StructElement",
            .attributes = {{"key_type", Value(pair.key)}, {"value_type", Value(pair.value)}}};
}

std::optional<Value> make_type(const std::string& name, const Hash& attributes, const PcoreWorld& world) {
    if (!name.starts_with("Pcore::")) return std::nullopt;
    const auto element_type = [&attributes](const char* key) {
        TypePtr type = pcore_type_of(attributes.find(key));
        return type ? type : throw EvalError("", "a Struct has an element without a type");
    };
    if (name == "Pcore::StructElement")
        return Value(Kind::Opaque, make_shared_object<StructElementValue>(element_type("key_type"),
                                                                          element_type("value_type")));
    if (name == "Pcore::TypeReferenceType") {
        const Value* text = attributes.find("type_string");
        if (!text || !text->is_string()) throw EvalError("", "a type reference has no text");
        return Value(parse_type(text->as_string(), world.types));
    }
    if (name == "Pcore::TypeAliasType") return pcore_make_alias(attributes, world);
    if (name == "Pcore::InitType") {
        std::vector<Value> parameters;
        if (const TypePtr made = pcore_type_of(attributes.find("type"))) parameters.emplace_back(made);
        const Value* more = attributes.find("init_args");
        if (more && more->is_array())
            parameters.insert(parameters.end(), more->as_array().begin(), more->as_array().end());
        return parameters.empty() ? Value(builtin_type("init"))
                                  : pcore_parameterized("Init", std::move(parameters), world);
    }
    if (!name.ends_with("Type"))
        throw EvalError("", "No implementation mapping found for Puppet Type " + name);
    std::string plain = name.substr(7, name.size() - 11);
    for (char& c : plain) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return pcore_make_kind(plain, attributes, world);
}

}  // namespace volley
