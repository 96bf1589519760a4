#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/lookup/config/location.hpp"
#include "language/lookup/invocation.hpp"
#include "language/value.hpp"

namespace volley::lookup {

class Layer;
class MergeStrategy;
class Provider;

/// A hiera.yaml, read and checked, or what stands in for a missing one.
class HieraConfig {
public:
    using Providers = std::vector<std::unique_ptr<Provider>>;

    /// Throws LookupError with the file (and line) for mistakes, EvalError for what has the wrong shape.
    static std::unique_ptr<HieraConfig> read(const std::string& path, const Layer& layer,
                                             Invocation& invocation);
    ~HieraConfig();

    int version() const noexcept { return version_; }
    /// Empty when there is no file.
    const std::string& path() const noexcept { return path_; }
    bool has_default_hierarchy() const;
    /// Of version 3: what hiera_hash() merges by; null: as asked.
    std::shared_ptr<const MergeStrategy> merge_strategy() const;

    /// The entries of the hierarchy with their variables filled in; again when one of those has changed.
    const Providers& providers(Invocation& invocation, Layer& layer, bool default_hierarchy);

    /// True when providers() has shown that the hierarchy has no entries, and that no variable could add any.
    bool has_no_levels() const noexcept {
        return made_ && version_ == 5 && providers_.empty() && interpolated_.empty();
    }

    /// Throws LookupError at this file. `line` 0: the whole file.
    [[noreturn]] void fail(std::string_view issue, const std::string& message, int line = 0) const;

private:
    HieraConfig(std::string path, std::string root, Value data, int version, std::string text);

    void check_version_3(const std::string& shown_path);
    void check_version_4(const std::string& shown_path);
    void check_version_5(const std::string& shown_path, const Layer& layer);
    void check_defaults(const Hash& defaults) const;
    void check_entry(const Hash& entry, const Value& defaults, const Layer& layer) const;

    Providers make_providers(Invocation& invocation, Layer& layer, bool default_hierarchy) const;
    Providers make_version_3(Invocation& invocation, Layer& layer) const;
    Providers make_version_4(Invocation& invocation, Layer& layer) const;
    Providers make_version_5(Invocation& invocation, Layer& layer, bool default_hierarchy) const;
    std::optional<std::vector<ResolvedLocation>> locations(const Hash& entry, const std::string& folder,
                                                           Invocation& invocation) const;
    bool still_the_same(Invocation& invocation) const;
    [[noreturn]] void fail_repeated(std::string_view issue, const std::string& what,
                                    const std::string& pattern) const;
    /// The first line from `start` on that matches a regular expression, comments apart; 0: none.
    int line_matching(const std::string& pattern, int start = 1) const;
    const Value* find(std::string_view key) const { return data_.as_hash().find(key); }

    const std::string path_;
    const std::string root_;
    Value data_;  // a hash
    const int version_;
    const std::string text_;
    bool made_ = false;
    Providers providers_;
    Providers default_providers_;
    std::vector<Interpolated> interpolated_;
};

}  // namespace volley::lookup
