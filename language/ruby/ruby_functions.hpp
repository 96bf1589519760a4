#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "language/evaluator/environment.hpp"
#include "language/evaluator/frame.hpp"
#include "language/ruby/ruby_objects.hpp"
#include "language/ruby/ruby_signature.hpp"
#include "language/ruby/worker.hpp"

namespace volley {

struct CallContext;
class RubyQuestions;

namespace ruby {
struct FunctionFile;
struct NativeOutcome;
class NativeRuby;
}  // namespace ruby

/// The Ruby functions and ERB templates of one environment's modules. Code that keeps to the part of Ruby
/// that is native runs here; the worker process runs all other code, and code that has raised an exception,
/// from its beginning. Used by one thread, as the environment.
class RubyFunctions {
public:
    explicit RubyFunctions(Environment& environment);
    ~RubyFunctions();
    RubyFunctions(const RubyFunctions&) = delete;
    RubyFunctions& operator=(const RubyFunctions&) = delete;

    /// Whether some module has a Ruby function of that name, in the newer or the older API.
    bool knows(std::string_view name) { return find(name) != nullptr; }
    /// What a call is declared to give, as Evaluator::result_type.
    std::optional<TypePtr> result_type(CallContext& context, std::string_view name, const std::vector<Value>& arguments);
    /// Calls it, with the block of the context. Throws EvalError when it fails, when its arguments do not
    /// fit, and when Ruby is missing or turned off.
    Value call(CallContext& context, std::string_view name, std::vector<Value> arguments);
    /// The same for the older API with arguments that are converted already.
    Value call_legacy(CallContext& context, std::string_view name, std::span<const Value> arguments);
    /// Runs a block that Ruby code gave to a function of the language; `number` is the worker's.
    Value call_block(CallContext& context, const Json& number, std::span<const Value> arguments);
    /// Renders an ERB template. `path` is empty for an inline one; `name` stands for it in messages.
    std::string render(CallContext& context, const std::string& text, const std::string& path,
                       const std::string& name);

private:
    friend class RubyQuestions;
    struct Function {
        LanguageHost::RubySource source;
        std::unique_ptr<RubySignature> signature;  // of the newer API, when it has been called
        std::shared_ptr<const ruby::FunctionFile> native;
    };
    /// Why the worker has to run something.
    struct Reason {
        std::string what;      // runs
        std::string why = {};  // it is not native; empty when that is not the matter
        std::uint32_t line = 0;
    };
    const std::uint64_t serial_;  // never used twice, unlike an address
    Function* find(std::string_view name);
    const RubySignature& signature(CallContext& context, std::string_view name, Function& function);
    const ruby::FunctionFile& native_file(Function& function);
    /// The value of a native run; nullopt when the worker has to do it. Throws as call() does when there is
    /// none.
    std::optional<Value> native_value(ruby::NativeOutcome outcome, Reason& reason,
                                      const std::string& template_path, bool is_template);
    bool have_ruby() const;
    std::shared_ptr<RubyWorker> worker(const Reason& reason);
    RubyWorker::Wait wait();
    Json request(CallContext& context, const Json& message, const Reason& reason,
                 const RubySignature* signature = nullptr);
    Json render_request(CallContext& context, const std::string& text, const std::string& path,
                        const Reason& reason);
    Value call_legacy(CallContext& context, std::string_view name, Function& function,
                      std::span<const Value> arguments);

    RubyQuestions questions(CallContext& context, const RubySignature* signature = nullptr);

    Environment& environment_;
    RubyObjects objects_;
    /// Variables that Ruby code has set (scope.setvar), with the number of the object that the worker keeps
    /// for each: Ruby code changes such objects and expects to find the change (compatibility).
    std::map<std::pair<FramePtr, std::string>, std::uint64_t> set_by_ruby_;
    std::unique_ptr<ruby::NativeRuby> native_;
    std::map<std::string, std::optional<Function>, std::less<>> functions_;  // nullopt: there is none
};

}  // namespace volley
