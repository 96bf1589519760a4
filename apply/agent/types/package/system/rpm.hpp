#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apply/agent/types/package/provider.hpp"

namespace volley::agent {

/// Installed packages of one name; several when versions or architectures stand beside each other.
struct RpmEntry {
    std::string name, version, release, arch;  ///< of the first one
    std::vector<std::string> versions;         ///< [EPOCH:]VERSION-RELEASE; epoch 0 is left out
    std::string ensure() const;                ///< joined by "; "
};

/// Lines "NAME EPOCH VERSION RELEASE ARCH", by name.
std::map<std::string, RpmEntry> parse_rpm_list(std::string_view output);

const PackageProviderSpec& rpm_packages();

/// A package of the rpm database in a file.
class Rpm : public PackageProvider {
public:
    using PackageProvider::PackageProvider;

    PackageState query() override;
    std::vector<std::string> names() override;
    std::string latest() override;
    void install(const PackageState& before) override;
    void uninstall(const PackageState& before) override;
    bool fits(const std::string& version) override;
    void flush() override { forget(); }

protected:
    std::optional<RpmEntry> find();
    void read_all();
    void forget();
    bool installs_only() const { return boolean_parameter(resource_, "install_only", false); }
    /// Versions of a `ensure` of a query.
    static std::vector<std::string> versions_of(const std::string& ensure);
    /// Whether one of the versions is in the range that `ensure` is, or is the version that it is.
    bool fits_range(const std::string& installed);
};

}  // namespace volley::agent
