#include "transports/shell/warnings.hpp"

#include <fmt/format.h>

#include "support/log.hpp"

namespace volley::transports {

void warn_of_large_parameter(const std::string& variable, const std::string& target) {
    log_warning(
        "large_parameter", "transports.shell",
        fmt::format(
            "{} is too long for an environment variable on {}; the task can read it from standard input",
            variable, target));
}

void warn_of_kept_directory(std::string_view directory, const std::string& target) {
    log_warning("skip_cleanup", "transports.shell",
                fmt::format("Skipping cleanup of tmpdir {} on {}", directory, target));
}

}  // namespace volley::transports
