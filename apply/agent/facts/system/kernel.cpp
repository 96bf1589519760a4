#include <sys/utsname.h>

#include <nlohmann/json.hpp>

#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/system/system.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

Json find_kernel(const FactHost&) {
    utsname names{};
    ::uname(&names);
    return kernel_of(names.sysname, names.release);
}

/// The first numbers of a text, joined by points: "5.10.0" of "5.10.0-21-amd64".
std::string first_numbers(const std::string& text, int count) {
    std::string joined;
    for (std::size_t at = text.find_first_of("0123456789"); at != std::string::npos && count > 0; --count) {
        const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
        joined += (joined.empty() ? "" : ".") + text.substr(at, end - at);
        at = text.find_first_of("0123456789", end);
    }
    return joined;
}

}  // namespace

Json kernel_of(const std::string& system, const std::string& release) {
    const std::vector<std::string> parts = split(release, '.');
    return Json{{"kernel", system},
                {"kernelrelease", release},
                {"kernelversion", first_numbers(release, 3)},
                {"kernelmajversion", parts.size() > 1 ? parts[0] + "." + parts[1] : parts[0]}};
}

const FactGroup& kernel_facts() {
    static const FactGroup group{{"kernel", "kernelrelease", "kernelversion", "kernelmajversion"},
                                 find_kernel};
    return group;
}

}  // namespace volley::agent
