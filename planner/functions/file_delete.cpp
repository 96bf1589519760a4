#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_file_delete(CallContext&, std::span<const Value> arguments) {
    const std::string& path = arguments[0].as_string();
    if (::unlink(path.c_str()) != 0) {
        fail_as_ruby(std::string(std::strerror(errno)) + " @ apply2files - " + path);
    }
    return {};
}

}  // namespace

const Builtin& file_delete_function() {
    static const Builtin def{
        .name = "file::delete",
        .doc = "Removes a file of the controller.",
        .dispatches = {{.params = {{"String[1]", "filename"}}, .returns = "Undef", .call = do_file_delete}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
