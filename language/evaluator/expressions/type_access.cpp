#include "language/evaluator/expressions/type_access.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/evaluator/labels.hpp"
#include "language/syntax/ast_walk.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "language/types/object_type.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

using namespace types;

/// One access: the type, its keys, and how to complain about them.
struct Access {
    Evaluator& evaluator;
    const ast::Access& node;
    const TypePtr& type;
    std::vector<Value> keys;

    const ast::Node& key(std::size_t index) const {
        return index < node.keys.size() ? *node.keys[index] : static_cast<const ast::Node&>(node);
    }
    bool is_type(std::size_t index) const { return keys[index].is(Kind::Type); }
    bool is_bound(std::size_t index) const {
        return keys[index].is(Kind::Integer) || keys[index].is(Kind::Default);
    }

    void arity(std::string_view base, std::size_t low, std::size_t high) const {
        if (keys.size() >= low && keys.size() <= high) return;
        const std::string got = ". Got " + std::to_string(keys.size());
        const std::string range = high == std::string::npos ? std::to_string(low) + " or more arguments"
                                  : high != low
                                      ? std::to_string(low) + " to " + std::to_string(high) + " arguments"
                                      : std::to_string(low) + " argument" + (low == 1 ? "" : "s");
        Evaluator::fail("BAD_TYPE_SLICE_ARITY", node, std::string(base) + "[] accepts " + range + got);
    }
    void must_be_type(std::string_view base, std::size_t index) const {
        if (is_type(index)) return;
        Evaluator::fail("BAD_TYPE_SLICE_TYPE", key(index),
                        std::string(base) + "[] arguments must be types. Got " + ruby_class(keys[index]));
    }
    void bounds(std::size_t begin) const {
        if (keys.size() == begin + 1 && is_type(begin) && keys[begin].as_type()->kind() == TypeKind::Integer)
            return;
        for (std::size_t i = begin; i < keys.size(); ++i) {
            if (is_bound(i)) continue;
            Evaluator::fail(
                "BAD_COLLECTION_SLICE_TYPE", key(i),
                "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or "
                "default). Got " +
                    a_an(is_type(i) ? label(Value(default_of(keys[i].as_type()->kind())))
                                    : ruby_class(keys[i])));
        }
    }
    template <class Predicate>
    void each_must(std::size_t low, std::size_t high, std::string_view expected, Predicate holds) const {
        arity(a_an_uc(label(Value(type))), low, high);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (holds(keys[i])) continue;
            Evaluator::fail("BAD_TYPE_SPECIALIZATION", key(i),
                            "Error creating type specialization of " + a_an(label(Value(type))) +
                                ", Cannot use " + key_type_name(keys[i]) + " where " + std::string(expected) +
                                " is expected");
        }
    }
};

bool is_type(const Value& value) { return value.is(Kind::Type); }

void check_numbers(const Access& access, bool floats) {
    const std::string name = floats ? "Float" : "Integer";
    if (access.keys.empty() || access.keys.size() > 2) {
        Evaluator::fail("BAD_INTEGER_SLICE_ARITY", access.node,
                        name + "-Type supports [] with one or two arguments (from, to). Got " +
                            std::to_string(access.keys.size()));
    }
    for (std::size_t i = 0; i < access.keys.size(); ++i) {
        if (access.is_bound(i) || (floats && access.keys[i].is(Kind::Float))) continue;
        Evaluator::fail("BAD_INTEGER_SLICE_TYPE", access.key(i),
                        name + "-Type [] requires all arguments to be " + (floats ? "floats, or " : "") +
                            "integers (or default). Got " + ruby_class(access.keys[i]));
    }
}

void check_array(const Access& access) {
    access.arity("Array-Type", 1, 3);
    if (access.keys.size() == 1 || access.keys.size() == 3) access.must_be_type("Array-Type", 0);
    access.bounds(access.is_type(0) ? 1 : 0);
}

void check_hash(const Access& access) {
    const auto& keys = access.keys;
    if (keys.size() == 2 && keys[0].is(Kind::Integer) && keys[1].is(Kind::Integer)) return;
    for (std::size_t i = 0; i < std::min<std::size_t>(keys.size(), 2); ++i)
        access.must_be_type("Hash-Type", i);
    access.arity("Hash-Type", 2, 4);
    access.bounds(2);
}

