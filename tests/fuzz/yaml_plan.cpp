// YAML plans of any bytes: refused with a message, or a plan that can be described and converted.
#include "planner/yaml_plan/yaml_plan.hpp"

#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "planner/types/plan_types.hpp"
#include "planner/yaml_plan/yaml_convert.hpp"
#include "support/error.hpp"
#include "support/log.hpp"

using namespace volley;
using namespace volley::planner;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    log_to([](const LogRecord&) {}, LogLevel::Fatal);
    LanguageHost host;
    Environment environment(host);
    environment.types.add(plan_types());
    try {
        const std::string text(reinterpret_cast<const char*>(data), size);
        const auto plan = YamlPlan::parse("m::p", text, "p.yaml", environment);
        plan->described_parameters();
        convert_yaml_plan(*plan);
    } catch (const Error& error) {
        if (error.info().msg().empty()) std::abort();
    } catch (const LanguageError& error) {
        if (std::string_view(error.what()).empty()) std::abort();
    }
    return 0;
}
