#include <functional>
#include <unordered_map>

#include "language/conversion/times.hpp"
#include "language/errors.hpp"
#include "language/float_to_integer.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/uri.hpp"
#include "language/text/version.hpp"
#include "language/types/mismatch.hpp"
#include "language/types/object_type.hpp"
#include "language/types/parse.hpp"
#include "language/types/type_set.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley::types {
namespace {

/// One type with parameters that is being made.
struct Request {
    std::string_view name;  // as written
    std::vector<Value> parameters;
    std::string_view shown;
    TypeLoader& loader;

    std::size_t count() const { return parameters.size(); }
    const Value& at(std::size_t index) const { return parameters[index]; }

    [[noreturn]] void invalid() const {
        throw EvalError("", "The expression <" + std::string(shown) + "> is not a valid type specification.");
    }
    [[noreturn]] void wrong_count(std::string_view type, std::string_view required) const {
        throw EvalError("", "Invalid number of type parameters specified: " + std::string(type) +
                                " requires " + std::string(required) + ", " + std::to_string(count()) +
                                " provided");
    }
    TypePtr type(std::size_t index) const {
        if (!at(index).is(Kind::Type)) invalid();
        return at(index).as_type();
    }
    bool is_range_type(std::size_t index) const {
        return at(index).is(Kind::Type) && at(index).as_type()->kind() == TypeKind::Integer;
    }
};

bool is_bound(const Value& value) {
    return value.is(Kind::Integer) || value.is(Kind::Default) ||
           (value.is_string() && value.as_string() == "default");
}

std::int64_t bound(const Request& request, const Value& value, std::int64_t otherwise) {
    if (!is_bound(value)) request.invalid();
    return value.is(Kind::Integer) ? value.as_integer() : otherwise;
}

TypePtr range_of(const Request& request, const Value& from, const Value& to) {
    return integer(bound(request, from, RangeType::lowest), bound(request, to, RangeType::highest));
}

/// A size: one Integer type, or a lower bound with or without an upper one.
TypePtr size_at(const Request& request, std::size_t index, std::size_t count) {
    if (count == 1 && request.is_range_type(index)) return request.type(index);
    return range_of(request, request.at(index), count == 2 ? request.at(index + 1) : Value::make_default());
}

TypePtr make_array(const Request& r) {
    switch (r.count()) {
        case 1:
            return array_of(r.type(0));
        case 2:
            return r.at(0).is(Kind::Type) ? array_of(r.type(0), size_at(r, 1, 1))
                                          : array_of({}, size_at(r, 0, 2));
        case 3:
            return array_of(r.type(0), size_at(r, 1, 2));
        default:
            r.wrong_count("Array", "1 to 3");
    }
}

TypePtr make_hash(const Request& r) {
    switch (r.count()) {
        case 2:
            if (r.at(0).is(Kind::Type) && r.at(1).is(Kind::Type)) return hash_of(r.type(0), r.type(1));
            return hash_of({}, {}, size_at(r, 0, 2));
        case 3:
            return hash_of(r.type(0), r.type(1), size_at(r, 2, 1));
        case 4:
            return hash_of(r.type(0), r.type(1), size_at(r, 2, 2));
        default:
            r.wrong_count("Hash", "2 to 4");
    }
}

TypePtr make_collection(const Request& r) {
    if (r.count() != 1 && r.count() != 2) r.wrong_count("Collection", "1 to 2");
    return make_shared_object<CollectionType>(TypeKind::Collection, TypePtr(), TypePtr(),
                                              size_at(r, 0, r.count()));
}

TypePtr make_string(const Request& r) {
    if (r.count() != 1 && r.count() != 2) r.wrong_count("String", "1 to 2");
    return make_shared_object<StringType>(size_at(r, 0, r.count()));
}

TypePtr make_integer(const Request& r) {
    if (r.count() != 1 && r.count() != 2) r.wrong_count("Integer", "1 or 2");
    return size_at(r, 0, r.count());
}

TypePtr make_float(const Request& r) {
    if (r.count() != 1 && r.count() != 2) r.wrong_count("Float", "1 or 2");
    const auto limit = [&r](std::size_t index, double otherwise) {
        if (index >= r.count() || r.at(index).is(Kind::Default)) return otherwise;
        if (!r.at(index).is_number()) r.invalid();
        return r.at(index).as_float();
    };
    const double infinity = std::numeric_limits<double>::infinity();
    return make_shared_object<FloatType>(limit(0, -infinity), limit(1, infinity));
}

/// A limit given as text, read by the usual formats.
std::int64_t time_from(TypeKind kind, const Value& given) {
    const Value made = kind == TypeKind::Timespan ? timespan_from(given) : timestamp_from(given);
    return made.as_integer();
}

TypePtr make_time(const Request& r, TypeKind kind) {
    if (r.count() > 2) r.wrong_count(default_of(kind)->name(), "0 to 2");
    const Kind value_kind = kind == TypeKind::Timespan ? Kind::Timespan : Kind::Timestamp;
    const auto limit = [&](std::size_t index, std::int64_t otherwise) {
        if (index >= r.count() || r.at(index).is(Kind::Default) || r.at(index).is_undef()) return otherwise;
        if (r.at(index).is(value_kind)) return r.at(index).as_integer();
        if (r.at(index).is_string() || r.at(index).is_hash()) return time_from(kind, r.at(index));
        if (r.at(index).is(Kind::Integer)) return nanoseconds_of(r.at(index).as_integer());
        if (r.at(index).is(Kind::Float)) return nanoseconds_of(r.at(index).as_float());
        r.invalid();
    };
    return make_shared_object<RangeType>(kind, limit(0, RangeType::lowest), limit(1, RangeType::highest));
}

TypePtr make_boolean(const Request& r) {
    if (r.count() != 1) r.wrong_count("Boolean", "1");
    if (!r.at(0).is(Kind::Boolean)) throw EvalError("", "Boolean parameter must be true or false");
    return make_shared_object<BooleanType>(r.at(0).as_boolean());
}

TypePtr make_enum(const Request& r) {
    std::vector<std::string> words;
    bool ignore_case = false;
    std::size_t count = r.count();
    if (count > 0 && r.at(count - 1).is(Kind::Boolean)) ignore_case = r.at(--count).as_boolean();
    if (count == 0) r.wrong_count("Enum", "1 or more");
    for (std::size_t i = 0; i < count; ++i) {
        if (!r.at(i).is_string()) throw EvalError("", "Enum parameters must be identifiers or strings");
        words.push_back(r.at(i).as_string());
    }
    return make_shared_object<EnumType>(std::move(words), ignore_case);
}

TypePtr make_pattern(const Request& r) {
    if (r.count() == 0) r.wrong_count("Pattern", "1 or more");
    std::vector<Ref<const volley::Regexp>> patterns;
    for (const Value& value : r.parameters) {
        if (value.is_string()) {
            patterns.push_back(volley::Regexp::compile(value.as_string()));
        } else if (value.is(Kind::Regexp)) {
            patterns.emplace_back(&value.as_regexp());
        } else if (value.is(Kind::Type) && value.as_type()->kind() == TypeKind::Pattern) {
            const auto& more = as<PatternType>(*value.as_type()).patterns;
            patterns.insert(patterns.end(), more.begin(), more.end());
        } else if (value.is(Kind::Type) && value.as_type()->kind() == TypeKind::Regexp) {
            const auto& regexp = as<RegexpType>(*value.as_type()).regexp;
            patterns.push_back(regexp ? regexp : volley::Regexp::compile(""));
        } else {
            throw EvalError("", "Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got '" +
                                    std::string(kind_name(value.kind())) + "'");
        }
    }
    return make_shared_object<PatternType>(std::move(patterns));
}

TypePtr make_regexp(const Request& r) {
    if (r.count() != 1) r.wrong_count("Regexp", "1");
    if (r.at(0).is_string())
        return make_shared_object<RegexpType>(volley::Regexp::compile(r.at(0).as_string()));
    if (!r.at(0).is(Kind::Regexp)) r.invalid();
    return make_shared_object<RegexpType>(Ref<const volley::Regexp>(&r.at(0).as_regexp()));
}

TypePtr make_variant(const Request& r) {
    if (r.count() == 0) r.wrong_count("Variant", "1 or more");
    std::vector<TypePtr> choices;
    for (std::size_t i = 0; i < r.count(); ++i) choices.push_back(r.type(i));
    return variant(std::move(choices));
}

/// Takes the size off the end of a list of types; null when there is none.
TypePtr take_size(const Request& r, std::size_t& count, bool low_is_zero) {
    const auto low = [&](const Value& value) { return bound(r, value, low_is_zero ? 0 : RangeType::lowest); };
    if (count >= 2 && is_bound(r.at(count - 2))) {
        count -= 2;
        return integer(low(r.at(count)), bound(r, r.at(count + 1), RangeType::highest));
    }
    if (count >= 1 && is_bound(r.at(count - 1))) {
        --count;
        return integer(low(r.at(count)), RangeType::highest);
    }
    return {};
}

TypePtr make_tuple(const Request& r) {
    if (r.count() == 0) r.wrong_count("Tuple", "1 or more");
    std::size_t count = r.count();
    const TypePtr size = take_size(r, count, true);
    std::vector<TypePtr> parts;
    for (std::size_t i = 0; i < count; ++i) parts.push_back(r.type(i));
    return tuple(std::move(parts), size);
}

/// Where Puppet takes any value for a type: a name is that of a class of the host language.
TypePtr type_of_parameter(const Value& value) {
    if (value.is(Kind::Type)) return value.as_type();
    if (value.is_string() && value.as_string().empty()) {
        throw EvalError("",
                        "Runtime 'name_or_pattern' has wrong type, expects a value of type String[1] or "
                        "Tuple[Regexp, String[1]], got String");
    }
    if (value.is_string())
        return make_shared_object<TextType>(TypeKind::Runtime,
                                            std::vector<std::string>{"ruby", value.as_string()});
    return infer(value)->generalize();
}

TypePtr make_callable(const Request& outer) {
    if (outer.count() > 0 && outer.at(0).is_array()) {
        if (outer.count() != 2) outer.wrong_count("callable", "2 when first parameter is an array");
        const Request inner{outer.name, outer.at(0).as_array().items(), outer.shown, outer.loader};
        const TypePtr made = make_callable(inner);
        const auto& callable = as<CallableType>(*made);
        return make_shared_object<CallableType>(callable.parameters, callable.block, outer.type(1));
    }
    std::size_t count = outer.count();
    TypePtr block;
    if (count > 0 && outer.at(count - 1).is(Kind::Type) && outer.at(count - 1).as_type()->is_callable()) {
        block = outer.type(--count);
    }
    const TypePtr size = take_size(outer, count, false);
    std::vector<TypePtr> parts;
    for (std::size_t i = 0; i < count; ++i) parts.push_back(type_of_parameter(outer.at(i)));
    if (parts.empty() && size && range(*size).to > 0) parts.push_back(simple(TypeKind::Unit));
    return make_shared_object<CallableType>(tuple(std::move(parts), size), block, TypePtr());
}

TypePtr make_struct(const Request& r) {
    if (r.count() != 1) r.wrong_count("Struct", "1");
    if (!r.at(0).is_hash()) r.invalid();
    return struct_from(r.at(0).as_hash());
}

/// Optional, NotUndef (a string is a literal type there), Type, Sensitive, Iterable, Iterator.
TypePtr make_wrapper(const Request& r, TypeKind kind) {
    const bool zero_allowed = kind == TypeKind::NotUndef || kind == TypeKind::Sensitive;
    if (r.count() != 1) r.wrong_count(default_of(kind)->name(), zero_allowed ? "0 to 1" : "1");
    const bool literal_allowed = kind == TypeKind::Optional || kind == TypeKind::NotUndef;
    if (literal_allowed && r.at(0).is_string()) return wrap(kind, string_literal(r.at(0).as_string()));
    return wrap(kind, r.type(0));
}

TypePtr make_class(const Request& r) {
    if (r.count() != 1) r.wrong_count("Class", "1");
    if (!r.at(0).is_string()) r.invalid();
    std::string name = r.at(0).as_string();
    if (name.starts_with("::")) name.erase(0, 2);
    return make_shared_object<CatalogType>(TypeKind::Class, std::move(name), std::nullopt);
}

TypePtr make_resource(const Request& r) {
    if (r.count() != 1 && r.count() != 2) r.wrong_count("Resource", "1 or 2");
    std::optional<std::string> title;
    if (r.count() == 2) {
        if (!r.at(1).is_string()) r.invalid();
        title = r.at(1).as_string();
    }
    std::string name;
    if (r.at(0).is_string()) {
        name = r.at(0).as_string();
    } else {
        const TypePtr type = r.type(0);
        if (type->kind() == TypeKind::Reference)
            name = as<TextType>(*type).texts.front();
        else if (type->kind() == TypeKind::Resource)
            name = as<CatalogType>(*type).type_name.value_or("");
        else
            r.invalid();
    }
    return make_shared_object<CatalogType>(TypeKind::Resource, std::move(name), std::move(title));
}

TypePtr make_runtime(const Request& r) {
    if (r.count() != 2) r.wrong_count("Runtime", "2");
    if (!r.at(0).is_string() || !r.at(1).is_string()) r.invalid();
    return make_shared_object<TextType>(TypeKind::Runtime,
                                        std::vector{r.at(0).as_string(), r.at(1).as_string()});
}

TypePtr make_text(const Request& r, TypeKind kind) {
    std::vector<std::string> texts;
    for (const Value& value : r.parameters) {
        if (kind == TypeKind::SemVer && value.is(Kind::SemVerRange)) {
            texts.push_back(value.as<VersionRange>().text());
            continue;
        }
        if (!value.is_string()) r.invalid();
        const bool any_version = kind == TypeKind::SemVer && value.as_string().empty();
        if (kind == TypeKind::SemVer && !any_version) VersionRange::parse(value.as_string());
        texts.push_back(any_version ? "*" : value.as_string());
    }
    return make_shared_object<TextType>(kind, std::move(texts));
}

void assert_parameter(const std::string& subject, const TypePtr& type, const Value& value) {
    if (is_instance(*type, value)) return;
    throw EvalError("", describe_mismatch(subject + " has wrong type,", type, infer_set(value)));
}

/// RFC 2396, absolute URIs. Written over several lines like the one that Puppet prints.
constexpr std::string_view absolute_uri_pattern = R"(Pattern[/(?x-mi:
        ([a-zA-Z][\-+.a-zA-Z\d]*):                           (?# 1: scheme)
        (?:[\-_.!~*'()a-zA-Z\d;\/?:@&=+$,\[\]]|%[a-fA-F\d]{2})+
        (?:\#((?:[\-_.!~*'()a-zA-Z\d;\/?:@&=+$,\[\]]|%[a-fA-F\d]{2})*))?
      )/])";

std::string uri_parts_text() {
    const std::string types = "Type[NotUndef],Type[Undef]";
    const std::string text = "Optional[Variant[String[1],Regexp,Type[Pattern],Type[Enum]," + types + "]]";
    std::string result =
        "Variant[String[1],Struct[{Optional[port]=>Optional[Variant[Integer[0]," + types + "]]";
    for (const std::string_view part : {"scheme", "userinfo", "host", "path", "query", "fragment", "opaque"})
        result += ",Optional[" + std::string(part) + "]=>" + text;
    return result + "}]]";
}

TypePtr make_init(const Request& r) {
    if (r.count() == 0) r.wrong_count("Init", "1 or more");
    const TypePtr type = r.type(0);
    return make_shared_object<InitType>(type,
                                        std::vector<Value>(r.parameters.begin() + 1, r.parameters.end()));
}

/// A text must be an absolute URI; a hash says what its parts must match.
TypePtr make_uri(const Request& r) {
    if (r.count() != 1) r.wrong_count("URI", "1");
    const Value& given = r.at(0);
    if (given.is(Kind::Uri)) return make_shared_object<UriType>(given.as<Uri>().as_type_parameters());
    if (given.is_string()) {
        static const TypePtr absolute = parse_type(absolute_uri_pattern);
        assert_parameter("URI-Type parameter", absolute, given);
        return make_shared_object<UriType>(Uri::parse(given.as_string()).as<Uri>().as_type_parameters());
    }
    static const TypePtr parts = parse_type(uri_parts_text());
    if (!given.is_hash()) r.invalid();
    assert_parameter("URI-Type parameter", parts, given);
    return make_shared_object<UriType>(given);
}

/// Compatibility: what Object and TypeSet may be made of, and stands for nothing.
bool is_nothing(const Value& given) {
    return given.is_undef() || given == Value("") || (given.is_hash() && given.as_hash().empty());
}

/// The name of an Object type or TypeSet that is given no more than a name.
const Value& object_name(const Value& name, const std::string& what) {
    static const TypePtr pattern = parse_type("Pattern[/\\A[A-Z][\\w]*(?:::[A-Z][\\w]*)*\\z/]");
    assert_parameter(what + " name", pattern, name);
    return name;
}

TypePtr make_type_set(const Request& r) {
    if (r.count() != 1) r.wrong_count("TypeSet", "1");
    if (is_nothing(r.at(0))) return default_of(TypeKind::TypeSet);
    if (r.at(0).is_string() || r.at(0).is(Kind::Default))
        return make_shared_object<TypeSetType>(object_name(r.at(0), "TypeSet").as_string());
    if (!r.at(0).is_hash()) r.invalid();
    auto* set = new TypeSetType(std::string());
    TypePtr result(set);
    set->define(r.at(0).as_hash());
    return result;
}

TypePtr make_object(const Request& r) {
    if (r.count() != 1) r.wrong_count("Object", "1");
    if (is_nothing(r.at(0))) return default_of(TypeKind::Object);
    auto* object = new ObjectType(std::string());
    TypePtr result(object);
    if (r.at(0).is_string() || r.at(0).is(Kind::Default)) {
        object->define(HashBuilder().set("name", object_name(r.at(0), "object")).build().as_hash());
        return result;
    }
    if (!r.at(0).is_hash()) r.invalid();
    object->define(r.at(0).as_hash());
    return result;
}

using Maker = std::function<TypePtr(const Request&)>;

const std::unordered_map<std::string_view, Maker>& makers() {
    const auto wrapper = [](TypeKind kind) {
        return [kind](const Request& r) { return make_wrapper(r, kind); };
    };
    const auto time = [](TypeKind kind) { return [kind](const Request& r) { return make_time(r, kind); }; };
    const auto text = [](TypeKind kind) { return [kind](const Request& r) { return make_text(r, kind); }; };
    static const std::unordered_map<std::string_view, Maker> table{
        {"array", make_array},
        {"hash", make_hash},
        {"collection", make_collection},
        {"string", make_string},
        {"integer", make_integer},
        {"float", make_float},
        {"timespan", time(TypeKind::Timespan)},
        {"timestamp", time(TypeKind::Timestamp)},
        {"boolean", make_boolean},
        {"enum", make_enum},
        {"pattern", make_pattern},
        {"regexp", make_regexp},
        {"variant", make_variant},
        {"tuple", make_tuple},
        {"callable", make_callable},
        {"struct", make_struct},
        {"optional", wrapper(TypeKind::Optional)},
        {"notundef", wrapper(TypeKind::NotUndef)},
        {"type", wrapper(TypeKind::Type)},
        {"sensitive", wrapper(TypeKind::Sensitive)},
        {"iterable", wrapper(TypeKind::Iterable)},
        {"iterator", wrapper(TypeKind::Iterator)},
        {"init", make_init},
        {"object", make_object},
        {"typeset", make_type_set},
        {"class", make_class},
        {"resource", make_resource},
        {"runtime", make_runtime},
        {"semver", text(TypeKind::SemVer)},
        {"uri", make_uri},
        {"typereference", text(TypeKind::Reference)},
    };
    return table;
}

}  // namespace

TypePtr parameterize(std::string_view name, std::vector<Value> parameters, std::string_view shown,
                     TypeLoader& loader) {
    const Request request{name, std::move(parameters), shown, loader};
    const std::string key = lower(name);
    if (const auto found = makers().find(key); found != makers().end()) return found->second(request);
    const TypePtr type = loader.load(name);
    if (!type) return make_shared_object<TextType>(TypeKind::Reference, std::vector{std::string(shown)});
    if (type->kind() == TypeKind::Resource) {
        if (request.count() != 1) request.wrong_count(name, "1");
        if (!request.at(0).is_string()) request.invalid();
        return make_shared_object<CatalogType>(TypeKind::Resource, as<CatalogType>(*type).type_name,
                                               request.at(0).as_string());
    }
    if (type->kind() == TypeKind::Object) {
        return make_shared_object<ObjectExtension>(Ref<const ObjectType>(&as<ObjectType>(*type)),
                                                   request.parameters);
    }
    throw EvalError("", "Not a parameterized type <" + std::string(name) + ">");
}

TypePtr struct_from(const volley::Hash& members) {
    std::vector<StructType::Element> elements;
    for (const auto& member : members) {
        const TypePtr value = type_of_parameter(member.value);
        TypePtr key;
        if (member.key.is_string()) {
            if (member.key.as_string().empty())
                throw EvalError("", "Struct element key cannot be an empty String");
            key = string_literal(member.key.as_string());
            if (is_assignable(*value, *undef())) key = optional(key);
        } else {
            if (!member.key.is(Kind::Type)) {
                throw EvalError(
                    "",
                    "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: " +
                        ruby_class(member.key));
            }
            key = member.key.as_type();
            if (key && key->kind() == TypeKind::NotUndef) key = as<WrapperType>(*key).type;
            if (key && key->kind() == TypeKind::Enum && as<EnumType>(*key).values.size() == 1) {
                key = string_literal(as<EnumType>(*key).values.front());
            }
        }
        const Type* literal =
            key && key->kind() == TypeKind::Optional ? as<WrapperType>(*key).type.get() : key.get();
        if (!literal || literal->kind() != TypeKind::String || !as<StringType>(*literal).value) {
            throw EvalError("", "Unable to extract a non-empty literal string from Struct member key type " +
                                    (key ? to_string(*key) : std::string(kind_name(member.key.kind()))));
        }
        elements.push_back({*as<StringType>(*literal).value, key, value});
    }
    return make_shared_object<StructType>(std::move(elements));
}

}  // namespace volley::types
