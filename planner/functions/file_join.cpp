#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

/// As Ruby's File.join.
Value do_file_join(PlanCall& call) {
    std::string path = call.text(0);
    for (std::size_t i = 1; i < call.arguments.size(); ++i) {
        std::string_view part = call.text(i);
        const bool slashes = part.starts_with('/');
        if (slashes) {
            while (path.ends_with('/')) path.pop_back();
        } else if (!path.ends_with('/')) {
            path += '/';
        }
        path += part;
    }
    return path;
}

}  // namespace

const Builtin& file_join_function() {
    static const Builtin def{
        .name = "file::join",
        .doc = "Paths joined by one slash each.",
        .dispatches = {{.params = {{"String", "paths", Dispatch::RequiredRepeated}}, .returns = "String", .call = plan_body<do_file_join>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
