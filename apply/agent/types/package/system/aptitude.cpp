#include <algorithm>

#include "apply/agent/types/package/system/apt.hpp"

namespace volley::agent {
namespace {

class Aptitude final : public Apt {
public:
    using Apt::Apt;

    void purge(const PackageState&) override { get({"-y", "purge", name()}); }

protected:
    bool installs_together() const override { return false; }
    std::string file() const override { return {}; }
    std::string get(std::vector<std::string> words) override {
        std::erase_if(words, [](const std::string& word) { return word == "-q" || word == "--force-yes"; });
        const bool installs = std::find(words.begin(), words.end(), "install") != words.end();
        words.insert(words.begin(), "/usr/bin/aptitude");
        std::string output = quiet_tool(std::move(words));
        if (installs && output.find("Couldn't find any package") != std::string::npos)
            throw ApplyError("Could not find package " + name());
        return output;
    }
};

}  // namespace

const PackageProviderSpec& aptitude_packages() {
    static const PackageProviderSpec spec{"aptitude",
                                          "Packages of Debian by aptitude.",
                                          apt_packages().features,
                                          [](const Resource&) { return has_tool("/usr/bin/aptitude"); },
                                          nullptr,
                                          make_packages_of<Aptitude>,
                                          "dpkg"};
    return spec;
}

}  // namespace volley::agent
