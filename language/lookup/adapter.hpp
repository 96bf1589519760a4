#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "language/lookup/config/layer.hpp"
#include "language/lookup/invocation.hpp"
#include "language/lookup/key.hpp"
#include "language/lookup/lookup.hpp"
#include "language/lookup/lookup_options.hpp"

namespace volley::lookup {

/// Searches the three layers for keys, for one compilation: which layers there are, what their
/// lookup_options say, and what becomes of the values that are found.
class Adapter {
public:
    explicit Adapter(const HieraSettings& settings);

    /// The first of `names` that has a value, checked against `type` (null: any); else a default; else
    /// throws LookupError. `merge` as for MergeStrategy::from.
    Value find(Invocation& invocation, const std::vector<std::string>& names, const TypePtr& type,
               const Value& merge, const std::optional<Value>& otherwise,
               const std::function<Value()>& block);
    /// The value of one key, without defaults and overrides; nullopt when there is none.
    std::optional<Value> search(const std::string& name, Invocation& invocation, const Value& merge);

    /// The same for a parameter of a class, "module::class" and so on.
    std::optional<Value> class_parameter(std::string_view class_name, std::string_view parameter,
                                         Invocation& invocation);

    /// Whether the environment has a hiera.yaml of version 5.
    bool has_environment_data(Invocation& invocation);
    /// The content of a file as `read` made it, kept as long as the file stays the same.
    Value file_data(const std::string& path, const std::function<Value(const Value&)>& read);

    void warn(const std::string& message, Invocation& invocation);
    void warn_once(const std::string& id, const std::string& message, Invocation& invocation);
    /// Says that a variable is not known as strictly as the settings want it: throws EvalError, warns, or
    /// does nothing. `key` is what is interpolated, "facts.os" for the variable "facts".
    void unknown_variable(const std::string& name, const std::string& key, Invocation& invocation);

    const HieraSettings& settings() const noexcept { return settings_; }
    DataStore& store() const noexcept { return *settings_.store; }
    Invocation* current() const noexcept { return current_; }
    void set_current(Invocation* invocation) noexcept { current_ = invocation; }

private:
    using Merge = std::shared_ptr<const MergeStrategy>;

    std::optional<Value> search_layers(const LookupKey& key, Invocation& invocation, const Value& merge);
    std::optional<Value> search_global(const LookupKey& key, Invocation& invocation,
                                       const MergeStrategy& merge);
    std::optional<Value> search_environment(const LookupKey& key, Invocation& invocation,
                                            const MergeStrategy& merge);
    std::optional<Value> search_module(const LookupKey& key, Invocation& invocation,
                                       const MergeStrategy& merge);
    std::optional<Value> search_module_default(const LookupKey& key, Invocation& invocation);
    Value converted(Value value, const LookupKey& key, const Value& options, Invocation& invocation);

    const Value* options_of(const LookupKey& key, Invocation& invocation);
    LookupOptions read_options(const std::string& module, Invocation& invocation);
    Value global_options(Invocation& invocation, const MergeStrategy& merge);
    Value environment_options(Invocation& invocation, const MergeStrategy& merge);

    bool holds_nothing(const std::string& module) const;

    Layer* environment_layer(Invocation& invocation);
    Layer* module_layer(const std::string& module, Invocation& invocation);

    const HieraSettings& settings_;
    Invocation* current_ = nullptr;
    std::unique_ptr<Layer> global_;
    std::optional<std::unique_ptr<Layer>> environment_;  // nullopt: not looked at yet; null: there is none
    std::map<std::string, std::unique_ptr<Layer>> modules_;
    std::map<std::string, LookupOptions> options_;          // by module; "" without one
    std::map<std::string, LookupOptions> default_options_;  // of default hierarchies
    std::optional<Value> global_options_;
    std::optional<Value> environment_options_;
    std::set<std::string, std::less<>> without_data_;  // modules for which no layer has a level
    std::set<std::string> warned_;
    struct FileData {
        FileFreshness freshness;
        std::optional<Value> data;
    };
    std::map<std::string, FileData> files_;
};

}  // namespace volley::lookup
