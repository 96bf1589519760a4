#include <algorithm>
#include <functional>

#include "language/errors.hpp"
#include "language/types/mismatch.hpp"
#include "language/types/object_type.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"

namespace volley::types {
namespace {

using Attribute = ObjectType::Attribute;
using AttributeKind = ObjectType::AttributeKind;
using Function = ObjectType::Function;
using Member = ObjectType::Member;

constexpr std::string_view annotations_text =
    "Optional[Hash[Type[Annotation],Hash[Pattern[/\\A[a-z_]\\w*\\z/],Any]]]";

/// What the parts of a definition have to look like; made once.
struct DefinitionTypes {
    TypePtr definition;
    TypePtr attribute;
    TypePtr function;
    TypePtr any_type = wrap(TypeKind::Type, {});
    TypePtr callable_type = wrap(TypeKind::Type, default_of(TypeKind::Callable));

    DefinitionTypes() {
        // Not the one that programs see, because reading that needs what is made here; they are equal.
        TypeLoader loader;
        loader.define("Annotation", make_shared_object<ObjectType>("Annotation"));
        const std::string annotations(annotations_text);
        const std::string member = "Pattern[/\\A[a-z_]\\w*\\z/]";
        definition = parse_type(
            "Struct[{Optional[name]=>Pattern[/\\A[A-Z]\\w*(?:::[A-Z]\\w*)*\\z/],Optional[parent]=>Type,"
            "Optional[type_parameters]=>Hash[" +
                member + ",NotUndef],Optional[attributes]=>Hash[" + member +
                ",NotUndef],Optional[constants]=>Hash[" + member +
                ",Any],Optional[functions]=>Hash[Variant[" + member +
                ",Enum['[]']],NotUndef],Optional[equality]=>Variant[" + member + ",Array[" + member +
                "]],Optional[equality_include_type]=>Boolean,Optional[checks]=>Any,Optional[annotations]=>" +
                annotations + "}]",
            loader);
        attribute = parse_type(
            "Struct[{type=>Type,Optional[final]=>Boolean,Optional[override]=>Boolean,"
            "Optional[kind]=>Enum[constant,derived,given_or_derived,reference],value=>Any,"
            "Optional[annotations]=>" +
                annotations + "}]",
            loader);
        function = parse_type(
            "Struct[{type=>Type[Callable],Optional[final]=>Boolean,Optional[override]=>Boolean,"
            "Optional[annotations]=>" +
                annotations + "}]",
            loader);
    }
};

const DefinitionTypes& definition_types() {
    static const DefinitionTypes types;
    return types;
}

[[noreturn]] void reject(const std::string& message) { throw EvalError("", message); }

void assert_instance(const std::string& subject, const TypePtr& type, const Value& value) {
    if (is_instance(*type, value)) return;
    reject(describe_mismatch(subject + " has wrong type,", type, infer_set(value)));
}

bool flag(const volley::Hash& spec, std::string_view name) {
    const Value* value = spec.find(name);
    return value && value->truthy();
}

AttributeKind attribute_kind(const volley::Hash& spec) {
    const Value* given = spec.find("kind");
    if (!given) return AttributeKind::Normal;
    for (const AttributeKind kind : {AttributeKind::Constant, AttributeKind::Derived,
                                     AttributeKind::GivenOrDerived, AttributeKind::Reference}) {
        if (given->as_string() == ObjectType::kind_name(kind)) return kind;
    }
    return AttributeKind::Normal;
}

/// One entry of a hash in a definition, or null when there are none.
const volley::Hash* section(const volley::Hash& definition, std::string_view name) {
    const Value* found = definition.find(name);
    return found && found->is_hash() && !found->as_hash().empty() ? &found->as_hash() : nullptr;
}

}  // namespace

/// Reads one definition into its type.
class ObjectDefinition {
public:
    ObjectDefinition(ObjectType& type, const volley::Hash& definition)
        : type_(type), definition_(definition) {}

    void read() {
        assert_instance("object initializer", definition_types().definition,
                        HashBuilder(definition_).build());
        if (const Value* name = definition_.find("name"); name && type_.name_.empty())
            type_.name_ = name->as_string();
        if (const Value* annotations = definition_.find("annotations")) type_.annotations_ = *annotations;
        read_parent();
        read_type_parameters();
        read_attributes();
        read_functions();
        read_equality();
        if (const Value* checks = definition_.find("checks")) type_.checks_ = *checks;
    }

private:
    void read_parent() {
        const Value* given = definition_.find("parent");
        if (!given) return;
        const TypePtr parent = given->as_type();
        for (const ObjectType* ancestor = object_type_of(*parent); ancestor;
             ancestor = ancestor->parent_object()) {
            if (ancestor == &type_) reject("The Object type '" + type_.name() + "' inherits from itself");
        }
        const Type* meaning = parent.get();
        while (meaning->kind() == TypeKind::Alias) meaning = &as<AliasType>(*meaning).resolved();
        if (meaning->kind() == TypeKind::Reference)
            reject("reference to unresolved type '" + as<TextType>(*meaning).texts.front() + "'");
        type_.parent_ = parent;
        parent_ = object_type_of(*parent);
    }

