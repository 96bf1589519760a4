#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/types/package/provider.hpp"

namespace volley::agent {

/// A Python package.
class Pip : public PackageProvider {
public:
    using PackageProvider::PackageProvider;

    PackageState query() override;
    std::vector<std::string> names() override;
    std::string latest() override;
    void install(const PackageState& before) override;
    void uninstall(const PackageState& before) override;
    bool fits(const std::string& version) override;
    void flush() override;

protected:
    virtual std::string command() const;

private:
    const std::string& frozen();
    std::string pip_version();
    std::vector<std::string> available_versions();
    std::vector<std::string> words_to_install();
};

/// "NAME==VERSION" lines of `pip freeze`: names as they are written, with their versions.
std::vector<std::pair<std::string, std::string>> pip_freeze_entries(std::string_view output);
/// The versions by the name in small letters.
std::map<std::string, std::string> parse_pip_freeze(std::string_view output);
/// Of "... (from versions: 1.0, 2.0)", from the oldest to the newest.
std::vector<std::string> parse_pip_versions(std::string_view output);
/// "pip 23.0.1 from ..."; empty when it is not that.
std::string parse_pip_own_version(std::string_view output);

}  // namespace volley::agent
