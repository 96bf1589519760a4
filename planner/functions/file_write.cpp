#include <cerrno>
#include <cstring>
#include <fstream>

#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_file_write(PlanCall& call) {
    std::ofstream file(call.text(0), std::ios::binary | std::ios::trunc);
    file << call.text(1);
    file.close();
    if (!file) fail_call(call, "", std::string(std::strerror(errno)) + " @ rb_sysopen - " + call.text(0));
    return {};
}

}  // namespace

const Builtin& file_write_function() {
    static const Builtin def{
        .name = "file::write",
        .doc = "Writes a text to a file of the controller.",
        .dispatches = {{.params = {{"String", "filename"}, {"String", "content"}}, .returns = "Undef", .call = plan_body<do_file_write>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
