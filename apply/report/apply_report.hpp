#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/json/json.hpp"

namespace volley {

/// The value of an ApplyResult (RES-021): `report`, `_error` and `_output`, those that there are. `answer`
/// is the value of the task that applied the catalog on `target`: Puppet's report, or what went wrong
/// (APL-017).
Json apply_result_value(Json answer, const std::string& target);

/// The error of a target without a puppet-agent, which says what to do, when that is what went wrong in
/// `answer`, a value of the same task.
std::optional<Json> missing_puppet_error(const Json& answer);

/// "changed: 1, failed: 0, ..." of a report (APL-018); nullopt when it has no such metrics.
std::optional<std::string> report_metrics(const Json& report);

/// One line that a run of Puppet logged.
struct ReportLog {
    std::string level;   ///< "notice", "warning", "err", ...
    std::string source;  ///< "/Stage[main]/Main/File[/x]/ensure"; may be empty
    std::string message;
};
/// A line of the log as people are shown it; nullopt when they are not: debug, info, what is said of no
/// resource.
std::optional<ReportLog> shown_log(const Json& log);
/// "Notice: /Stage[main]/Main/Notify[a]/message: defined 'message' as 'a'".
std::string report_log_text(const ReportLog& log);
/// What people are shown of a report (OUT-009): lines about resources, without debug and info.
std::vector<ReportLog> report_logs(const Json& report);

}  // namespace volley
