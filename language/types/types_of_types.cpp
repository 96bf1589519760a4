#include "language/types/types_of_types.hpp"

#include <string>
#include <vector>

namespace volley::types {
namespace {

struct Declared {
    std::string_view name;
    std::string_view interface;
};

/// Puppet's names for the types of types, parents first.
constexpr Declared declared[] = {
    {"Pcore::AnyType", ""},
    {"Pcore::AbstractTimeDataType", "parent => Pcore::AnyType"},
    {"Pcore::CollectionType",
     "parent => Pcore::AnyType, attributes => {'size_type' => {type => Optional[Type[Integer]], "
     "value => undef}}"},
    {"Pcore::ArrayType",
     "parent => Pcore::CollectionType, attributes => {'element_type' => {type => Optional[Type], "
     "value => Any}}"},
    {"Pcore::BinaryType", "parent => Pcore::AnyType"},
    {"Pcore::ScalarType", "parent => Pcore::AnyType"},
    {"Pcore::ScalarDataType", "parent => Pcore::ScalarType"},
    {"Pcore::BooleanType", "parent => Pcore::ScalarDataType"},
    {"Pcore::CallableType",
     "parent => Pcore::AnyType, attributes => {'param_types' => {type => Optional[Type[Tuple]], "
     "value => undef}, 'block_type' => {type => Optional[Type[Callable]], value => undef}, "
     "'return_type' => {type => Optional[Type], value => Any}}"},
    {"Pcore::CatalogEntryType", "parent => Pcore::AnyType"},
    {"Pcore::ClassType",
     "parent => Pcore::CatalogEntryType, attributes => {'class_name' => {type => "
     "Optional[String[1]], value => undef}}"},
    {"Pcore::DefaultType", "parent => Pcore::AnyType"},
    {"Pcore::EnumType",
     "parent => Pcore::ScalarDataType, attributes => {'values' => Array[String[1]], "
     "'case_insensitive' => {type => Boolean, value => false}}"},
    {"Pcore::NumericType",
     "parent => Pcore::ScalarDataType, attributes => {'from' => {type => Optional[Numeric], value "
     "=> undef}, 'to' => {type => Optional[Numeric], value => undef}}"},
    {"Pcore::FloatType", "parent => Pcore::NumericType"},
    {"Pcore::HashType",
     "parent => Pcore::CollectionType, attributes => {'key_type' => {type => Optional[Type], value "
     "=> Any}, 'value_type' => {type => Optional[Type], value => Any}}"},
    {"Pcore::InitType",
     "parent => Pcore::AnyType, attributes => {'type' => {type => Optional[Type], value => undef}, "
     "'init_args' => {type => Array, value => []}}"},
    {"Pcore::IntegerType", "parent => Pcore::NumericType"},
    {"Pcore::IterableType",
     "parent => Pcore::AnyType, attributes => {'type' => {type => Optional[Type], value => undef}}"},
    {"Pcore::IteratorType",
     "parent => Pcore::AnyType, attributes => {'type' => {type => Optional[Type], value => undef}}"},
    {"Pcore::NotUndefType",
     "parent => Pcore::AnyType, attributes => {'type' => {type => Optional[Type], value => undef}}"},
    {"Pcore::ObjectType", "parent => Pcore::AnyType"},
    {"Pcore::ObjectTypeExtenType",
     "parent => Pcore::AnyType, attributes => {'base_type' => Type, 'init_parameters' => Array}"},
    {"Pcore::OptionalType",
     "parent => Pcore::AnyType, attributes => {'type' => {type => Optional[Type], value => undef}}"},
    {"Pcore::PatternType", "parent => Pcore::ScalarDataType, attributes => {'patterns' => Array[Regexp]}"},
    {"Pcore::RegexpType",
     "parent => Pcore::ScalarType, attributes => {'pattern' => {type => Variant[Undef, String, "
     "Regexp], value => undef}}"},
    {"Pcore::ResourceType",
     "parent => Pcore::CatalogEntryType, attributes => {'type_name' => {type => "
     "Optional[String[1]], value => undef}, 'title' => {type => Optional[String[1]], value => "
     "undef}}"},
    {"Pcore::RuntimeType",
     "parent => Pcore::AnyType, attributes => {'runtime' => {type => Optional[String[1]], value => "
     "undef}, 'name_or_pattern' => {type => Optional[Variant[String[1], Tuple[Regexp, String[1]]]], "
     "value => undef}}"},
    {"Pcore::SemVerRangeType", "parent => Pcore::AnyType"},
    {"Pcore::SemVerType",
     "parent => Pcore::ScalarType, attributes => {'ranges' => {type => Array[Variant[SemVerRange, "
     "String[1]]], value => []}}"},
    {"Pcore::SensitiveType", "parent => Pcore::AnyType"},
    {"Pcore::StringType",
     "parent => Pcore::ScalarDataType, attributes => {'size_type_or_value' => {type => "
     "Optional[Variant[String, Type[Integer]]], value => undef}}"},
    {"Pcore::StructElement", "attributes => {'key_type' => Type, 'value_type' => Type}"},
    {"Pcore::StructType",
     "parent => Pcore::AnyType, attributes => {'elements' => Array[Pcore::StructElement]}"},
    {"Pcore::TimespanType",
     "parent => Pcore::ScalarType, attributes => {'from' => {type => Optional[Timespan], value => "
     "undef}, 'to' => {type => Optional[Timespan], value => undef}}"},
    {"Pcore::TimestampType",
     "parent => Pcore::ScalarType, attributes => {'from' => {type => Optional[Timestamp], value => "
     "undef}, 'to' => {type => Optional[Timestamp], value => undef}}"},
    {"Pcore::TupleType",
     "parent => Pcore::AnyType, attributes => {'types' => Array[Type], 'size_type' => {type => "
     "Optional[Type[Integer]], value => undef}}"},
    {"Pcore::TypeAliasType",
     "parent => Pcore::AnyType, attributes => {'name' => String[1], 'type_expr' => Any, "
     "'resolved_type' => {type => Optional[Type], value => undef}}"},
    {"Pcore::TypeReferenceType", "parent => Pcore::AnyType, attributes => {'type_string' => String[1]}"},
    {"Pcore::TypeType",
     "parent => Pcore::AnyType, attributes => {'type' => {type => Optional[Type], value => undef}}"},
    {"Pcore::URIType", "parent => Pcore::AnyType"},
    {"Pcore::UndefType", "parent => Pcore::AnyType"},
    {"Pcore::UnitType", "parent => Pcore::AnyType"},
    {"Pcore::VariantType", "parent => Pcore::AnyType, attributes => {'types' => Array[Type]}"},
    {"Pcore::TypeSetType", "parent => Pcore::AnyType"},
};

std::vector<const NativeType*> native_types() {
    static const std::vector<NativeType> made = [] {
        std::vector<NativeType> types;
        for (const Declared& one : declared)
            types.push_back({.name = one.name, .interface = one.interface, .instances = false});
        return types;
    }();
    std::vector<const NativeType*> list;
    for (const NativeType& one : made) list.push_back(&one);
    return list;
}

}  // namespace

const NativeTypes& types_of_types() {
    static const NativeTypes& types = NativeTypes::make(native_types());
    return types;
}

TypePtr type_of_type(const Type& type) {
    if (type.kind() == TypeKind::ObjectExtension) return types_of_types().type("Pcore::ObjectTypeExtenType");
    return types_of_types().find("Pcore::" + type.Type::name() + "Type");
}

}  // namespace volley::types
