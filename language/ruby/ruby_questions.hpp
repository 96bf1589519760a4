#pragma once

#include "language/ruby/ruby_signature.hpp"
#include "language/value.hpp"
#include "support/json.hpp"

namespace volley {

struct CallContext;

/// Answers what Ruby code asks of the evaluator while a function or template runs: variables, other
/// functions, the block, types, files of modules, logs.
class RubyQuestions {
public:
    /// `signature`: of the running function, for those that dispatch by themselves.
    RubyQuestions(CallContext& context, const RubySignature* signature)
        : context_(context), signature_(signature) {}

    /// Throws what the answer throws, and EvalError for a question that nobody knows.
    Json answer(const Json& question);

private:
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
    std::vector<Value> values(const Json& list);

    CallContext& context_;
    const RubySignature* signature_;
};

}  // namespace volley