void check_wrapper(const Access& access, bool literal) {
    const std::string base = access.type->name() + "-Type";
    if (access.type->kind() == TypeKind::NotUndef) {
        access.arity(base, 0, 1);
        if (!access.keys.empty() && !access.is_type(0) && !access.keys[0].is_string()) {
            Evaluator::fail(
                "BAD_NOT_UNDEF_SLICE_TYPE", access.key(0),
                base + "[] argument must be a Type or a String. Got " + ruby_class(access.keys[0]));
        }
        return;
    }
    if (access.type->kind() != TypeKind::Init) access.arity(base, 1, 1);
    if (!(literal && access.keys[0].is_string())) access.must_be_type(base, 0);
}

bool is_uri_hash(const Value& value) {
    static constexpr std::string_view parts[] = {"scheme", "userinfo", "host",     "port",
                                                 "path",   "query",    "fragment", "opaque"};
    return value.is_hash() &&
           std::all_of(value.as_hash().begin(), value.as_hash().end(), [](const Hash::Entry& entry) {
               return entry.key.is_string() &&
                      std::find(std::begin(parts), std::end(parts), entry.key.as_string()) != std::end(parts);
           });
}

void check_tuple(const Access& access) {
    Access types = access;
    for (int i = 0; i < 2 && !types.keys.empty(); ++i) {
        const Value& last = types.keys.back();
        if (last.is(Kind::Integer) || last.is(Kind::Default)) types.keys.pop_back();
    }
    types.each_must(1, std::string::npos, "Any-Type", is_type);
}

/// Throws what Puppet says about keys that a type does not take.
void check_keys(const Access& access) {
    const auto is_string = [](const Value& value) { return value.is_string(); };
    switch (access.type->kind()) {
        case TypeKind::Integer:
            return check_numbers(access, false);
        case TypeKind::Float:
            return check_numbers(access, true);
        case TypeKind::String:
            if (access.keys.empty() || access.keys.size() > 2) {
                Evaluator::fail("BAD_STRING_SLICE_ARITY", access.node,
                                "String supports [] with one or two arguments. Got " +
                                    std::to_string(access.keys.size()));
            }
            return access.bounds(0);
        case TypeKind::Collection:
            access.arity("Collection-Type", 1, 2);
            return access.bounds(0);
        case TypeKind::Array:
            return check_array(access);
        case TypeKind::Hash:
            return check_hash(access);
        case TypeKind::Optional:
            return check_wrapper(access, true);
        case TypeKind::NotUndef:
        case TypeKind::Type:
        case TypeKind::Sensitive:
        case TypeKind::Iterable:
        case TypeKind::Iterator:
        case TypeKind::Init:
            return check_wrapper(access, false);
        case TypeKind::Boolean:
            return access.each_must(1, 1, "TrueClass or FalseClass",
                                    [](const Value& value) { return value.is(Kind::Boolean); });
        case TypeKind::Enum: {
            Access words = access;
            if (!words.keys.empty() && words.keys.back().is(Kind::Boolean)) words.keys.pop_back();
            return words.each_must(1, std::string::npos, "String", is_string);
        }
        case TypeKind::Variant:
            return access.each_must(1, std::string::npos, "Any-Type", is_type);
        case TypeKind::Tuple:
            return check_tuple(access);
        case TypeKind::Pattern:
            return access.each_must(
                1, std::string::npos, "String or Regexp or Pattern-Type or Regexp-Type",
                [](const Value& value) {
                    return value.is_string() || value.is(Kind::Regexp) ||
                           (value.is(Kind::Type) && (value.as_type()->kind() == TypeKind::Pattern ||
                                                     value.as_type()->kind() == TypeKind::Regexp));
                });
        case TypeKind::Regexp:
            if (access.keys.size() > 1) {
                Evaluator::fail("BAD_TYPE_SLICE_ARITY", access.key(1),
                                a_an_uc(label(Value(access.type))) + "[] accepts 1 argument. Got " +
                                    std::to_string(access.keys.size()));
            }
            return access.each_must(1, 1, "String or Regexp", [](const Value& value) {
                return value.is_string() || value.is(Kind::Regexp);
            });
        case TypeKind::Struct:
            return access.each_must(1, 1, "Hash", [](const Value& value) { return value.is_hash(); });
        case TypeKind::Runtime:
            if (access.keys.size() != 2) {  // compatibility: one is not enough, whatever the message says
                Evaluator::fail(
                    "BAD_TYPE_SLICE_ARITY", access.node,
                    "A Runtime-Type[] accepts 1 to 2 arguments. Got " + std::to_string(access.keys.size()));
            }
            return access.each_must(2, 2, "String or String", is_string);
        case TypeKind::Timespan:
        case TypeKind::Timestamp:
            return access.arity(a_an_uc(label(Value(access.type))), 0, 2);
        case TypeKind::SemVer:
            return access.arity(a_an_uc(label(Value(access.type))), 1, std::string::npos);
        case TypeKind::Callable:
            if (!access.keys.empty() && access.keys[0].is_array()) access.arity("A Callable-Type", 2, 2);
            return;
        case TypeKind::Uri:
            access.arity("URI-Type", 1, 1);
            if (access.keys[0] == Value("") || (!access.keys[0].is_string() && !is_uri_hash(access.keys[0])))
                access.must_be_type("URI-Type", 0);
            return;
        case TypeKind::Object:
            return access.arity("Object-Type", 1, 1);
        case TypeKind::TypeSet:
            return access.arity("TypeSet-Type", 1, 1);
        default:
            Evaluator::fail("OPERATOR_NOT_APPLICABLE", *access.node.left,
                            "Operator '[]' is not applicable to " + a_an(label(Value(access.type))) + ".");
    }
}

