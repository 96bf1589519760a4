#pragma once

#include <nlohmann/json.hpp>

#include "language/evaluator/environment.hpp"

namespace volley::tests {

/// The settings that a recorded case was run with.
inline LanguageSettings recorded_settings(const Json& one) {
    LanguageSettings settings;
    if (!one.contains("settings")) return settings;
    const Json& given = one["settings"];
    const std::string strict = given.value("strict", "error");
    settings.strict = strict == "off"       ? Strictness::Off
                      : strict == "warning" ? Strictness::Warning
                                            : Strictness::Error;
    settings.strict_variables = given.value("strict_variables", true);
    settings.digest_algorithm = given.value("digest_algorithm", settings.digest_algorithm);
    settings.tasks = given.value("tasks", false);
    return settings;
}

}  // namespace volley::tests
