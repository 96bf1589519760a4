#include "apply/agent/types/package/applications/snap.hpp"

#include <algorithm>

#include "apply/agent/types/package/provider.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

struct Snaps {
    bool asked = false, updates_asked = false;
    std::map<std::string, SnapEntry> installed, updates;
};

std::vector<std::string> columns_of(const std::string& line) {
    auto words = split(line, ' ');
    std::erase(words, "");
    return words;
}

/// A snap. `ensure` may be a channel, which is then followed.
class Snap final : public PackageProvider {
public:
    using PackageProvider::PackageProvider;

    const std::map<std::string, SnapEntry>& installed() {
        auto& snaps = run_.shared<Snaps>();
        if (!snaps.asked) {
            const Finished done = attempt({"snap", "list"});
            snaps.installed = parse_snap_list(done.output);
            snaps.asked = true;
        }
        return snaps.installed;
    }

    std::vector<std::string> names() override { return keys_of(installed()); }

    PackageState query() override {
        const auto& snaps = installed();
        PackageState state;
        const auto found = snaps.find(name());
        if (found == snaps.end()) return state;
        state.ensure = Value(is_snap_channel(ensure()) ? found->second.tracking : found->second.version);
        state.mark = found->second.held ? "hold" : "none";
        return state;
    }

    std::string latest() override {
        auto& snaps = run_.shared<Snaps>();
        if (!snaps.updates_asked) {
            snaps.updates = parse_snap_list(tool({"snap", "refresh", "--list"}));
            snaps.updates_asked = true;
        }
        const auto found = snaps.updates.find(name());
        if (found == snaps.updates.end()) return query().ensure.to_text();
        // A new revision may have the version of the old one.
        const std::string& version = found->second.version;
        return version == query().ensure.to_text() ? version + " (" + found->second.revision + ")" : version;
    }

    /// "stable" stands for "latest/stable".
    bool fits(const std::string& tracking) override {
        return is_snap_channel(ensure()) && ensure().find('/') == std::string::npos &&
               tracking == "latest/" + ensure();
    }

    void install(const PackageState& before) override {
        const bool gone = before.ensure == absent() || before.ensure == Value::symbol("purged");
        if (wants_version() && !is_snap_channel(ensure()))
            throw ApplyError("'" + ensure() + "' is not a channel; a version of a snap cannot be chosen");
        std::vector<std::string> words{"snap", gone ? "install" : "refresh"};
        if (wants_version()) words.push_back("--channel=" + ensure());
        for (std::string& word : options("install_options")) words.push_back(std::move(word));
        words.push_back(gone && !source().empty() ? source() : name());
        tool(std::move(words));
        if (resource_.text("mark") == "hold") hold(true);
    }

    void uninstall(const PackageState&) override { remove({}); }
    void purge(const PackageState&) override { remove({"--purge"}); }
    void hold(bool held) override { tool({"snap", "refresh", held ? "--hold" : "--unhold", name()}); }
    void flush() override { run_.shared<Snaps>() = {}; }

private:
    void remove(std::vector<std::string> more) {
        std::vector<std::string> words{"snap", "remove"};
        words.insert(words.end(), more.begin(), more.end());
        for (std::string& word : options("uninstall_options")) words.push_back(std::move(word));
        words.push_back(name());
        tool(std::move(words));
    }
};

}  // namespace

std::map<std::string, SnapEntry> parse_snap_list(std::string_view output) {
    std::map<std::string, SnapEntry> snaps;
    std::ptrdiff_t tracking = -1;
    bool below = false;
    for (const std::string& line : split(output, '\n')) {
        const auto words = columns_of(line);
        if (words.size() > 2 && words[0] == "Name" && words[1] == "Version") {
            const auto at = std::find(words.begin(), words.end(), "Tracking");
            tracking = at == words.end() ? -1 : at - words.begin();
            below = true;
        } else if (below && words.size() > 2) {
            SnapEntry& entry = snaps[words[0]];
            entry.version = words[1];
            entry.revision = words[2];
            if (tracking > 0 && static_cast<std::size_t>(tracking) < words.size())
                entry.tracking = words[static_cast<std::size_t>(tracking)];
            const auto notes = split(words.back(), ',');
            entry.held = std::find(notes.begin(), notes.end(), "held") != notes.end();
        }
    }
    return snaps;
}

bool is_snap_channel(std::string_view text) {
    const auto parts = split(text, '/');
    return std::any_of(parts.begin(), parts.end(), [](const std::string& part) {
        return part == "stable" || part == "candidate" || part == "beta" || part == "edge";
    });
}

const PackageProviderSpec& snap_packages() {
    using F = PackageFeature;
    static const PackageProviderSpec spec{
        "snap",
        "Snaps.",
        package_features(F::Versions, F::Latest, F::Purge, F::Hold, F::InstallOptions, F::UninstallOptions),
        [](const Resource&) { return has_tool("snap"); },
        nullptr,
        make_packages_of<Snap>};
    return spec;
}

}  // namespace volley::agent