    void read_type_parameters() {
        const volley::Hash* given = section(definition_, "type_parameters");
        for (std::size_t i = 0; given && i < given->size(); ++i) {
            Attribute parameter;
            parameter.name = given->at(i).key.as_string();
            parameter.container = &type_;
            const Value& spec = given->at(i).value;
            const volley::Hash* detailed = spec.is_hash() ? &spec.as_hash() : nullptr;
            const Value* type = detailed ? detailed->find("type") : &spec;
            assert_instance(ObjectType::label("type_parameter", parameter), definition_types().any_type,
                            type ? *type : Value());
            parameter.type = type->as_type();
            if (parameter.type->kind() != TypeKind::Optional) parameter.type = optional(parameter.type);
            if (const Value* value = detailed ? detailed->find("value") : nullptr) parameter.value = *value;
            type_.parameters_.push_back(std::move(parameter));
        }
    }

    /// Members are kept in a vector that is complete before anybody keeps a pointer into it.
    void read_attributes() {
        HashBuilder all;
        if (const volley::Hash* given = section(definition_, "attributes")) all = HashBuilder(*given);
        if (const volley::Hash* constants = section(definition_, "constants")) {
            for (const auto& constant : *constants) {
                if (all.contains(constant.key)) {
                    reject("attribute " + type_.name() + "[" + constant.key.as_string() +
                           "] is defined as both a constant and an attribute");
                }
                const bool overrides = parent_ && has_member(*parent_, constant.key.as_string());
                all.set(constant.key, HashBuilder()
                                          .set("type", infer(constant.value)->generalize())
                                          .set("value", constant.value)
                                          .set("kind", "constant")
                                          .set("override", overrides)
                                          .build());
            }
        }
        const Value specs = all.build();
        for (const auto& entry : specs.as_hash()) {
            Attribute attribute = make_attribute(entry.key.as_string(), entry.value);
            check_override(attribute, "attribute", attribute.kind == AttributeKind::Constant);
            type_.attributes_.push_back(std::move(attribute));
        }
    }

    Attribute make_attribute(const std::string& name, const Value& spec) {
        Attribute attribute;
        attribute.name = name;
        attribute.container = &type_;
        const std::string label = ObjectType::label("attribute", attribute);
        if (!spec.is_hash()) {
            assert_instance(label, definition_types().any_type, spec);
            attribute.type = spec.as_type();
            if (attribute.type->kind() == TypeKind::Optional) attribute.value = Value();
            check_reserved(name);
            return attribute;
        }
        const volley::Hash& given = spec.as_hash();
        assert_instance("initializer for " + label, definition_types().attribute, spec);
        check_reserved(name);
        read_flags(attribute, given);
        attribute.kind = attribute_kind(given);
        const std::string of_kind =
            label + " of kind '" + std::string(ObjectType::kind_name(attribute.kind)) + "'";
        const bool constant = attribute.kind == AttributeKind::Constant;
        if (constant && given.contains("final") && !attribute.final)
            reject(of_kind + " cannot be combined with final => false");
        attribute.final = attribute.final || constant;
        const Value* value = given.find("value");
        if (!value) {
            if (constant) reject(of_kind + " requires a value");
            return attribute;
        }
        if (attribute.kind == AttributeKind::Derived || attribute.kind == AttributeKind::GivenOrDerived)
            reject(of_kind + " cannot be combined with an attribute value");
        if (!value->is(Kind::Default)) assert_instance(label + " value", attribute.type, *value);
        attribute.value = *value;
        return attribute;
    }

    /// Words that rich data needs for itself.
    static void check_reserved(const std::string& name) {
        if (name == "__ptype" || name == "__pvalue")
            reject("The attribute '" + name + "' is reserved and cannot be used");
    }

    static void read_flags(Member& member, const volley::Hash& spec) {
        member.type = spec.find("type")->as_type();
        member.overrides = flag(spec, "override");
        member.final = flag(spec, "final");
        if (const Value* annotations = spec.find("annotations")) member.annotations = *annotations;
    }

