#pragma once

#include <map>
#include <string>

#include "apply/agent/types/package/system/rpm.hpp"

namespace volley::agent {

const PackageProviderSpec& yum_packages();

/// A package of rpm from a repository, by yum or what took its place.
class Yum : public Rpm {
public:
    using Rpm::Rpm;

    std::string latest() override;
    void install(const PackageState& before) override;
    void purge(const PackageState& before) override;
    bool fits(const std::string& version) override { return fits_range(version); }

protected:
    virtual std::string command() const { return "yum"; }
    virtual std::string error_level() const { return "0"; }
    virtual std::string update_word() const { return "update"; }

private:
    std::string run_yum(std::vector<std::string> words);
    std::vector<std::string> repository_options() const;
    std::string best_version();
};

/// The newest versions that `yum check-update` announces, as EPOCH:VERSION-RELEASE, by NAME and by NAME.ARCH.
std::map<std::string, std::string> parse_yum_updates(std::string_view output);
/// Versions of `yum list NAME --showduplicates` below "Available Packages".
std::vector<std::string> parse_yum_versions(std::string_view output);

}  // namespace volley::agent
