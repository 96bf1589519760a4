#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/machine/os_release.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"

namespace volley::agent {

/// A package as its manager knows it.
struct PackageState {
    Value ensure = absent();  ///< a version, a list of versions, or absent, purged
    std::string mark;         ///< hold, none, manual; empty: the manager does not know holds
};

/// What a package manager can do beside installing, removing and, where Latest is set, updating.
enum class PackageFeature : std::uint16_t {
    Versions = 1,  ///< a version can be chosen
    Latest = 2,
    Purge = 4,
    Hold = 8,
    InstallOptions = 16,
    UninstallOptions = 32,
    VirtualPackages = 64,
    Target = 128,  ///< the attribute `command`
    InstallOnly = 256,
};

struct PackageProviderSpec;

/// One package of one package manager. Everything throws ApplyError with what the tool said when that failed.
class PackageProvider {
public:
    PackageProvider(Resource& resource, Run& run) : resource_(resource), run_(run) {}
    virtual ~PackageProvider() = default;
    PackageProvider(const PackageProvider&) = delete;
    PackageProvider& operator=(const PackageProvider&) = delete;

    /// Asks for the list that query() looks into.
    virtual void prefetch() { names(); }
    /// From a list that is asked for once a run, and again after a change.
    virtual PackageState query() = 0;
    /// The names of all packages that the manager has, or remembers, each for a query() of its own.
    virtual std::vector<std::string> names() = 0;
    /// The version that `ensure => latest` means; empty when the manager does not know.
    virtual std::string latest() { return {}; }
    /// The version or range of `ensure`, the latest, or any version. `before` is what query() returned.
    virtual void install(const PackageState& before) = 0;
    virtual void uninstall(const PackageState& before) = 0;
    virtual void purge(const PackageState& before) { uninstall(before); }
    virtual void hold(bool held) { static_cast<void>(held); }
    /// Whether an installed version is what `ensure` wants where the two texts differ.
    virtual bool fits(const std::string& version) {
        static_cast<void>(version);
        return false;
    }
    /// After changes of the resource.
    virtual void flush() {}

protected:
    std::string name() const { return resource_.text("name", resource_.title); }
    std::string source() const { return resource_.text("source"); }
    /// As the catalog has it; installed reads present.
    std::string ensure() const;
    bool wants_version() const;  ///< `ensure` is a version or a range
    bool wants_latest() const { return ensure() == "latest"; }
    bool allows_virtual(bool fallback) const {
        return boolean_parameter(resource_, "allow_virtual", fallback);
    }
    /// install_options or uninstall_options as words of a command: {'a' => 'b'} is a=b; what has a blank is
    /// in quotes.
    std::vector<std::string> options(std::string_view attribute) const;
    std::string tool(std::vector<std::string> words) { return run_tool(run_, Command(std::move(words))); }
    Finished attempt(std::vector<std::string> words) { return try_tool(run_, Command(std::move(words))); }
    /// What it prints on stdout only; throws as tool() does.
    std::string list(std::vector<std::string> words);
    void debug(std::string message) { run_.log_by_provider(Level::Debug, resource_, std::move(message)); }

    Resource& resource_;
    Run& run_;
};

struct PackageProviderSpec {
    std::string_view name;
    std::string_view doc;
    std::uint16_t features = 0;                      ///< of PackageFeature
    bool (*suitable)(const Resource&) = nullptr;     ///< whether the tools are there
    bool (*is_default)(const OsRelease&) = nullptr;  ///< on machines of this system; nullptr: nowhere
    std::unique_ptr<PackageProvider> (*make)(Resource& resource, Run& run) = nullptr;
    /// What keeps the list of packages, where several providers share it: "rpm"; else empty.
    std::string_view source = {};

    bool has(PackageFeature feature) const { return (features & static_cast<std::uint16_t>(feature)) != 0; }
};

template <class... Features>
constexpr std::uint16_t package_features(Features... features) {
    return static_cast<std::uint16_t>((0 | ... | static_cast<int>(features)));
}

template <class T>
std::unique_ptr<PackageProvider> make_packages_of(Resource& resource, Run& run) {
    return std::make_unique<T>(resource, run);
}

/// The keys of a map, for names().
template <class Map>
std::vector<std::string> keys_of(const Map& map) {
    std::vector<std::string> keys;
    for (const auto& entry : map) keys.push_back(entry.first);
    return keys;
}

std::vector<const PackageProviderSpec*> all_package_providers();
/// The one that manages the packages of a system: that of its kind, else the first whose tools are there.
const PackageProviderSpec& default_package_provider(const OsRelease& system);

/// The command of a provider that can be given another one: `command`, else the first of `names` that is
/// there. Throws ApplyError when there is none.
std::string targeted_command(const Resource& resource, std::string_view provider,
                             std::span<const std::string_view> names);
bool has_targeted_command(const Resource& resource, std::span<const std::string_view> names);

}  // namespace volley::agent
