#pragma once

#include <map>
#include <string>

#include "apply/agent/types/package/provider.hpp"

namespace volley::agent {

/// What dpkg knows of a package.
struct DpkgEntry {
    std::string wanted = "unknown", error = "ok", status = "not-installed", name, version;
    PackageState state() const;
};

/// A line of dpkg-query: wanted, error, status, name, version; false when it is not one.
bool parse_dpkg_line(const std::string& line, DpkgEntry& entry);

/// A package of Debian in a file.
class Dpkg : public PackageProvider {
public:
    using PackageProvider::PackageProvider;

    PackageState query() override;
    std::vector<std::string> names() override;
    std::string latest() override;
    void install(const PackageState& before) override;
    void uninstall(const PackageState& before) override;
    void purge(const PackageState& before) override;
    void hold(bool held) override;
    void flush() override { forget(); }

protected:
    /// What dpkg says now.
    PackageState query_fresh();
    void forget();
    bool keeps_configuration() const { return resource_.text("configfiles", "keep") == "keep"; }
    std::string quiet_tool(std::vector<std::string> words);  ///< never asks anything

private:
    void resolve_virtual();
    void read_all();
};

}  // namespace volley::agent
