#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "language/evaluator/closure.hpp"
#include "language/evaluator/frame.hpp"
#include "language/ruby/native_ruby.hpp"
#include "language/ruby/ruby_objects.hpp"
#include "language/ruby/ruby_signature.hpp"
#include "language/ruby/worker_encoding.hpp"
#include "language/value.hpp"
#include "support/error.hpp"
#include "support/json/json.hpp"

namespace volley {

struct CallContext;

/// Answers what Ruby code asks of the evaluator while a function or template runs: variables, other
/// functions, the block, types, files of modules, logs.
class RubyQuestions final : public WorkerObjects {
public:
    /// `signature`: of the running function, for those that dispatch by themselves.
    /// `set_by_ruby`: the variables that Ruby code has set, with the numbers of the worker's objects.
    using SetByRuby = ruby::SetByRuby;
    RubyQuestions(CallContext& context, const RubySignature* signature, SetByRuby& set_by_ruby,
                  ruby::NativeRuby* native, RubyObjects& objects)
        : context_(context),
          signature_(signature),
          set_by_ruby_(set_by_ruby),
          native_(native),
          objects_(objects) {}

    /// Throws what the answer throws, and EvalError for a question that nobody knows.
    Json answer(const Json& question);
    /// What Ruby code learns of an Error besides its parts: null, or the Error of the language.
    Json describe(const Error& error);
    Json encode(const Value& value);
    Json encode_all(std::span<const Value> values);
    Value decode(const Json& data);

    // WorkerObjects
    std::uint64_t keep(const Value& object) override { return objects_.keep(object); }
    Value kept(std::uint64_t number) override;
    Value made_by(const std::string& function, std::vector<Value> arguments) override;

    /// The variables of these names that have a value.
    Json variables_named(const std::vector<std::string>& names);

private:
    /// The frame that a question is about: of the code that calls, or the top scope.
    const FramePtr& frame_of(const Json& question) const;
    Json local_scope(const Json& question);
    Json log(const Json& question);
    Json variable(const Json& question);
    Json variables(const Json& question);
    Json call(const Json& question);
    Json call_legacy(const Json& question);
    Json known(const Json& question);
    Json type(const Json& question);
    Json module_file(const Json& question);
    Json stack();
    Json dispatch(const Json& question);
    Json set_variable(const Json& question);
    Json changed(const Json& question);
    Json catalog(const std::string& what, const Json& question);
    Json node();
    Json modules();
    Json object(const Json& question);
    Json lookup_context(const Json& question);
    Ref<const Closure> block_of(const Json& question);
    Json encode_variable(const std::string& name, const Value& value, const FramePtr& from);
    std::vector<Value> values(const Json& list);

    CallContext& context_;
    const RubySignature* signature_;
    SetByRuby& set_by_ruby_;
    ruby::NativeRuby* native_;  // null: there is none
    RubyObjects& objects_;
    std::vector<FramePtr> outer_;  // of local scopes that are open
};

}  // namespace volley
