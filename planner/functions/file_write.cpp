#include <cerrno>
#include <cstring>
#include <fstream>

#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_file_write(CallContext&, std::span<const Value> arguments) {
    const std::string& path = arguments[0].as_string();
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << arguments[1].as_string();
    file.close();
    if (!file) fail_as_ruby(std::string(std::strerror(errno)) + " @ rb_sysopen - " + path);
    return {};
}

}  // namespace

const Builtin& file_write_function() {
    static const Builtin def{
        .name = "file::write",
        .doc = "Writes a text to a file of the controller.",
        .dispatches = {{.params = {{"String", "filename"}, {"String", "content"}},
                        .returns = "Undef",
                        .call = do_file_write}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
