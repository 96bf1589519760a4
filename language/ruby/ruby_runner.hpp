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
#include "language/ruby/native_ruby.hpp"
#include "language/ruby/ruby_objects.hpp"
#include "language/ruby/ruby_signature.hpp"
#include "language/ruby/worker.hpp"

namespace volley {

struct CallContext;
class RubyQuestions;

/// How the Ruby code of one environment's modules runs: what RubyFunctions is made of. Decides what runs
/// natively and what the worker runs.
class RubyRunner {
public:
    explicit RubyRunner(Environment& environment);
    ~RubyRunner();
    RubyRunner(const RubyRunner&) = delete;
    RubyRunner& operator=(const RubyRunner&) = delete;

    // As RubyFunctions.
    bool knows(std::string_view name) { return find(name) != nullptr; }
    /// Whether the one that some module has is of the older API.
    bool knows_legacy(std::string_view name) {
        const Function* const function = find(name);
        return function && function->source.legacy;
    }
    std::optional<TypePtr> result_type(CallContext& context, std::string_view name,
                                       const std::vector<Value>& arguments);
    Value call(CallContext& context, std::string_view name, std::vector<Value> arguments);
    /// A function of the older API with arguments that are converted already.
    Value call_legacy(CallContext& context, std::string_view name, std::span<const Value> arguments);
    /// Runs a block that Ruby code passed to a function of the language; `number` is the worker's.
    Value call_block(CallContext& context, const Json& number, std::span<const Value> arguments);
    std::string render(CallContext& context, const std::string& text, const std::string& path,
                       const std::string& name);

private:
    struct Function {
        LanguageHost::RubySource source;
        std::unique_ptr<RubySignature> signature;  // of the newer API, when it has been called
        std::shared_ptr<const ruby::FunctionFile> native;
        bool ran_in_worker = false;  // which knows what has become of its constants
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
    /// What is to be tried before the worker: null where that is turned off or not there, which says why.
    ruby::NativeRuby* native(Reason* reason = nullptr) const;
    /// Whether a call of the function may be tried natively; if not, says why.
    bool runs_natively(CallContext& context, Function& function, Reason& reason);
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
    ruby::SetByRuby set_by_ruby_;
    std::unique_ptr<ruby::NativeRuby> native_;                               // null in a build without it
    std::map<std::string, std::optional<Function>, std::less<>> functions_;  // nullopt: there is none
};

}  // namespace volley
