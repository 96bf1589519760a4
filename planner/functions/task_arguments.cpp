#include "planner/functions/task_arguments.hpp"

#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "language/types/explain.hpp"
#include "language/types/parse.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

void check_data(const PlanCall& call, const Value& parameters) {
    static const TypePtr data = parse_type("Data");
    if (is_instance(*data, parameters)) return;
    const std::string subject =
        "Task parameters are not of type Data. " + std::string(call.context.name) + "()";
    fail_call(call, "TYPE_NOT_DATA", explain_mismatch(subject, data, infer_set(parameters)));
}

}  // namespace

tasks::Arguments task_arguments(const PlanCall& call, const tasks::TaskDefinition& task, const Value& given,
                                bool noop) {
    HashBuilder parameters;
    for (const Hash::Entry& entry : given.as_hash()) {
        if (entry.key.is_string() && entry.key.as_string().starts_with('_')) continue;
        // Compatibility: undef is as good as nothing where there is a default.
        if (!entry.value.is_undef() || !task.parameters) parameters.set(entry.key, entry.value);
    }
    const Value chosen = parameters.build();
    check_data(call, chosen);
    try {
        return tasks::check_arguments(task, to_json(chosen), noop, call.run.library());
    } catch (const Error& error) {
        if (error.info().kind() != "bolt/pal-error") throw;
        fail_call(call, "TYPE_MISMATCH", error.what());
    }
}

}  // namespace volley::planner
