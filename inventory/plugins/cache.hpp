#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "support/json/json.hpp"

namespace volley::inventory {

/// Answers of plugins kept from run to run in a file of the project (PLG-014).
class PluginCache {
public:
    /// `now`: seconds since 1970.
    PluginCache(std::filesystem::path file, std::function<double()> now)
        : file_(std::move(file)), now_(std::move(now)) {}

    /// How long an answer to this reference is good, in seconds; 0: it is not kept. `standard`: the option
    /// plugin-cache; null: there is none. Throws Error bolt/validation-error for a wrong _cache.
    static double lifetime(const Json& reference, const Json& standard);
    std::optional<Json> find(const Json& reference);
    /// A cache that cannot be written is a warning.
    void store(const Json& reference, const Json& answer, double lifetime);

private:
    Json read() const;
    static std::string id_of(const Json& reference);

    const std::filesystem::path file_;
    const std::function<double()> now_;
};

}  // namespace volley::inventory