    void read_functions() {
        const volley::Hash* given = section(definition_, "functions");
        for (std::size_t i = 0; given && i < given->size(); ++i) {
            Function function;
            function.name = given->at(i).key.as_string();
            function.container = &type_;
            const Value& spec = given->at(i).value;
            const std::string label = ObjectType::label("function", function);
            if (spec.is_hash()) {
                assert_instance("initializer for function '" + function.name + "'",
                                definition_types().function, spec);
                read_flags(function, spec.as_hash());
            } else {
                assert_instance(label, definition_types().callable_type, spec);
                function.type = spec.as_type();
            }
            const auto clash =
                std::find_if(type_.attributes_.begin(), type_.attributes_.end(),
                             [&](const Attribute& attribute) { return attribute.name == function.name; });
            if (clash != type_.attributes_.end())
                reject(label + " conflicts with attribute with the same name");
            check_override(function, "function", false);
            type_.functions_.push_back(std::move(function));
        }
    }

    static bool has_member(const ObjectType& type, std::string_view name) {
        return type.find_attribute(name) || type.find_function(name);
    }

    /// A member may replace an inherited one only when both sides agree to that and the types fit.
    void check_override(const Member& member, std::string_view feature, bool constant) {
        const std::string label = ObjectType::label(feature, member);
        const Attribute* attribute = parent_ ? parent_->find_attribute(member.name) : nullptr;
        const Function* function = parent_ ? parent_->find_function(member.name) : nullptr;
        if (!attribute && !function) {
            if (!member.overrides) return;
            reject("expected " + label + " to override an inherited " + std::string(feature) +
                   ", but no such " + std::string(feature) + " was found");
        }
        const Member& inherited =
            attribute ? static_cast<const Member&>(*attribute) : static_cast<const Member&>(*function);
        const std::string_view inherited_feature = attribute ? "attribute" : "function";
        const std::string inherited_label = ObjectType::label(inherited_feature, inherited);
        const std::string attempts = label + " attempts to override ";
        if (inherited_feature != feature) reject(attempts + inherited_label);
        const bool both_constant = constant && attribute && attribute->kind == AttributeKind::Constant;
        if (inherited.final && !both_constant) reject(attempts + "final " + inherited_label);
        if (!member.overrides) reject(attempts + inherited_label + " without having override => true");
        if (!is_assignable(*inherited.type, *member.type))
            reject(attempts + inherited_label + " with a type that does not match");
    }

    void read_equality() {
        if (const Value* include = definition_.find("equality_include_type"))
            type_.equality_include_type_ = include->truthy();
        const Value* given = definition_.find("equality");
        if (!given) return;
        std::vector<std::string> names;
        if (given->is_string()) names.push_back(given->as_string());
        for (std::size_t i = 0; given->is_array() && i < given->as_array().size(); ++i)
            names.push_back(given->as_array()[i].as_string());
        if (!names.empty() && !type_.equality_include_type_) {
            reject("equality_include_type = false cannot be combined with non empty equality specification");
        }
        for (const std::string& name : names) check_equality(name);
        type_.equality_ = std::move(names);
    }

    void check_equality(const std::string& name) {
        const std::string referencing = type_.name() + " equality is referencing ";
        const Attribute* attribute = type_.find_attribute(name);
        if (!attribute) {
            const Function* function = type_.find_function(name);
            if (!function) reject(referencing + "non existent attribute '" + name + "'");
            reject(referencing + ObjectType::label("function", *function) +
                   ". Only attribute references are allowed");
        }
        const std::string label = ObjectType::label("attribute", *attribute);
        const ObjectType* including = parent_ ? equality_definer(name) : nullptr;
        if (including && attribute->container != &type_)
            reject(referencing + label + " which is included in equality of " + including->name());
        if (attribute->kind == AttributeKind::Constant) {
            reject(referencing + "constant " + label + ". Reference to constant is not allowed in equality");
        }
    }

    /// The ancestor whose equality has an attribute; null when none has.
    const ObjectType* equality_definer(const std::string& name) const {
        const ObjectType* found = nullptr;
        for (const ObjectType* type = parent_; type; type = type->parent_object()) {
            const auto names = type->equality_names();
            if (std::find(names.begin(), names.end(), name) != names.end()) found = type;
        }
        return found;
    }

    ObjectType& type_;
    const volley::Hash& definition_;
    const ObjectType* parent_ = nullptr;
};

void ObjectType::define(const volley::Hash& definition) { ObjectDefinition(*this, definition).read(); }

}  // namespace volley::types
