#include "planner/apply/trusted_data.hpp"

#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>

#include "language/serialization/json.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"
#include "support/process/child_process.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes trusted_command_limit{2};
constexpr std::size_t trusted_output_limit = std::size_t{16} * 1024 * 1024;

Value external_data(const fs::path& program, const std::string& target) {
    const auto fail = [&program](const std::string& problem) {
        throw Error("bolt/apply-error", "The trusted-external-command " + program.string() + " " + problem);
    };
    ChildProcess child({.argv = {program.string(), target}});
    child.close_input();
    const auto deadline = std::chrono::steady_clock::now() + trusted_command_limit;
    std::string output;
    while (child.read(output, deadline)) {
        if (output.size() > trusted_output_limit) fail("printed more than 16 MiB");
    }
    if (const int status = child.wait(); status != 0) fail("failed with status " + std::to_string(status));
    std::string fault;
    const Json data = try_parse_json(output, fault);
    if (data.is_discarded()) fail("does not print valid JSON: " + fault);
    return from_json(data);
}

}  // namespace

Value trusted_data(const std::string& target, const fs::path& external_command) {
    const Value nothing = HashBuilder().build();
    Value external = nothing;
    if (!external_command.empty()) external = external_data(external_command, target);
    const std::size_t dot = target.find('.');
    return HashBuilder()
        .set("authenticated", "local")
        .set("certname", target)
        .set("extensions", nothing)
        .set("hostname", target.substr(0, dot))
        .set("domain", dot == std::string::npos ? Value() : Value(target.substr(dot + 1)))
        .set("external", external)
        .build();
}

}  // namespace volley::planner
