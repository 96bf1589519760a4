#pragma once

#include <memory>
#include <optional>
#include <string>

#include "language/lookup/config/config.hpp"
#include "language/lookup/key.hpp"

namespace volley::lookup {

/// One of the three layers of data: global, environment, or that of a module.
class Layer {
public:
    enum class Place { Global, Environment, Module };
    /// `config_path` is where its hiera.yaml is, or would be.
    Layer(Place place, std::string config_path, std::string module_name = {})
        : place_(place), config_path_(std::move(config_path)), module_name_(std::move(module_name)) {}

    Place place() const noexcept { return place_; }
    const std::string& module_name() const noexcept { return module_name_; }
    const HieraConfig& config() const noexcept { return *config_; }
    /// Reads hiera.yaml when that has not been done. False when the layer must be ignored: a version that is
    /// not allowed there, with a warning. Throws LookupError and EvalError for mistakes in it.
    bool read(Invocation& invocation);
    /// True once a search has shown that its hierarchy has no levels, whatever is looked up.
    bool has_no_levels() const noexcept { return config_ && config_->has_no_levels(); }
    bool has_default_hierarchy() const noexcept { return config_ && config_->has_default_hierarchy(); }

    /// The value of a key in this layer's hierarchy; nullopt when it has none. Throws LookupError.
    std::optional<Value> find(const LookupKey& key, Invocation& invocation, const MergeStrategy& merge);
    /// The same in the default hierarchy of a module.
    std::optional<Value> find_default(const LookupKey& key, Invocation& invocation,
                                      const MergeStrategy& merge);

    /// The result of a data_hash function. Throws DataError when it is not a hash. Of a module's, keys that
    /// do not start with its name are left out with a warning. `subject` starts the message.
    Value checked_hash(Value data, const std::string& subject, Invocation& invocation) const;
    /// "Module \"x\" Data Provider (hiera configuration version 5)"
    std::string name() const;

private:
    std::optional<Value> find_in(const LookupKey& key, Invocation& invocation, const MergeStrategy& merge,
                                 bool default_hierarchy);
    std::optional<Value> find_version_3(const LookupKey& key, Invocation& invocation,
                                        const MergeStrategy& merge);

    const Place place_;
    const std::string config_path_;
    const std::string module_name_;
    std::unique_ptr<HieraConfig> config_;
    bool ignored_ = false;
};

}  // namespace volley::lookup
