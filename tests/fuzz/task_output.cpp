// What a task writes, any bytes: the value is always an object that prints, and a failure always says why.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tasks/execution.hpp"

using namespace volley;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    transports::Output output;
    output.status.code = data[0] % 3;
    // Some bytes go to the other stream, so that both are used.
    const std::size_t cut = data[0] >= 128 ? bytes.size() / 2 : bytes.size();
    output.captured.append(transports::Stream::Out, bytes.substr(0, cut));
    output.captured.append(transports::Stream::Err, bytes.substr(cut));

    const Json value = tasks::task_value(output, "m::t");
    if (!value.is_object() || Json::parse(value.dump()).size() != value.size()) std::abort();
    if (output.status.code != 0 && !value.contains("_error")) std::abort();
    if (!value.contains("_error")) return 0;
    for (const char* key : {"msg", "kind", "details"}) {
        if (!value["_error"].contains(key)) std::abort();
    }
    return 0;
}
