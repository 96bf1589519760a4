#include "apply/agent/types/package/system/yum.hpp"

namespace volley::agent {
namespace {

class Dnf final : public Yum {
public:
    using Yum::Yum;

protected:
    std::string command() const override { return "dnf"; }
    std::string error_level() const override { return "1"; }
    std::string update_word() const override { return "upgrade"; }
};

}  // namespace

const PackageProviderSpec& dnf_packages() {
    static const PackageProviderSpec spec{
        "dnf",
        "Packages of rpm from repositories, by dnf.",
        yum_packages().features,
        [](const Resource&) { return has_tool("dnf") && has_tool("rpm"); },
        [](const OsRelease& system) {
            return system.id == "fedora" || (system.id == "amzn" && system.major >= 2022) ||
                   (system.family == "redhat" && system.id != "amzn" && system.major >= 8);
        },
        make_packages_of<Dnf>,
        "rpm"};
    return spec;
}

}  // namespace volley::agent
