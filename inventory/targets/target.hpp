#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/json/json.hpp"
#include "transports/target_config.hpp"

namespace volley::transports {
struct TransportSpec;
}

namespace volley::inventory {

class Inventory;
class TargetData;

/// One machine as the inventory knows it: a light handle, valid as long as its Inventory. Data is merged when
/// asked for (section 4.3), so that 25,000 targets cost nothing until they are used. Not thread safe.
class Target {
public:
    const std::string& name() const;
    std::string uri() const;
    std::string safe_name() const;  ///< INV-053
    std::vector<std::string> aliases() const;
    std::string host() const;  ///< INV-054; empty when nothing names one
    std::optional<int> port() const;
    std::optional<std::string> user() const;
    std::optional<std::string> password() const;
    std::string transport() const;  ///< INV-056
    /// What is known of that transport without a connection.
    const transports::TransportSpec& transport_spec() const;
    std::string protocol() const;  ///< INV-057
    Json config() const;           ///< INV-041: group and target levels only
    Json vars() const;
    Json facts() const;
    std::vector<std::string> features() const;
    Json plugin_hooks() const;
    Json own_plugin_hooks() const;            ///< without the default
    std::vector<std::string> groups() const;  ///< deepest first, "all" last (INV-038)
    /// The entry of `inventory show --detail` (JSN-015). Passwords and keys among the options are redacted.
    Json detail() const;
    /// What the `_target` metaparameter holds (REM-001): options, name, uri, protocol, user, password, host,
    /// port; nulls left out. Holds secrets.
    Json to_task_data() const;
    /// The merged and validated options of its transport. Throws Error bolt/validation-error naming the
    /// target.
    transports::TargetConfig transport_config() const;
    /// Adds or removes a feature for this run (INV-074).
    void set_feature(const std::string& feature, bool present = true);
    /// Sets the value at a path of keys in its configuration; an empty path replaces all of it (INV-073).
    void set_config(const std::vector<std::string>& path, Json value);
    void set_var(const std::string& name, Json value);
    /// Merged into what is known, at every depth.
    void add_facts(const Json& facts);
    /// The transport's options as they are in effect, without redaction. Holds secrets.
    std::shared_ptr<const Json> options() const;

    friend bool operator==(const Target& a, const Target& b) {
        return a.inventory_ == b.inventory_ && a.id_ == b.id_;
    }

private:
    friend class Inventory;
    Target(Inventory& inventory, std::uint32_t id) : inventory_(&inventory), id_(id) {}
    TargetData& data() const;
    Inventory* inventory_;
    std::uint32_t id_;
};

}  // namespace volley::inventory
