#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "language/lookup/config/location.hpp"
#include "language/lookup/context.hpp"
#include "language/lookup/key.hpp"
#include "language/value.hpp"

namespace volley::lookup {

class Invocation;
class Layer;
class MergeStrategy;

/// One entry of a hierarchy: a function that returns data, and the places that it is called for.
class Provider {
public:
    enum class Kind { DataHash, LookupKey, DataDig };

    struct Definition {
        std::string name;
        std::string function;
        Kind kind = Kind::DataHash;
        Value options;        // a hash
        bool legacy = false;  // a function that takes no arguments: data providers of version 4
        /// nullopt: the entry names no places, and the function is called once.
        std::optional<std::vector<ResolvedLocation>> locations;
        /// Where levels of hiera_*() calls are looked for, and their extension; version 3 only.
        std::string level_folder;
        std::string level_extension;
    };
    Provider(Definition definition, Layer& layer);

    /// The value of a key; nullopt when it has none. Throws LookupError.
    std::optional<Value> find(const LookupKey& key, Invocation& invocation, const MergeStrategy& merge);
    const std::string& name() const noexcept { return definition_.name; }

private:
    using Memory = std::shared_ptr<FunctionMemory>;
    std::optional<Value> at_location(const LookupKey& key, Invocation& invocation,
                                     const ResolvedLocation* place, const Memory& memory);
    std::optional<Value> from_data_hash(const LookupKey& key, Invocation& invocation,
                                        const ResolvedLocation* place, const Memory& memory);
    std::optional<Value> from_function(const LookupKey& key, Invocation& invocation,
                                       const ResolvedLocation* place, const Memory& memory);
    Value call(Invocation& invocation, const ResolvedLocation* place, std::vector<Value> first,
               const Memory& memory);
    const Memory& remember(Memory& memory);
    std::vector<std::pair<ResolvedLocation, Memory*>> level_places(Invocation& invocation);
    void check_function(Invocation& invocation);
    Value checked(Value value, const std::string& subject) const;
    std::string kind_name() const;
    std::string called(const std::string& what, const ResolvedLocation* place) const;
    Value options_for(const ResolvedLocation* place) const;

    Definition definition_;
    Layer& layer_;
    bool function_known_ = false;
    std::vector<Memory> memories_;                  // one for each location
    std::map<std::string, Memory> level_memories_;  // by path
};

}  // namespace volley::lookup
