// Task metadata of any bytes: it is refused with a message or makes a task whose parameters can be checked.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/log.hpp"
#include "tasks/metadata.hpp"
#include "tasks/parameters.hpp"

using namespace volley;
using namespace volley::tasks;

namespace {

/// Without modules: only the language's own types are known.
const Library& empty_library() {
    static const Library library{inventory::Config(), {}};
    return library;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    static const bool silent = [] { return log_to([](const LogRecord&) {}, LogLevel::Fatal), true; }();
    (void)silent;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    TaskDefinition task;
    task.name = "m::t";
    try {
        apply_metadata(task, parse_metadata(text, "t.json"), "t.json");
        if (!task.metadata || !task.metadata->is_object()) std::abort();
        for (const Parameter& parameter : task.parameters.value_or(std::vector<Parameter>())) {
            if (!is_plain_name(parameter.name)) std::abort();
        }
        const Json given = typed_arguments(task, {{"a", "1"}, {"b", "[\"x\"]"}}, empty_library());
        check_arguments(task, given, true, empty_library());
    } catch (const Error& error) {
        if (error.info().msg().empty()) std::abort();
    }
    return 0;
}
