#include <array>

#include "apply/agent/types/package/applications/pip.hpp"

namespace volley::agent {
namespace {

constexpr std::array<std::string_view, 1> pip3_commands = {"pip3"};

class Pip3 final : public Pip {
public:
    using Pip::Pip;

protected:
    std::string command() const override { return targeted_command(resource_, "pip3", pip3_commands); }
};

}  // namespace

const PackageProviderSpec& pip3_packages() {
    using F = PackageFeature;
    static const PackageProviderSpec spec{
        "pip3",
        "Python 3 packages.",
        package_features(F::Versions, F::Latest, F::InstallOptions, F::Target),
        [](const Resource& resource) { return has_targeted_command(resource, pip3_commands); },
        nullptr,
        make_packages_of<Pip3>};
    return spec;
}

}  // namespace volley::agent
