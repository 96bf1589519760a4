#include <array>

#include "apply/agent/types/package/applications/gem.hpp"

namespace volley::agent {
namespace {

constexpr std::array<std::string_view, 1> puppet_gem_commands = {"/opt/puppetlabs/puppet/bin/gem"};

/// A Ruby package for the Ruby of the puppet-agent.
class PuppetGem final : public Gem {
public:
    using Gem::Gem;

protected:
    std::string command() const override {
        return targeted_command(resource_, "puppet_gem", puppet_gem_commands);
    }
    std::vector<std::pair<std::string, std::string>> environment() const override {
        auto list = Gem::environment();
        list.emplace_back("PKG_CONFIG_PATH", "/opt/puppetlabs/puppet/lib/pkgconfig");
        return list;
    }
};

}  // namespace

const PackageProviderSpec& puppet_gem_packages() {
    static const PackageProviderSpec spec{
        "puppet_gem",
        "Ruby packages of the puppet-agent.",
        gem_packages().features,
        [](const Resource& resource) { return has_targeted_command(resource, puppet_gem_commands); },
        nullptr,
        make_packages_of<PuppetGem>};
    return spec;
}

}  // namespace volley::agent