bool is_class_reference(std::string_view name) {
    for (std::size_t at = 0; at < name.size();) {
        if (name.substr(at).starts_with("::")) at += 2;
        if (at >= name.size() || !is_upper(name[at])) return false;
        while (at < name.size() && is_word(name[at])) ++at;
    }
    return !name.empty();
}

bool is_plain_name(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    for (;;) {
        if (name.empty() || !is_lower(name[0])) return false;
        std::size_t at = 0;
        while (at < name.size() && is_word(name[at])) ++at;
        if (at == name.size()) return true;
        if (!name.substr(at).starts_with("::")) return false;
        name.remove_prefix(at + 2);
    }
}

/// Titles or names from keys; undef among them is dropped.
std::vector<Value> flat_titles(const std::vector<Value>& keys) {
    std::vector<Value> result;
    for (const Value& key : keys) {
        if (key.is_array()) {
            const auto more = flat_titles(key.as_array().items());
            result.insert(result.end(), more.begin(), more.end());
        } else if (!key.is_undef()) {
            result.push_back(key);
        }
    }
    return result;
}

Value one_or_list(std::vector<Value> items, bool list) {
    if (list) return items;
    return items.empty() ? Value() : items.back();
}

void warn_empty(const Access& access) {
    access.evaluator.environment().log(
        {Severity::Warning, "Arguments to Resource[] are all empty/undefined", "", access.key(0).location()});
}

Value access_class(const Access& access, const std::vector<Value>& raw) {
    const auto& type = as<CatalogType>(*access.type);
    const bool list = raw.size() > 1 || raw[0].is_array();
    std::vector<Value> result;
    const std::vector<Value> names = flat_titles(raw);
    if (names.empty()) warn_empty(access);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (type.type_name) {
            if (!access.evaluator.catalog()) break;
            result.push_back(access.evaluator.catalog()->parameter(access.evaluator, access.node, type,
                                                                   to_text(names[i])));
            continue;
        }
        if (!names[i].is_string()) {
            Evaluator::fail("ILLEGAL_HOSTCLASS_NAME", access.key(i),
                            "Illegal Class name in class reference. " + a_an_uc(label(names[i])) +
                                " cannot be used where a String is expected");
        }
        std::string name = lower(names[i].as_string());
        if (name.starts_with("::")) name.erase(0, 2);
        if (!is_plain_name(name)) {
            Evaluator::fail("ILLEGAL_NAME", access.key(i),
                            "Illegal name. The given name '" + names[i].as_string() +
                                "' does not conform to the naming rule "
                                "/^((::)?[a-z_]\\w*)(::[a-z]\\w*)*$/");
        }
        result.push_back(TypePtr(make_shared_object<CatalogType>(TypeKind::Class, name, std::nullopt)));
    }
    return one_or_list(std::move(result), list);
}

