#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/agent/facts/facts.hpp"
#include "apply/agent/inspection/inspection.hpp"
#include "apply/agent/transaction/run.hpp"
#include "support/json/json.hpp"

namespace volley::agent {

/// What comes with an order: how a catalog is applied, which facts or which resources are wanted. Of each
/// part what is missing has its default.
class Orders {
public:
    /// Of the text of the settings; empty: nothing is said. Throws when it is not a JSON object.
    explicit Orders(std::string_view text);

    Settings settings() const;
    /// How long another run is waited for, in seconds.
    double lock_wait() const;
    /// Files that Volley has for this target, by their paths.
    std::vector<std::pair<std::string, OfferedFile>> offered_files() const;
    /// Without what code of modules needs.
    FactRequest facts() const;
    /// Whether a catalog that is made of these facts will come on the same channel.
    bool catalog_follows() const;
    /// Throws ProtocolError when it does not say which.
    std::vector<Inspection> wanted_resources() const;

private:
    bool flag(const char* key) const;

    std::shared_ptr<const Json> json_;
};

}  // namespace volley::agent
