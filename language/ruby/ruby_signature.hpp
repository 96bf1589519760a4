#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "language/evaluator/environment.hpp"
#include "language/functions/signature_set.hpp"
#include "support/json/json.hpp"

namespace volley {

/// What a Ruby function of the newer API takes: its dispatches, as the worker reads them from its file.
class RubySignature {
public:
    /// `data` is the worker's answer to "load".
    RubySignature(const Json& data, Environment& environment);
    ~RubySignature();
    RubySignature(const RubySignature&) = delete;
    RubySignature& operator=(const RubySignature&) = delete;

    /// It dispatches by itself, in a method `call` of its own.
    bool own_call() const noexcept { return own_call_; }
    const SignatureSet& set() const noexcept { return *set_; }
    /// The dispatch only says what is wrong with arguments.
    bool is_mismatch(std::size_t index) const { return dispatches_[index].explains; }
    /// Throws EvalError when a result is not what the dispatch declares.
    void check_result(std::size_t index, const Value& result) const;

private:
    struct Texts;
    bool own_call_ = false;
    std::unique_ptr<Texts> texts_;  // what the dispatches look at
    std::vector<Dispatch> dispatches_;
    std::vector<TypePtr> results_;
    std::vector<std::string> methods_;
    std::optional<SignatureSet> set_;
};

}  // namespace volley
