#include <algorithm>

#include "planner/apply/apply_procedure.hpp"
#include "planner/apply/apply_steps.hpp"
#include "planner/apply/puppet_agent.hpp"
#include "planner/functions/plan_function.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

/// "file", "Package", "File[/etc/motd]".
bool is_resource_request(const std::string& text) {
    const auto word = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    const auto end = std::find_if_not(text.begin(), text.end(), word);
    if (end == text.begin()) return false;
    return end == text.end() || (*end == '[' && text.back() == ']' && text.end() - end > 2);
}

std::vector<std::string> wanted_resources(const Value& given) {
    std::vector<Value> items{given};
    if (given.is_array()) items = given.as_array().items();
    std::vector<std::string> wanted;
    for (const Value& item : items) {
        std::string text = Evaluator::text(item);
        if (item.is(Kind::Type)) std::erase(text, '\'');  // File['/x'] is asked for as File[/x]
        if (!is_resource_request(text)) {
            throw Error("bolt/get-resources", text + " is not a valid resource type or type instance name");
        }
        wanted.push_back(std::move(text));
    }
    return wanted;
}

Value do_get_resources(PlanCall& call) {
    const std::vector<std::string> wanted = wanted_resources(call.arguments[1]);
    const std::vector<inventory::Target> targets = call.run.resolve(call.arguments[0]);
    if (targets.empty()) return object_value(make_shared_object<ResultSetObject>(std::vector<ResultRef>()));
    QuietStep step(call.run.executor(), "gather resources", targets);
    auto work = std::make_shared<ResourcesProcedure>(call.run.apply_tools(), wanted);
    const ResultSet results = call.run.execute({ProcedureAction{std::move(work)}}, targets);
    step.finish(results);
    return finish_step(call, call.run.result_set(results), false, "run_task",
                       std::string(PuppetAgentApplier::resources_task));
}

}  // namespace

const Builtin& get_resources_function() {
    static const Builtin def{
        .name = "get_resources",
        .doc = "The resources of targets as they are.",
        .dispatches = {{.params = {{"Boltlib::TargetSpec", "targets"},
                                   {"Variant[String, Type[Resource], Array[Variant[String, Type[Resource]]]]",
                                    "resources"}},
                        .returns = "ResultSet",
                        .call = plan_body<do_get_resources>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
