#include "language/lookup/provider.hpp"

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/config/config.hpp"
#include "language/lookup/config/layer.hpp"
#include "language/lookup/errors.hpp"
#include "language/lookup/interpolate.hpp"
#include "language/lookup/invocation.hpp"
#include "language/lookup/merge.hpp"
#include "language/plain_data.hpp"
#include "language/ruby/ruby.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"

namespace volley::lookup {
namespace {

/// True for what is certainly data; false says nothing.
bool is_certainly_data(const Value& value) {
    return is_plain_data(value, [](const Value& key) { return key.is_string() || key.is_number(); });
}

/// Ends a context when the call that it was made for returns.
class ContextGuard {
public:
    explicit ContextGuard(const LookupContext& context) : context_(context) {}
    ~ContextGuard() { context_.end(); }
    ContextGuard(const ContextGuard&) = delete;
    ContextGuard& operator=(const ContextGuard&) = delete;

private:
    const LookupContext& context_;
};

}  // namespace

Provider::Provider(Definition definition, Layer& layer) : definition_(std::move(definition)), layer_(layer) {
    memories_.resize(definition_.locations ? definition_.locations->size() : 1);
}

std::string Provider::kind_name() const {
    switch (definition_.kind) {
        case Kind::DataHash:
            return "data_hash";
        case Kind::LookupKey:
            return "lookup_key";
        case Kind::DataDig:
            return "data_dig";
    }
    return {};
}

std::string Provider::called(const std::string& what, const ResolvedLocation* place) const {
    const std::string kind = definition_.legacy ? "deprecated API" : kind_name();
    std::string text = what + " returned from " + kind + " function '" + definition_.function + "'";
    if (place) text += ", when using location '" + place->location + "',";
    return text;
}

Value Provider::options_for(const ResolvedLocation* place) const {
    if (!place) return definition_.options;
    return HashBuilder(definition_.options.as_hash())
        .set(place->uri ? "uri" : "path", place->location)
        .build();
}

Value Provider::checked(Value value, const std::string& subject) const {
    if (is_certainly_data(value) || is_instance(*types::rich_data(), value)) return value;
    throw DataError(subject + " has wrong type, expects Puppet::LookupValue, got " +
                    to_string(*infer(value)));
}

void Provider::check_function(Invocation& invocation) {
    if (function_known_) return;
    Evaluator& evaluator = invocation.evaluator;
    if (!evaluator.has_function(definition_.function)) {
        layer_.config().fail(
            "HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND",
            "Unable to find '" + kind_name() + "' function named '" + definition_.function + "'");
    }
    Environment& environment = evaluator.environment();
    const ast::Definition* function = environment.find_function(definition_.function);
    if (function && function->return_type) {
        const TypePtr promised = interpret_type(*function->return_type, environment.types);
        const TypePtr wanted = definition_.kind == Kind::DataHash ? parse_type("Hash[RichDataKey,RichData]")
                                                                  : types::rich_data();
        if (!is_assignable(*wanted, *promised)) {
            throw DataError(describe_mismatch("Return type of '" + kind_name() + "' function named '" +
                                                  definition_.function + "' is incorrect,",
                                              wanted, promised));
        }
    }
    function_known_ = true;
}

Value Provider::call(Invocation& invocation, const ResolvedLocation* place, std::vector<Value> first,
                     const std::shared_ptr<FunctionMemory>& memory) {
    check_function(invocation);
    if (definition_.legacy)
        return invocation.evaluator.call(definition_.function, {}, nullptr, invocation.scope, {});
    const auto context = make_shared_object<LookupContext>(memory, invocation);
    const ContextGuard guard(*context);
    first.push_back(options_for(place));
    first.emplace_back(volley::Kind::Object, context);
    try {
        return invocation.evaluator.call(definition_.function, std::move(first), nullptr, invocation.scope,
                                         {});
    } catch (const RubyError& error) {
        if (error.fault.is_puppet) throw DataError(error.what());
        throw;
    }
}

std::optional<Value> Provider::from_data_hash(const LookupKey& key, Invocation& invocation,
                                              const ResolvedLocation* place,
                                              const std::shared_ptr<FunctionMemory>& memory) {
    if (!memory->data) {
        Value data = call(invocation, place, {}, memory);
        memory->data = layer_.checked_hash(std::move(data), called("Value", place), invocation);
    }
    const Value* found = memory->data->as_hash().find(key.root());
    if (!found) {
        invocation.report_not_found(key.root());
        return std::nullopt;
    }
    Value value = checked(*found, called("Value for key '" + key.root() + "', in hash", place));
    value = interpolate(value, invocation, true);
    invocation.report_found(key.root(), value);
    return value;
}

std::optional<Value> Provider::from_function(const LookupKey& key, Invocation& invocation,
                                             const ResolvedLocation* place,
                                             const std::shared_ptr<FunctionMemory>& memory) {
    const bool digs = definition_.kind == Kind::DataDig;
    const std::string& name = digs ? key.text() : key.root();
    const Value* known = memory->values.find(name);
    Value value = known ? *known : Value();
    if (!known) {
        try {
            value = call(invocation, place, {digs ? key.parts() : Value(name)}, memory);
        } catch (const NoSuchKey&) {
            invocation.report_not_found(name);
            return std::nullopt;
        }
        value = checked(std::move(value), called("Value for key '" + name + "',", place));
        memory->values.set(name, value);
    }
    invocation.report_found(name, value);
    return digs ? key.undig(std::move(value)) : value;
}

std::optional<Value> Provider::at_location(const LookupKey& key, Invocation& invocation,
                                           const ResolvedLocation* place,
                                           const std::shared_ptr<FunctionMemory>& memory) {
    if (!place) {
        return definition_.kind == Kind::DataHash ? from_data_hash(key, invocation, place, memory)
                                                  : from_function(key, invocation, place, memory);
    }
    const auto explained =
        invocation.explain(place->uri ? Explanation::Uri : Explanation::Path,
                           Explainer::Subject{place->location, place->original, {}, {}, {}});
    if (!place->exists) {
        invocation.report_location_not_found();
        return std::nullopt;
    }
    return definition_.kind == Kind::DataHash ? from_data_hash(key, invocation, place, memory)
                                              : from_function(key, invocation, place, memory);
}

const std::shared_ptr<FunctionMemory>& Provider::remember(std::shared_ptr<FunctionMemory>& memory) {
    if (!memory) {
        memory = std::make_shared<FunctionMemory>();
        memory->module_name = layer_.module_name();
    }
    return memory;
}

std::vector<std::pair<ResolvedLocation, std::shared_ptr<FunctionMemory>*>> Provider::level_places(
    Invocation& invocation) {
    std::vector<std::pair<ResolvedLocation, std::shared_ptr<FunctionMemory>*>> places;
    if (definition_.level_folder.empty() || invocation.hiera_levels.empty()) return places;
    const LocationRules rules{definition_.level_folder, false, definition_.level_extension};
    for (ResolvedLocation& place : resolve_paths(invocation.hiera_levels, rules, invocation)) {
        std::shared_ptr<FunctionMemory>& memory = level_memories_[place.location];
        places.emplace_back(std::move(place), &memory);
    }
    return places;
}

std::optional<Value> Provider::find(const LookupKey& key, Invocation& invocation,
                                    const MergeStrategy& merge) {
    const auto explained = invocation.explain(
        Explanation::Provider, definition_.legacy ? "Deprecated API function \"" + definition_.function + "\""
                                                  : "Hierarchy entry \"" + definition_.name + "\"");
    const auto levels = level_places(invocation);
    const std::size_t places = definition_.locations ? definition_.locations->size() : 1;
    return merge.lookup(levels.size() + places, invocation, [&](std::size_t index) {
        if (index < levels.size())
            return at_location(key, invocation, &levels[index].first, remember(*levels[index].second));
        index -= levels.size();
        const ResolvedLocation* place = definition_.locations ? &(*definition_.locations)[index] : nullptr;
        return at_location(key, invocation, place, remember(memories_[index]));
    });
}

}  // namespace volley::lookup
