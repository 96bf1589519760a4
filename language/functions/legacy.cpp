#include "language/functions/legacy.hpp"

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/plain_data.hpp"
#include "language/text/regexp.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

/// Every reference becomes a resource there, and what names none fails.
void check_legacy_reference(const Type& type) {
    if (type.kind() != TypeKind::Class && type.kind() != TypeKind::Resource) return;
    if (as<types::CatalogType>(type).type_name) return;
    throw EvalError("",
                    "No title provided and \"" + lower(type.name()) + "\" is not a valid resource reference");
}

Value legacy_value(const Value& value) {
    const NestingGuard guard;
    switch (value.kind()) {
        case Kind::Array: {
            std::vector<Value> items;
            items.reserve(value.as_array().size());
            for (const Value& item : value.as_array()) items.push_back(legacy_value(item));
            return items;
        }
        case Kind::Hash: {
            HashBuilder hash;
            for (const auto& entry : value.as_hash())
                hash.set(legacy_value(entry.key), legacy_value(entry.value));
            return hash.build();
        }
        case Kind::Regexp:
            return value.as_regexp().inspect();
        case Kind::SemVer:
        case Kind::SemVerRange:
        case Kind::Binary:
        case Kind::Timespan:
        case Kind::Timestamp:
            return to_text(value);
        case Kind::Type:
            check_legacy_reference(*value.as_type());
            return value;
        case Kind::Iterator:
            throw EvalError("", "Use of an Iterator is not supported here");
        default:
            return value;
    }
}

/// Most arguments arrive as they are; then nothing is copied.
bool legacy_plain(const Value& value) { return is_plain_data(value, legacy_plain); }

}  // namespace

std::vector<Value> legacy_arguments(std::span<const Value> arguments) {
    std::vector<Value> result;
    result.reserve(arguments.size());
    for (const Value& argument : arguments) {
        if (argument.is_undef())
            result.emplace_back("");
        else
            result.push_back(legacy_plain(argument) ? argument : legacy_value(argument));
    }
    return result;
}

std::optional<std::string> legacy_resource(const Value& argument) {
    if (!argument.is(Kind::Type)) return std::nullopt;
    const Type& type = *argument.as_type();
    if (type.kind() != TypeKind::Class && type.kind() != TypeKind::Resource) return std::nullopt;
    const auto& reference = as<types::CatalogType>(type);
    if (!reference.type_name) return std::nullopt;
    const std::string text = types::reference_text(reference);
    return text.empty() ? capitalize_segments(*reference.type_name) + "[]" : text;
}

void require_catalog(const CallContext& context, std::string_view feature) {
    if (!context.environment().settings.tasks) return;
    Location line = context.at;
    line.column = 0;
    throw EvalError("FEATURE_NOT_SUPPORTED_WHEN_SCRIPTING",
                    "The feature '" + std::string(feature) + "' is only available when compiling a catalog",
                    line);
}

void check_legacy_arity(std::string_view name, int arity, std::size_t count) {
    const auto given = static_cast<int>(count);
    if (arity >= 0 ? given == arity : given >= -arity - 1) return;
    throw EvalError("", std::string(name) + "(): Wrong number of arguments given (" + std::to_string(given) +
                            " for " + (arity >= 0 ? "" : "minimum ") +
                            std::to_string(arity >= 0 ? arity : -arity - 1) + ")");
}

Dispatch legacy_dispatch(Dispatch::Body body) {
    return {.params = {{"Any", "values", Dispatch::Repeated}}, .block = "Optional[Callable]", .call = body};
}

}  // namespace volley
