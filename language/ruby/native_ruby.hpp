#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "language/evaluator/frame.hpp"
#include "language/value.hpp"
#include "support/json/json.hpp"

namespace volley {
struct CallContext;
}

/// The native part (language/ruby/native) as the rest of language/ruby sees it. A build without
/// VOLLEY_NATIVE_RUBY has none: then the worker runs everything.
namespace volley::ruby {

struct Program;

/// The code does something that is not known here. Not a mistake of anybody's: the worker process takes over.
struct NotNative {
    std::string why;  ///< "String#unpack1", "a heredoc in a template"; for the message when there is no Ruby
    std::uint32_t line = 0;  ///< 0: not known where it was thrown
};

/// Variables that Ruby code in the worker has set: it alone has their objects.
using SetByRuby = std::map<std::pair<FramePtr, std::string>, std::uint64_t>;

/// A function of a module as its file declares it, in the newer or the older API. Immutable.
struct FunctionFile {
    std::shared_ptr<const Program> program;  // its methods
    std::optional<NotNative> obstacle;       // why it cannot run here
    bool constants_may_change = false;       // the worker may know another value of one
    /// Of the newer API: the dispatches, in the shape in which RubySignature takes them; null when they are
    /// not known.
    std::shared_ptr<const Json> signature;
    std::vector<std::string> methods;  // of the dispatches
    /// Of the older API.
    int arity = -1;
    bool returns_value = false;
    static constexpr std::string_view legacy_method = "newfunction";
};

/// An exception of Ruby code that nothing has rescued.
struct NativeException {
    std::string message;
    std::exception_ptr origin;  // the LanguageError that it stands for; null: it was raised by Ruby code
};

/// How a native run ended. One of the three is set.
struct NativeOutcome {
    std::optional<Value> value;
    std::optional<NativeException> raised;
    std::string why;         // what it needs the real Ruby for
    std::uint32_t line = 0;  // where that was, or where it raised
};

/// Runs the Ruby code of one environment's modules natively. Nothing outside has changed when a run does not
/// end with a value. Used by one thread.
class NativeRuby {
public:
    virtual ~NativeRuby() = default;

    /// The function of a file, which is read once per process and again when it has changed.
    virtual std::shared_ptr<const FunctionFile> function_file(const std::string& path, bool legacy) = 0;

    /// `path` is empty for an inline template.
    virtual NativeOutcome render(CallContext& context, const std::string& text, const std::string& path,
                                 const SetByRuby& set_by_ruby) = 0;
    /// A method of a function of the newer API.
    virtual NativeOutcome call(CallContext& context, const FunctionFile& file, const std::string& method,
                               std::span<const Value> arguments, const SetByRuby& set_by_ruby) = 0;
    virtual NativeOutcome call_legacy(CallContext& context, const FunctionFile& file,
                                      std::span<const Value> arguments, const SetByRuby& set_by_ruby) = 0;
    /// After an exception: whether what the code did before counts, or is done again by somebody else.
    virtual void settle(bool happened) = 0;
    /// Whether a native run calls now: then nothing may be done that cannot be done again.
    virtual bool inside() const noexcept = 0;

    /// Whether native code has set variables (scope.setvar) whose objects are kept here.
    virtual bool has_variables() const noexcept = 0;
    /// Such an object, for the worker, whose object it is from now on; null when there is none.
    virtual Json hand_over(const Frame& frame, std::string_view name) = 0;
};

/// Null in a build without the native part.
std::unique_ptr<NativeRuby> make_native_ruby();

}  // namespace volley::ruby
