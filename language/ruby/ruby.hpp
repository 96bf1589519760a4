#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/errors.hpp"
#include "language/evaluator/frame.hpp"
#include "language/ruby/source/erb.hpp"
#include "language/ruby/source/syntax.hpp"
#include "language/types/type.hpp"
#include "language/value.hpp"

/// The public header of language/ruby: all that code outside of that folder includes of it. Two things are in
/// it: the syntax tree (parse_ruby, erb_program), for those who read Ruby without running it, and Ruby code
/// that modules bring along, with what the components above provide for it.
namespace volley {

struct CallContext;
class Environment;
class Error;
class RubyRunner;

/// The Ruby functions and ERB templates of one environment's modules: Environment::ruby(). Code that keeps to
/// the part of Ruby that is native runs here; the worker process runs all other code, and code that has
/// raised an exception, from its beginning. Used by one thread, as the environment.
class RubyFunctions {
public:
    explicit RubyFunctions(Environment& environment);
    ~RubyFunctions();
    RubyFunctions(const RubyFunctions&) = delete;
    RubyFunctions& operator=(const RubyFunctions&) = delete;

    /// Whether some module has a Ruby function of that name, in the newer or the older API.
    bool knows(std::string_view name);
    /// What a call is declared to return, as Evaluator::result_type.
    std::optional<TypePtr> result_type(CallContext& context, std::string_view name,
                                       const std::vector<Value>& arguments);
    /// Calls it, with the block of the context. Throws EvalError when it fails, when its arguments do not
    /// fit, and when Ruby is missing or turned off.
    Value call(CallContext& context, std::string_view name, std::vector<Value> arguments);
    /// Renders an ERB template. `path` is empty for an inline one; `name` stands for it in messages.
    std::string render(CallContext& context, const std::string& text, const std::string& path,
                       const std::string& name);

    /// For language/ruby itself.
    RubyRunner& runner() noexcept { return *runner_; }

private:
    std::unique_ptr<RubyRunner> runner_;
};

/// Whether the native part knows all that this Ruby, or the Ruby of an ERB template, is made of; nothing
/// runs. False does not mean that anything is wrong with it.
bool is_native_ruby(std::string_view text, bool erb);

/// What went wrong in Ruby code, as the worker reports it.
struct RubyFault {
    std::string message;
    std::string place;  // "file.rb:12:in `x'"; may be empty
    std::string template_file;
    std::string template_line;
    std::string class_name;        // of the exception
    bool is_puppet = false;        // one of Puppet's own errors
    std::uint64_t exception = 0;   // the worker's number for it
    const void* worker = nullptr;  // whose number that is
};

/// Ruby code raised an exception.
class RubyError : public EvalError {
public:
    explicit RubyError(RubyFault what) : EvalError("", what.message), fault(std::move(what)) {}
    const RubyFault fault;
};

/// What a LanguageHost is besides when its thread has other work while Ruby code takes its time; without it
/// the thread blocks.
class InputWaiter {
public:
    virtual ~InputWaiter() = default;
    /// Returns when `descriptor` can be read or `deadline` has passed, or at once, and then the caller
    /// blocks. What it throws passes through the call.
    virtual void wait_for_input(int descriptor, std::chrono::steady_clock::time_point deadline) = 0;
};

/// What the hooks of a catalog (CatalogHooks) are besides when Ruby code may ask for more than programs can.
class CatalogForRuby {
public:
    virtual ~CatalogForRuby() = default;
    /// A resource of the catalog: a hash of type, title, parameters, tags, file, line, virtual and exported;
    /// undef when "Type[title]" is not declared.
    virtual Value resource(std::string_view reference) = 0;
    /// The same of the class or define whose code the frame is of.
    virtual Value resource_of(const FramePtr& frame) = 0;
    /// "Type[title]" of everything that is declared.
    virtual std::vector<std::string> resource_references() = 0;
    /// What code the frame is of: a hash of top (whether it is the top scope), source_name, source_type,
    /// module, file, line.
    virtual Value source_of(const FramePtr& frame) = 0;
    virtual std::string node_name() = 0;
    virtual std::string catalog_version() = 0;
};

/// What a LanguageHost is besides when Ruby code runs in plans.
class PlanForRuby {
public:
    virtual ~PlanForRuby() = default;
    /// The Error of the language that plan code would see.
    virtual Value error_value(const Error& error) = 0;
    struct Project {
        std::string name;
        std::string path;
    };
    virtual std::optional<Project> project() = 0;
};

}  // namespace volley
