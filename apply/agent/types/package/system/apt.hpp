#pragma once

#include "apply/agent/types/package/system/dpkg.hpp"

namespace volley::agent {

/// A package of Debian from a repository.
class Apt : public Dpkg {
public:
    using Dpkg::Dpkg;

    PackageState query() override;
    std::string latest() override;
    void install(const PackageState& before) override;
    void uninstall(const PackageState& before) override;
    void purge(const PackageState& before) override;
    bool fits(const std::string& version) override;
    void flush() override;

protected:
    /// Runs apt-get with these words, or what stands for it.
    virtual std::string get(std::vector<std::string> words);
    virtual bool installs_together() const { return true; }
    /// The file that takes the place of the name; empty: none.
    virtual std::string file() const { return source(); }

private:
    bool install_with_others(const PackageState& before);
    std::vector<Apt*> others_to_install(const std::vector<std::string>& words);
    bool can_share(const PackageState& before) const;
    bool is_installed_as_wanted();
    std::vector<std::string> words_before_install() const;
    std::string wanted_version();
    void preseed();
    void check_for_cdrom() const;
    void hold_again() {
        if (resource_.text("mark") == "hold") hold(true);
    }

    bool made_manual_ = false;
};

const PackageProviderSpec& apt_packages();

/// A package that a simulated run of apt-get would install, and what it needs.
struct AptCandidate {
    std::string name;
    std::vector<std::string> needs;     ///< names of packages, alternatives too
    std::vector<std::string> provides;  ///< names
};
/// "Inst NAME (VERSION ...": as NAME=VERSION; nullopt when something would be removed.
std::optional<std::vector<std::string>> parse_apt_simulation(std::string_view output);
/// Of `apt-cache show`.
std::vector<AptCandidate> parse_apt_show(std::string_view output);
/// How many of `wanted` can be installed together without one of them, after the first, coming along as what
/// another package needs.
std::size_t independent_packages(const std::vector<std::string>& wanted,
                                 const std::vector<AptCandidate>& candidates);
/// Candidates by name, of `apt-cache policy NAME...`.
std::map<std::string, std::string> parse_apt_policy(std::string_view output);

}  // namespace volley::agent
