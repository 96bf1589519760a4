#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "language/callable.hpp"
#include "language/value.hpp"

namespace volley {
struct NativeType;
}

namespace volley::lookup {

class Invocation;

/// What a data function keeps from call to call, for one hierarchy entry and location.
struct FunctionMemory {
    std::string module_name;
    HashBuilder cache;
    std::optional<Value> data;  // the checked result of a data_hash function
    HashBuilder values;         // what other functions stored, by key
    /// Under which the Ruby worker keeps what functions in Ruby have put into the cache. Never used twice.
    std::uint64_t number() const;

private:
    mutable std::uint64_t number_ = 0;
};

/// The Puppet::LookupContext that a data function is called with. Its methods are those of Puppet; it is
/// good for the one call. One that a program makes itself is good for as long as the program keeps it.
class LookupContext final : public ObjectBase {
public:
    LookupContext(std::shared_ptr<FunctionMemory> memory, Invocation& invocation)
        : memory_(std::move(memory)), invocation_(&invocation) {}
    /// Made by a program, in this environment.
    LookupContext(std::shared_ptr<FunctionMemory> memory, std::string environment)
        : memory_(std::move(memory)), environment_(std::move(environment)) {}

    TypePtr type() const override;
    /// module_name and environment_name.
    std::optional<Value> attribute(std::string_view name) const override;
    std::string text() const override { return "Puppet::LookupContext"; }
    FunctionMemory& memory() const noexcept { return *memory_; }
    /// Made by a program: which lookup it belongs to follows from where its methods are called.
    bool of_program() const noexcept { return environment_.has_value(); }
    /// Throws EvalError when the call that this context was made for is over.
    Invocation& invocation() const;
    /// The call is over: whoever kept the context cannot use it any more.
    void end() const noexcept { invocation_ = nullptr; }

private:
    std::shared_ptr<FunctionMemory> memory_;
    mutable Invocation* invocation_ = nullptr;
    std::optional<std::string> environment_;
};

/// The declaration of the type Puppet::LookupContext.
const NativeType& lookup_context_native();

/// Thrown by $context.not_found(): the function has no value for the key.
struct NoSuchKey {};

}  // namespace volley::lookup
