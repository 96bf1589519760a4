#include <unistd.h>

#include <nlohmann/json.hpp>

#include "apply/agent/facts/groups.hpp"
#include "apply/agent/machine/accounts.hpp"

namespace volley::agent {
namespace {

Json find_identity(const FactHost&) {
    const uid_t uid = ::getuid();
    const auto user = user_with(uid);
    const gid_t gid = user ? user->gid : ::getgid();
    Json identity{{"uid", uid}, {"gid", gid}, {"privileged", uid == 0}};
    if (user) identity["user"] = user->name;
    if (const auto group = group_with(gid)) identity["group"] = group->name;
    return Json{{"identity", std::move(identity)}};
}

}  // namespace

const FactGroup& identity_facts() {
    static const FactGroup group{{"identity"}, find_identity};
    return group;
}

}  // namespace volley::agent