Value access_resource(const Access& access, std::vector<Value> raw) {
    const auto& type = as<CatalogType>(*access.type);
    std::string name = type.type_name.value_or("");
    if (!type.type_name) {
        Value first = raw.front();
        if (raw.size() == 1 && first.is(Kind::Type) && first.as_type()->kind() == TypeKind::Resource)
            return first;
        raw.erase(raw.begin());
        if (first.is_string()) {
            name = capitalize_segments(first.as_string());
        } else if (first.is(Kind::Type) && first.as_type()->kind() == TypeKind::Resource) {
            name = as<CatalogType>(*first.as_type()).type_name.value_or("");
        } else {
            Evaluator::fail("ILLEGAL_RESOURCE_SPECIALIZATION", access.key(0),
                            "First argument to Resource[] must be a resource type or a String. Got " +
                                key_type_name(first) + ".");
        }
    }
    if (!is_class_reference(capitalize_segments(name))) {
        Evaluator::fail(
            "ILLEGAL_CLASSREF", access.key(0),
            "Illegal type reference. The given name '" + name + "' does not conform to the naming rule");
    }
    const bool list = raw.size() > 1 || (!raw.empty() && raw[0].is_array());
    const std::vector<Value> titles = flat_titles(raw);
    if (titles.empty() && !raw.empty()) warn_empty(access);
    if (titles.empty() && !raw.empty()) return list ? Value(std::vector<Value>()) : Value();
    std::vector<Value> result;
    if (type.title) {
        for (const Value& key : titles) {
            if (!access.evaluator.catalog()) break;
            result.push_back(
                access.evaluator.catalog()->parameter(access.evaluator, access.node, type, to_text(key)));
        }
        return one_or_list(std::move(result), list);
    }
    if (titles.empty())
        return TypePtr(make_shared_object<CatalogType>(TypeKind::Resource, name, std::nullopt));
    for (std::size_t i = 0; i < titles.size(); ++i) {
        if (!titles[i].is_string()) {
            Evaluator::fail("BAD_TYPE_SPECIALIZATION", access.key(i),  // compatibility: also after a type
                            "Error creating type specialization of " + a_an(label(Value(access.type))) +
                                ", Cannot use " + key_type_name(titles[i]) +
                                " where a resource title String is expected");
        }
        result.push_back(
            TypePtr(make_shared_object<CatalogType>(TypeKind::Resource, name, titles[i].as_string())));
    }
    return one_or_list(std::move(result), list);
}

}  // namespace

std::string key_type_name(const Value& value) {
    if (value.is_undef()) return "Undef";
    if (value.is(Kind::Default)) return "Default";
    return to_string(*infer(value)->generalize());
}

Value access_type(Evaluator& evaluator, const ast::Access& node, const TypePtr& type, std::vector<Value> keys,
                  const std::vector<Value>& raw) {
    const Access access{evaluator, node, type, std::move(keys)};
    if (type->kind() == TypeKind::Class) return access_class(access, raw);
    if (type->kind() == TypeKind::Resource) return access_resource(access, raw);
    if (const ObjectType* object = object_type_of(*type);
        object && type->kind() != TypeKind::Alias && type != default_of(TypeKind::Object)) {
        const auto* base = type->kind() == TypeKind::Object ? object : nullptr;
        if (!base) {
            Evaluator::fail("OPERATOR_NOT_APPLICABLE", *node.left,
                            "Operator '[]' is not applicable to " + a_an(label(Value(type))) + ".");
        }
        return TypePtr(make_shared_object<ObjectExtension>(Ref<const ObjectType>(base), access.keys));
    }
    check_keys(access);
    if (access.keys.empty()) return type;  // NotUndef[[]], Timespan[[]]
    return parameterize(type->name(), access.keys, ast::source_text(node), evaluator.environment().types);
}

}  // namespace volley
