#include "language/conversion/creators.hpp"

#include "language/errors.hpp"
#include "language/types/object_type.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

Value from_sensitive(CallContext&, std::span<const Value> args) { return args[0]; }
Value to_sensitive(CallContext&, std::span<const Value> args) { return Value::sensitive(args[0]); }
Value from_text(CallContext&, std::span<const Value> args) { return parse_type(args[0].as_string()); }

}  // namespace

const Builtin& sensitive_creator() {
    static const Builtin def{
        .name = "new_Sensitive",
        .doc = "Hides a value.",
        .dispatches = {{.params = {{"Sensitive", "value"}}, .call = from_sensitive},
                       {.params = {{"Any", "value"}}, .call = to_sensitive}},
    };
    return def;
}

const Builtin& type_creator() {
    static const Builtin def{
        .name = "new_type",
        .doc = "A type from its text.",
        .dispatches = {{.params = {{"String[1]", "type_string"}}, .call = from_text}},
    };
    return def;
}

const Builtin& unit_creator() {
    static const Builtin def{
        .name = "new_unit",
        .doc = "The value itself.",
        .dispatches = {{.params = {{"Any", "from"}}, .call = from_sensitive}},
    };
    return def;
}

const Builtin* creator_of(const Type& type) {
    using namespace types;
    switch (type.kind()) {
        case TypeKind::Integer:
            return &integer_creator();
        case TypeKind::Float:
            return &float_creator();
        case TypeKind::Numeric:
            return &numeric_creator();
        case TypeKind::Boolean:
            return &boolean_creator();
        case TypeKind::String:
            return &string_creator();
        case TypeKind::Regexp:
            return &regexp_creator();
        case TypeKind::Array:
        case TypeKind::Tuple:
            return &array_creator();
        case TypeKind::Hash:
        case TypeKind::Struct:
            return &hash_creator();
        case TypeKind::Sensitive:
            return &sensitive_creator();
        case TypeKind::Type:
            return &type_creator();
        case TypeKind::Timespan:
            return &timespan_creator();
        case TypeKind::Timestamp:
            return &timestamp_creator();
        case TypeKind::SemVer:
            return &version_creator();
        case TypeKind::SemVerRange:
            return &version_range_creator();
        case TypeKind::Binary:
            return &binary_creator();
        case TypeKind::Uri:
            return &uri_creator();
        case TypeKind::Unit:
            return &unit_creator();
        case TypeKind::Alias:
            return creator_of(as<AliasType>(type).resolved());
        case TypeKind::NotUndef:
            if (!as<WrapperType>(type).type) return &unit_creator();
            return creator_of(*as<WrapperType>(type).type);
        case TypeKind::Optional: {
            const TypePtr& contained = as<WrapperType>(type).type;
            return contained ? creator_of(*contained) : nullptr;
        }
        default:
            return nullptr;
    }
}

std::vector<Signature> creator_signatures(const Type& type) {
    if (const auto* object = types::object_type_of(type)) return object_signatures(*object);
    const Builtin* creator = creator_of(type);
    return creator ? creator->signatures() : std::vector<Signature>();
}

}  // namespace volley
