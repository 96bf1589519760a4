#include "language/conversion/creators.hpp"
#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"
#include "language/types/object_type.hpp"

namespace volley::builtins {
namespace {

using types::ObjectType;

/// The first argument is a Type[Annotation] by the signature, and so an Object type.
const ObjectType& annotation_type_of(const Value& type) { return *types::object_type_of(*type.as_type()); }

/// The attributes that the definition of an Object type declares for this annotation; nullptr when there are
/// none.
const Value* annotation_declared(const Value& object, const Value& type) {
    const ObjectType* annotated = object.is(Kind::Type) ? types::object_type_of(*object.as_type()) : nullptr;
    return annotated && annotated->annotations().is_hash() ? annotated->annotations().as_hash().find(type)
                                                           : nullptr;
}

Value annotation_attach(CallContext& context, const Value& type, const Value& object,
                        const Value& attributes) {
    const ObjectType& annotation = annotation_type_of(type);
    const TypePtr initializer = annotation.init_hash_type();
    if (!is_instance(*initializer, attributes)) {
        const std::string subject = annotation.name() + " initializer";
        throw EvalError("",
                        describe_mismatch(subject + " has wrong type,", initializer, infer_set(attributes)));
    }
    Value made = create_object(context, annotation, {&attributes, 1});
    context.environment().annotations.set(object, annotation.name(), made);
    return made;
}

/// What is there, or what the definition of the object or `fallback` says that it should be.
template <class Fallback>
Value annotation_find(CallContext& context, const Value& type, const Value& object,
                      const Fallback& fallback) {
    Value known = context.environment().annotations.find(object, annotation_type_of(type).name());
    if (!known.is_undef()) return known;
    const Value* declared = annotation_declared(object, type);
    const Value attributes = declared ? *declared : fallback();
    return attributes.is_undef() ? Value() : annotation_attach(context, type, object, attributes);
}

Value annotate_lookup(CallContext& context, std::span<const Value> args) {
    return annotation_find(context, args[0], args[1],
                           [&context] { return context.block ? context.yield({}) : Value(); });
}

Value annotate_change(CallContext& context, std::span<const Value> args) {
    const ObjectType& annotation = annotation_type_of(args[0]);
    const bool clear = args[2].is_string();
    if (annotation_declared(args[1], args[0])) {
        throw EvalError("", "attempt to " + std::string(clear ? "clear " : "redefine ") + annotation.name() +
                                " annotation declared on " + args[1].as_type()->name());
    }
    if (clear) return context.environment().annotations.remove(args[1], annotation.name());
    return annotation_attach(context, args[0], args[1], args[2]);
}

Value annotate_several(CallContext& context, std::span<const Value> args) {
    for (const auto& entry : args[2].as_hash())
        annotation_find(context, entry.key, args[1], [&entry] { return entry.value; });
    return args[1];
}

}  // namespace

const Builtin& annotate_builtin() {
    static const Builtin def{
        .name = "annotate",
        .doc =
            "Attaches an object of an Annotation type to a value, returns the attached one, or removes it.",
        .dispatches = {{.params = {{"Type[Annotation]", "type"}, {"Any", "value"}},
                        .block = "Optional[Callable[0, 0]]",
                        .call = annotate_lookup},
                       {.params = {{"Type[Annotation]", "type"},
                                   {"Any", "value"},
                                   {"Variant[Enum[clear],Hash[Pcore::MemberName,Any]]", "annotation_hash"}},
                        .call = annotate_change},
                       {.params = {{"Type[Pcore]", "type"},
                                   {"Any", "value"},
                                   {"Hash[Type[Annotation], Hash[Pcore::MemberName,Any]]", "annotations"}},
                        .call = annotate_several}},
    };
    return def;
}

}  // namespace volley::builtins
