#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apply/agent/types/package/provider.hpp"

namespace volley::agent {

/// The type `package`: what all package managers have in common.
class Package final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return spec_->name; }
    bool suitable() override { return spec_->suitable(resource_); }
    /// The lists of all commands that packages of the provider name. Compatibility: one that fails fails them
    /// all.
    void prefetch() override;
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override;
    void sync(Wanted& wanted, const Value& current) override;
    void flush() override { manager_->flush(); }
    std::string change_text(const Wanted& wanted, const Value& current) override;
    std::string shown_wanted(const Wanted& wanted) override;
    std::vector<Autorelation> autorelations() override;
    /// No provider of the agent can reinstall: a refresh is reported and does nothing, as with Puppet.
    bool can_refresh() const override { return true; }

    PackageProvider& manager() { return *manager_; }

private:
    void check_ensure() const;

    const PackageProviderSpec* spec_ = nullptr;
    std::unique_ptr<PackageProvider> manager_;
    std::string ensure_, mark_, latest_;
    PackageState state_;
};

/// nullptr when the resource is not a package.
PackageProvider* package_provider_of(const Resource& resource);

}  // namespace volley::agent
