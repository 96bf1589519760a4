#include "apply/agent/types/file/entry_count.hpp"

#include "apply/agent/values/errors.hpp"

namespace volley::agent {
namespace {

constexpr std::size_t soft_limit = 1000;

}  // namespace

void check_entry_count(Run& run, const std::string& folder, std::size_t count, long most) {
    if (most > 0 && count > static_cast<std::size_t>(most))
        throw ApplyError(
            "The directory '" + folder + "' contains " + std::to_string(count) +
            " entries, which exceeds the limit of " + std::to_string(most) +
            " specified by the max_files parameter for this resource. The limit may be increased, but be "
            "aware that large number of file resources can result in excessive resource consumption and "
            "degraded "
            "performance. Consider using an alternate method to manage large directory trees");
    if (most == 0 && count > soft_limit)
        run.log(Level::Warning,
                "The directory '" + folder + "' contains " + std::to_string(count) +
                    " entries, which exceeds the default soft limit " + std::to_string(soft_limit) +
                    " and may cause excessive resource consumption and degraded performance. To remove this "
                    "warning set a value for `max_files` parameter or consider using an alternate method to "
                    "manage large directory trees");
}

}  // namespace volley::agent
