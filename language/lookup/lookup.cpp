#include "language/lookup/lookup.hpp"

#include "language/evaluator/closure.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/data_store.hpp"

namespace volley {

Lookup::Lookup(HieraSettings settings)
    : settings_(std::move(settings)), adapter_(std::make_unique<lookup::Adapter>(settings_)) {}

Lookup::~Lookup() = default;

Value Lookup::find(Evaluator& evaluator, const FramePtr& scope, const LookupRequest& request,
                   lookup::Explainer* explainer) {
    lookup::Invocation invocation(*adapter_, evaluator, scope, request.override_values,
                                  request.default_values, explainer);
    if (request.hiera_call) {
        invocation.hiera_call = true;
        invocation.global_only = invocation.global_only || !adapter_->has_environment_data(invocation);
        if (request.hiera_levels.is_array()) {
            for (const Value& level : request.hiera_levels.as_array())
                if (level.is_string()) invocation.hiera_levels.push_back(level.as_string());
        } else if (request.hiera_levels.is_string()) {
            invocation.hiera_levels = {request.hiera_levels.as_string()};
        }
    }
    std::function<Value()> block;
    if (request.block) {
        const auto named = [&request] {
            if (!request.names_are_list) return Value(request.names[0]);
            return Value(std::vector<Value>(request.names.begin(), request.names.end()));
        };
        block = [&request, named] { return request.block->call({named()}); };
    }
    return adapter_->find(invocation, request.names, request.type, request.merge, request.default_value,
                          block);
}

std::optional<Value> Lookup::class_parameter(Evaluator& evaluator, const FramePtr& scope,
                                             std::string_view class_name, std::string_view parameter) {
    lookup::Invocation invocation(*adapter_, evaluator, scope);
    return adapter_->class_parameter(class_name, parameter, invocation);
}

}  // namespace volley
