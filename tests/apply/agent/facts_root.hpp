#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

#include "apply/agent/facts/host.hpp"

namespace volley::agent {

/// A folder that is taken for the root of a machine, with these files.
class FactsRoot {
public:
    FactsRoot(std::initializer_list<std::pair<std::string, std::string>> files) {
        std::string name = (std::filesystem::temp_directory_path() / "facts.XXXXXX").string();
        folder_ = ::mkdtemp(name.data()) == nullptr ? "" : name;
        for (const auto& [path, text] : files) add(path, text);
    }
    ~FactsRoot() { std::filesystem::remove_all(folder_); }
    FactsRoot(const FactsRoot&) = delete;
    FactsRoot& operator=(const FactsRoot&) = delete;

    void add(const std::string& path, const std::string& text) const {
        const std::filesystem::path place = folder_ + path;
        std::filesystem::create_directories(place.parent_path());
        std::ofstream(place, std::ios::binary) << text;
    }
    FactHost host() const { return FactHost(folder_); }

private:
    std::string folder_;
};

}  // namespace volley::agent
