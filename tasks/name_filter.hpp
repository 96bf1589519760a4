#pragma once

#include <string>

namespace volley::tasks {

/// Ruby's File.fnmatch with FNM_EXTGLOB, as the project's `tasks` and `plans` lists use it (MOD-012): *, ?,
/// [a-z] and {a,b}, which may nest. A pattern that stands for more than 10,000 alternatives matches nothing.
bool name_matches(const std::string& pattern, const std::string& name);

}  // namespace volley::tasks
