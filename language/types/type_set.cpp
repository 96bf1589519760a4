#include "language/types/type_set.hpp"

#include "language/errors.hpp"
#include "language/text/text.hpp"
#include "language/text/version.hpp"
#include "language/types/mismatch.hpp"
#include "language/types/object_type.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley::types {
namespace {

const TypePtr& initializer() {
    static const TypePtr type = parse_type(
        "Struct[{Optional[pcore_uri]=>String[1],pcore_version=>Variant[String[1],SemVer],"
        "Optional[name_authority]=>String[1],"
        "Optional[name]=>Pattern[/\\A[A-Z][\\w]*(?:::[A-Z][\\w]*)*\\z/],"
        "Optional[version]=>Variant[String[1],SemVer],"
        "Optional[types]=>Hash[Pattern[/\\A[A-Z]\\w*\\z/],Variant[Type,Hash],1],"
        "Optional[references]=>Hash[Pattern[/\\A[A-Z]\\w*\\z/],"
        "Struct[{name=>Pattern[/\\A[A-Z][\\w]*(?:::[A-Z][\\w]*)*\\z/],"
        "version_range=>Variant[String[1],SemVerRange],Optional[name_authority]=>String[1],"
        "Optional[annotations]=>Hash}],1],"
        "Optional[annotations]=>Hash[Type,Hash]}]");
    return type;
}

std::string version_text(const Value* given) {
    if (!given) return {};
    if (!given->is_string()) return to_text(*given);
    if (!Version::parse(given->as_string())) {
        throw EvalError("", "Unable to parse '" + given->as_string() + "' as a semantic version identifier");
    }
    return given->as_string();
}

std::string text_or_empty(const volley::Hash& definition, std::string_view name) {
    const Value* value = definition.find(name);
    return value ? value->as_string() : std::string();
}

}  // namespace

TypeSetType::TypeSetType(std::string set_name, std::string name_authority)
    : Type(TypeKind::TypeSet), name_(std::move(set_name)), authority_(std::move(name_authority)) {}

TypePtr TypeSetType::make_default() {
    auto* set = new TypeSetType("DefaultTypeSet", std::string(runtime_name_authority));
    set->uri_ = "http://puppet.com/2016.1/pcore";
    set->pcore_version_ = "1.0.0";
    set->version_ = "0.0.0";
    return TypePtr(set);
}

void TypeSetType::define(const volley::Hash& definition) {
    const Value whole = HashBuilder(definition).build();
    if (!is_instance(*initializer(), whole)) {
        throw EvalError(
            "", describe_mismatch("TypeSet initializer has wrong type,", initializer(), infer_set(whole)));
    }
    if (name_.empty()) name_ = text_or_empty(definition, "name");
    if (authority_.empty()) authority_ = text_or_empty(definition, "name_authority");
    uri_ = text_or_empty(definition, "pcore_uri");
    pcore_version_ = version_text(definition.find("pcore_version"));
    if (!version_in_range(Value(pcore_version_), "1.x")) {
        throw EvalError("", "The pcore version for TypeSet '" + name_ +
                                "' is not understood by this runtime. Expected range 1.x, got " +
                                pcore_version_);
    }
    version_ = version_text(definition.find("version"));
    if (const Value* references = definition.find("references")) references_ = *references;
}

TypePtr TypeSetType::find(std::string_view name) const {
    const std::string wanted = lower(name);
    for (const auto& [known, type] : types_) {
        if (lower(known) == wanted) return type;
    }
    const std::size_t separator = wanted.find("::");
    for (const auto& [alias, set] : sets_) {
        if (lower(alias) != wanted.substr(0, separator)) continue;
        if (separator == std::string::npos) return set;
        return as<TypeSetType>(*set).find(wanted.substr(separator + 2));
    }
    return {};
}

bool TypeSetType::instance(const Value& value, TypeGuard&) const {
    return value.is(Kind::Type) && value.as_type()->kind() == TypeKind::TypeSet;
}

bool TypeSetType::accepts(const Type& other, TypeGuard&) const {
    return other.kind() == TypeKind::TypeSet && (is_default() || equals(other));
}

bool TypeSetType::same(const Type& other) const {
    const auto& that = as<TypeSetType>(other);
    return name_ == that.name_ && authority_ == that.authority_ && version_ == that.version_;
}

void TypeSetType::for_each_contained(const std::function<void(const Type&)>& visit) const {
    for (const auto& [name, type] : types_) visit(*type);
}

/// Its types are printed with their meaning and without their names, which stand in front of them.
void TypeSetType::print(std::string& out, const PrintOptions&) const {
    const NestingGuard guard;
    out += "TypeSet[{";
    const auto add = [&out](std::string_view key, const std::string& text) {
        if (!text.empty()) out += std::string(key) + " => " + puppet_quote(text) + ", ";
    };
    add("pcore_uri", uri_);
    out += "pcore_version => " + puppet_quote(pcore_version_) + ", ";
    add("name_authority", authority_);
    add("name", name_);
    add("version", version_);
    if (!types_.empty()) {
        out += "types => {";
        for (const auto& [simple_name, type] : types_) {
            out += simple_name + " => ";
            if (type->kind() == TypeKind::Object)
                as<ObjectType>(*type).print_without_name(out);
            else
                out += to_string(type->kind() == TypeKind::Alias ? as<AliasType>(*type).resolved() : *type);
            out += ", ";
        }
        out.resize(out.size() - 2);
        out += "}, ";
    }
    if (references_.is_hash()) {
        out += "references => {";
        for (const auto& entry : references_.as_hash())
            out += entry.key.as_string() + " => " + to_program_text(entry.value) + ", ";
        out.resize(out.size() - 2);
        out += "}, ";
    }
    out.resize(out.size() - 2);
    out += "}]";
}

}  // namespace volley::types
