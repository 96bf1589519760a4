#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

/// As Ruby's File.join.
Value do_file_join(CallContext&, std::span<const Value> arguments) {
    std::string path = arguments[0].as_string();
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        std::string_view part = arguments[i].as_string();
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
        .dispatches = {{.params = {{"String", "paths", Dispatch::RequiredRepeated}},
                        .returns = "String",
                        .call = do_file_join}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
