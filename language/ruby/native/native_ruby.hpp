#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "language/ruby/native/function_file.hpp"
#include "language/ruby/native/puppet_self.hpp"

namespace volley::ruby {

/// How a native run ended. One of the three is set.
struct NativeOutcome {
    std::optional<Value> value;
    std::optional<Raised> raised;  // an exception of the code
    std::string why;               // what it needs the real Ruby for
    std::uint32_t line = 0;        // where that was, or where it raised
};

/// Runs the Ruby code of one environment's modules natively. Nothing outside has changed when a run does not
/// end with a value. Used by one thread.
class NativeRuby {
public:
    /// `path` is empty for an inline template.
    NativeOutcome render(CallContext& context, const std::string& text, const std::string& path,
                         const SetByRuby& set_by_ruby);
    /// A method of a function of the newer API.
    NativeOutcome call(CallContext& context, const FunctionFile& file, const std::string& method,
                       std::span<const Value> arguments, const SetByRuby& set_by_ruby);
    NativeOutcome call_legacy(CallContext& context, const FunctionFile& file,
                              std::span<const Value> arguments, const SetByRuby& set_by_ruby);
    /// After an exception: whether what the code did before counts, or is done once more by somebody else.
    void settle(bool happened);
    /// Whether a native run calls now: then nothing may be done that cannot be done once more.
    bool inside() const noexcept { return state_.inside > 0; }
    SetVariables& variables() noexcept { return state_.variables; }

private:
    NativeOutcome run(CallContext& context, const Program& program, Self& self,
                      const std::function<Value(Run&)>& steps);

    NativeState state_;
};

}  // namespace volley::ruby
