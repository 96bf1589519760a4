#include "apply/compiler/functions/declared_with.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"

namespace volley {

bool declared_with(CallContext& context, const ResourceKey& key, const Hash& parameters) {
    Compiler& compiler = Compiler::of(context);
    const Resource* around = compiler.scope_of(context.frame).resource();
    const auto matches = [&](const Resource& resource) {
        if (around && resource.reference() == around->reference()) return false;
        return std::all_of(parameters.begin(), parameters.end(), [&](const Hash::Entry& wanted) {
            return resource.value(to_text(wanted.key)) == wanted.value;
        });
    };
    if (!key.title.empty()) {
        const Resource* resource = compiler.find_resource(key);
        return resource && matches(*resource);
    }
    const ResourceBucket* type = compiler.find_type(key.type);
    return type && std::any_of(type->resources.begin(), type->resources.end(),
                               [&](const Resource* resource) { return matches(*resource); });
}

void ensure_declared(CallContext& context, const std::string& type, const Value& title,
                     const Value& parameters) {
    if (declared_with(context, make_resource_key(type, ruby_to_s(title)), parameters.as_hash())) return;
    const Value resources = HashBuilder().set(title, parameters).build();
    context.evaluator.call("create_resources", {Value(type), resources}, nullptr, context.frame, context.at);
}

Value hash_argument(std::span<const Value> args, std::size_t index) {
    if (index >= args.size() || args[index].is_undef()) return HashBuilder().build();
    if (!args[index].is_hash()) {
        throw EvalError(
            "", "Parameters must be given as a Hash, got " + std::string(kind_name(args[index].kind())));
    }
    return args[index];
}

}  // namespace volley
