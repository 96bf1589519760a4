#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volley::agent {

struct UserEntry {
    std::string name;
    uid_t uid = 0;
    gid_t gid = 0;
    std::string comment, home, shell;
};
struct GroupEntry {
    std::string name;
    gid_t gid = 0;
    std::vector<std::string> members;
};

/// Users and groups, read from /etc/passwd and /etc/group, and asked of getent where the machine knows others
/// as well: a static program cannot load the modules of its name services. What an earlier resource changed
/// is seen.
std::optional<UserEntry> user_named(std::string_view name);
std::optional<UserEntry> user_with(uid_t uid);
std::optional<GroupEntry> group_named(std::string_view name);
std::optional<GroupEntry> group_with(gid_t gid);
std::vector<UserEntry> all_users();    ///< those of the file
std::vector<GroupEntry> all_groups();  ///< those of the file

/// A name or a number in letters.
std::optional<uid_t> uid_of(const std::string& name_or_number);
std::optional<gid_t> gid_of(const std::string& name_or_number);
/// The groups that have the user as a member, without the user's own. Several may have one number.
std::vector<GroupEntry> further_groups_of(const std::string& user);

/// A whole text of decimal digits, as a number.
std::optional<unsigned> decimal(std::string_view text);

}  // namespace volley::agent
