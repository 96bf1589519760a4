#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/evaluator/frame.hpp"
#include "language/lookup/data/data_files.hpp"
#include "language/types/type.hpp"
#include "language/value.hpp"

namespace volley {

class Closure;
class Evaluator;

namespace lookup {
class Adapter;
class DataStore;
class Explainer;
}  // namespace lookup

/// Where Hiera finds its configuration; part of what a LanguageHost says. Paths are absolute.
struct HieraSettings {
    /// Reads and keeps data files; shared by all compilations of a process, in any number of threads.
    /// null: there are no data.
    std::shared_ptr<lookup::DataStore> store;
    std::string global_config;     // the hiera.yaml of the global layer; empty: there is none
    std::string environment_root;  // the folder of the environment; its hiera.yaml may be missing
    std::string code_folder;       // for the default data folder of version 3
    /// Lookups of a plan: plan_hierarchy wins when hiera.yaml has one (HIE-001).
    bool in_plan = false;
};

/// What a call of lookup() asks for. Spec "lookup".
struct LookupRequest {
    std::vector<std::string> names;  // the first that is found counts
    bool names_are_list = false;     // a block for the default gets them as they were given
    TypePtr type;                    // of the value; null: any
    Value merge;                     // a strategy or a hash of options; undef: as lookup_options say
    std::optional<Value> default_value;
    Value override_values;           // a hash, or undef
    Value default_values;            // a hash, or undef
    const Closure* block = nullptr;  // returns the default
    /// Set by the hiera_* functions, which see the global layer only unless the environment has a version 5
    /// configuration.
    bool hiera_call = false;
    Value hiera_levels = {};  // an extra level, or several, for version 3
};

/// Hiera 5 of one compilation or plan run: it has read what it needs of hiera.yaml of the three layers and
/// remembers lookup_options. Used by one thread at a time; its data are shared.
/// Get it from Environment::lookup().
class Lookup {
public:
    explicit Lookup(HieraSettings settings);
    ~Lookup();

    /// The value that lookup() returns. Variables are interpolated as `scope` sees them. Throws LookupError
    /// when nothing is found and there is no default, or when data are wrong. `explainer` may be null.
    Value find(Evaluator& evaluator, const FramePtr& scope, const LookupRequest& request,
               lookup::Explainer* explainer = nullptr);

    /// Automatic parameter lookup: the value of "class::parameter", or nullopt when there is none. A found
    /// undef counts only when the parameter has no default. `scope` is the frame in which the class will be
    /// evaluated. Spec "Class parameters": given value, then this, then the default expression.
    std::optional<Value> class_parameter(Evaluator& evaluator, const FramePtr& scope,
                                         std::string_view class_name, std::string_view parameter);

    const HieraSettings& settings() const noexcept { return settings_; }
    lookup::Adapter& adapter() const noexcept { return *adapter_; }

private:
    HieraSettings settings_;
    std::unique_ptr<lookup::Adapter> adapter_;
};

}  // namespace volley
