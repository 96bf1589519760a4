#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/types/package/provider.hpp"

namespace volley::agent {

/// A Ruby package.
class Gem : public PackageProvider {
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
    virtual std::vector<std::pair<std::string, std::string>> environment() const;

private:
    const std::map<std::string, std::vector<std::string>>& installed();
    std::string gem(std::vector<std::string> words);
    std::map<std::string, std::vector<std::string>> read(std::string_view output);
    std::string own_version();
    std::vector<std::string> source_arguments() const;
};

const PackageProviderSpec& gem_packages();

/// What `gem list` prints: versions by name, the newest first, and lines that are not of a gem.
struct GemList {
    std::map<std::string, std::vector<std::string>> gems;
    std::vector<std::string> other_lines;
};
/// Lines such as "NAME (default: 1.2, 1.1 ruby java)".
GemList parse_gem_list(std::string_view output);
/// Whether a version meets requirements such as "~> 1.2, != 1.2.3"; nullopt when they are not requirements.
std::optional<bool> meets_gem_requirements(std::string_view requirements, std::string_view version);

}  // namespace volley::agent
