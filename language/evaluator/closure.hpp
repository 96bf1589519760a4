#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "language/callable.hpp"
#include "language/evaluator/frame.hpp"
#include "language/syntax/ast.hpp"
#include "language/types/mismatch.hpp"

namespace volley {

class Evaluator;

/// Code with parameters and the frame it sees: a lambda, or a function written in the language.
class Closure final : public CallableObject {
public:
    /// A lambda sees what its process have matched ($1), a function or plan does not.
    enum class Form : std::uint8_t { Lambda, Function };

    /// `name` is "lambda" or the function's name.
    Closure(Evaluator& evaluator, Form form, std::span<ast::Parameter* const> parameters,
            const ast::Node* body, const ast::Node* return_type, FramePtr enclosing, std::string name);

    /// Runs the code. A next() in it returns its value; a return() too, when this is a function.
    Value call(std::vector<Value> arguments) const { return call_moving(arguments); }
    /// The same; the arguments are moved from.
    Value call_moving(std::span<Value> arguments) const;
    /// Runs the code with named values. With `enforce` they must be what the parameters declare; else
    /// they are simply variables.
    Value call_by_name(const Hash& given, bool enforce) const;
    /// The same code with a copy of the variables that it sees now; what is set outside from now on it does
    /// not see.
    Ref<const Closure> with_own_variables() const;
    /// Throws EvalError, with Puppet's description, when a function is called with too few or too many
    /// arguments.
    void check_count(const std::vector<Value>& arguments) const;
    TypePtr type() const override;
    /// What a call with these arguments and no block is declared to return: null when that is not said,
    /// nullopt when they do not fit.
    std::optional<TypePtr> result_type(const std::vector<Value>& arguments) const;
    std::size_t parameter_count() const noexcept { return parameters_.size(); }
    bool last_captures_rest() const noexcept {
        return !parameters_.empty() && parameters_.back()->captures_rest;
    }
    /// For messages: "a, b".
    std::string parameter_names() const;
    const std::string& name() const noexcept { return name_; }
    /// The result, after it has been compared with the declared return type.
    Value checked_result(Value result) const;

private:
    struct Binding {
        std::vector<Value> values;  // one for each parameter
        std::vector<Value> flat;    // with the rest spread out
    };
    /// One argument for each parameter, and no rest: what most calls are.
    bool binds_directly(std::span<const Value> arguments) const noexcept {
        return arguments.size() == parameters_.size() && !last_captures_rest();
    }
    FramePtr new_frame() const;
    Value run(FramePtr frame) const;
    Binding bind(std::span<const Value> arguments) const;
    /// `absent`: parameters before it that have no value; the default must not ask for them.
    Value default_value(std::size_t index, const std::vector<Value>& bound,
                        const std::vector<std::string_view>& absent = {}) const;
    void check(std::span<const Value> flat) const;
    [[noreturn]] void complain(std::span<const Value> arguments) const;

    TypePtr parameter_type(const ast::Parameter& parameter) const;
    void resolve_types() const;

    Evaluator& evaluator_;
    const std::span<ast::Parameter* const> parameters_;
    const ast::Node* const body_;
    const ast::Node* const return_type_node_;
    const FramePtr enclosing_;
    const std::string name_;
    const Form form_;
    const bool untyped_;
    const ast::Parameter* const reserved_;  // a parameter that cannot be set; calling fails
    mutable TypePtr type_;                  // made when somebody asks
    mutable TypePtr return_type_;
};

}  // namespace volley
