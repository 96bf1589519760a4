#include <algorithm>

#include "language/evaluator/match.hpp"
#include "language/text/text.hpp"
#include "language/text/uri.hpp"
#include "language/types/types.hpp"

namespace volley::types {
namespace {

bool part_matches(const Value& given, const Value& wanted) {
    if (case_matches(given, wanted)) return true;
    return given.is(Kind::Type) && wanted.is(Kind::Type) &&
           is_assignable(*wanted.as_type(), *given.as_type());
}

}  // namespace

UriType::UriType(Value wanted)
    : Type(TypeKind::Uri), parameters(wanted.is_hash() && wanted.as_hash().empty() ? Value() : wanted) {}

bool UriType::instance(const Value& value, TypeGuard&) const {
    if (!value.is(Kind::Uri)) return false;
    if (parameters.is_undef()) return true;
    const Uri& uri = value.as<Uri>();
    return std::all_of(parameters.as_hash().begin(), parameters.as_hash().end(), [&uri](const auto& part) {
        return case_matches(uri.member(part.key.as_string()).value_or(Value()), part.value);
    });
}

TypePtr UriType::generalize() const { return default_of(TypeKind::Uri); }

void UriType::print(std::string& out, const PrintOptions&) const {
    out += "URI";
    if (!parameters.is_undef()) out += "[" + to_program_text(parameters) + "]";
}

bool UriType::accepts(const Type& other, TypeGuard&) const {
    if (other.kind() != TypeKind::Uri) return false;
    if (parameters.is_undef()) return true;
    const Value& theirs = as<UriType>(other).parameters;
    if (theirs.is_undef()) return false;
    return std::all_of(parameters.as_hash().begin(), parameters.as_hash().end(), [&theirs](const auto& part) {
        const Value* given = theirs.as_hash().find(part.key);
        return given && part_matches(*given, part.value);
    });
}

}  // namespace volley::types
