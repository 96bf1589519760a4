#pragma once

#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "language/ruby/native/object.hpp"

namespace volley::ruby {

/// An exception of Ruby that code may rescue: `type` is its class ("ArgumentError").
struct Raised {
    std::string type;
    std::string message;
    std::exception_ptr origin = {};  ///< the LanguageError that it stands for
};

/// What built-in methods need of the program that runs: memory, blocks, other methods.
class Machine {
public:
    virtual ~Machine() = default;
    virtual Heap& heap() = 0;
    /// Runs a block or proc; `break` and `throw` of the code pass through as C++ exceptions. One Array for a
    /// block of several parameters is taken apart, as in Ruby.
    virtual Object yield(const Closure& block, std::span<const Object> arguments) = 0;
    /// Calls any method, built-in or of the program: what `<=>`, `to_s` and &:symbol need.
    virtual Object send(const Object& self, std::string_view method, std::span<const Object> arguments,
                        const Closure* block = nullptr) = 0;
    /// Sets $~ for the code that calls; nil when nothing matched.
    virtual void matched(const Object& match) = 0;
    /// Before a Watched object changes. Throws NotNative where nobody watches.
    virtual void changes_manifest() = 0;
    /// Counts work, so that endless code ends. Throws NotNative.
    virtual void step(std::size_t count = 1) = 0;
};

/// One call of a built-in method.
struct Call {
    Machine& machine;
    Object self;
    std::span<const Object> arguments;  // keywords come as a Hash of symbols at the end
    const Closure* block = nullptr;
};

/// A built-in method. `changes`: it changes `self`, which is checked before it is called (FrozenError,
/// NotNative). `live`: it does what Ruby does also when its block changes `self`, which others end with
/// NotNative.
struct Method {
    static constexpr int any = std::numeric_limits<int>::max();
    std::string_view name;
    int least = 0;  // arguments
    int most = 0;
    Object (*run)(const Call&) = nullptr;
    bool changes = false;
    bool live = false;
};

/// Checks the number of arguments and that `self` may change, then runs the method.
Object invoke(const Method& method, const Call& call);

/// The built-in method that an object answers to; nullptr when there is none here (Ruby may have it).
const Method* find_method(const Object& self, std::string_view name);

/// The built-in functions that need no receiver: Array(), Integer(), format(), raise is not one of them.
const Method* find_kernel_function(std::string_view name);

/// Methods of classes and modules: Hash.new, File.join, Regexp.escape, JSON.generate.
const Method* find_module_method(std::string_view module, std::string_view name);

/// Whether an object of a built-in class has a public method in Ruby 3.1, known here or not.
bool has_method(const Object& self, std::string_view name);

/// Whether every object has a private method of that name: those of Kernel.
bool has_private_method(std::string_view name);

/// Whether a name is a class or module of Ruby that is known here; for `case x when Array`.
bool is_known_module(std::string_view name);
/// Object#is_a? for known modules: Enumerable, Comparable, Numeric and Object included.
bool is_a(const Object& object, std::string_view module);

/// An object of the program's own side: scope, self of a template.
class HostObject {
public:
    virtual ~HostObject() = default;
    virtual std::string_view class_name() const = 0;
    /// Throws NotNative for a method that is not known here.
    virtual Object call(Machine& machine, std::string_view method, std::span<const Object> arguments,
                        const Closure* block) = 0;
};

}  // namespace volley::ruby
