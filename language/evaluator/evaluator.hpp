#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "language/evaluator/closure.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/frame.hpp"
#include "language/syntax/ast.hpp"
#include "language/value.hpp"

namespace volley {

/// What break(), next() and return() throw. They pass through builtins, which is what unwinding is for.
struct Jump {
    enum class Kind { Break, Next, Return };
    Kind kind;
    Value value;
    Location at;
};

class Evaluator;
class CallSite;

/// The part of the language that makes a catalog, or runs plans, provided by a component above: resources,
/// classes, collectors, relationships. Without one these constructs are errors.
class CatalogHooks {
public:
    virtual ~CatalogHooks() = default;
    /// Evaluates a catalog expression (Resource, Collect, Relationship, a definition, ...).
    virtual Value evaluate(Evaluator& evaluator, const ast::Node& node, const FramePtr& frame) = 0;
    /// $class_name::variable of an evaluated class, or of a class that it inherits; nullptr when there is
    /// none.
    virtual const Value* class_variable(std::string_view class_name, std::string_view variable) = 0;
    struct MissingVariable {
        std::string name;  ///< as messages have it
        std::string reason;
    };
    static MissingVariable of_unknown_class(std::string_view class_name, std::string_view variable);
    /// Why class_variable() returns nullptr.
    virtual MissingVariable missing_variable(std::string_view class_name, std::string_view variable) {
        return of_unknown_class(class_name, variable);
    }
    /// Whether a class is declared.
    virtual bool has_class(std::string_view name) {
        static_cast<void>(name);
        return true;
    }
    /// The classes that are declared so far, and the tags of the whole catalog.
    virtual std::vector<std::string> class_names() { return {}; }
    virtual std::vector<std::string> tag_names() { return {}; }
    /// The parameters of a resource, by name; undef when "Type[title]" is not declared.
    virtual Value resource_parameters(std::string_view reference) {
        static_cast<void>(reference);
        return {};
    }
    /// Ruby code has changed a list or hash in place: whoever holds it holds the changed one from now on.
    virtual void replace_value(const Value& old, const Value& now) {
        static_cast<void>(old);
        static_cast<void>(now);
    }
    /// What Class['a']['b'] and Type['title']['b'] mean; `type` is the reference.
    virtual Value parameter(Evaluator& evaluator, const ast::Node& node, const Type& type,
                            const std::string& name) = 0;
};

/// Evaluates trees. One for each compilation or plan fiber; its environment may be shared by those
/// of one thread.
class Evaluator {
public:
    explicit Evaluator(Environment& environment, CatalogHooks* catalog = nullptr);

    /// The value of a program in the top scope. Its definitions are added to the environment first.
    Value run(std::shared_ptr<const ast::Program> program);
    Value evaluate(const ast::Node& node, const FramePtr& frame);
    /// The body of a program whose definitions are known already. break(), next() and return() end there with
    /// an error.
    Value evaluate_body(const ast::Program& program, const FramePtr& frame);
    /// Throws what a break(), next() or return() is where it may not be.
    [[noreturn]] static void fail_jump(const Jump& jump);
    /// Throws the error again, with "Evaluation Error: Error while evaluating a ..." and the position of
    /// the node unless it knows its position.
    [[noreturn]] static void rethrow_at(const LanguageError& error, const ast::Node& node);
    /// Calls a function by name. `block` may be null. A Jump passes through: break() in a template ends the
    /// lambda that renders it.
    Value call(std::string_view name, std::vector<Value> arguments, const Closure* block,
               const FramePtr& frame, const Location& at);
    /// What a call of a function is declared to return: null when it does not say, nullopt when the arguments
    /// fit none of its signatures. Throws EvalError when there is no such function.
    std::optional<TypePtr> result_type(std::string_view name, const std::vector<Value>& arguments);
    /// True when a function of that name can be called.
    bool has_function(std::string_view name);
    /// The value of a variable as code sees it: "x", "::x", "a::b", "0". Throws for an unknown one when the
    /// settings say so.
    Value variable(std::string_view name, const FramePtr& frame, const ast::Node* node);
    std::optional<Value> find_variable(std::string_view name, const FramePtr& frame);

    /// Text as in an interpolated string.
    static std::string text(const Value& value);
    static void append_text(std::string& to, const Value& value);
    static bool matches(const Value& value, const Value& pattern, Frame* frame);

    void log(Severity severity, std::string message, const FramePtr& frame, const Location& at);
    /// A mistake at a node: "Evaluation Error: ...".
    [[noreturn]] static void fail(std::string_view issue, const ast::Node& node, const std::string& message);

    Environment& environment() noexcept { return environment_; }
    CatalogHooks* catalog() noexcept { return catalog_; }
    const FramePtr& top() const noexcept { return top_; }
    /// A frame in which code of a function runs: it sees the top scope only.
    std::vector<Value> unfolded(ast::NodeList nodes, const FramePtr& frame);

private:
    friend class Closure;
    void check_stack();
    Value dispatch(const ast::Node& node, const FramePtr& frame);

    // evaluator.cpp
    Value eval_variable(const ast::Variable& node, const FramePtr& frame);
    Value eval_concatenated(const ast::Concatenated& node, const FramePtr& frame);
    Value eval_hash(const ast::Hash& node, const FramePtr& frame);
    Value eval_block(const ast::Block& node, const FramePtr& frame);
    Value eval_if(const ast::If& node, const FramePtr& frame);
    Value eval_case(const ast::Case& node, const FramePtr& frame);
    Value eval_selector(const ast::Selector& node, const FramePtr& frame);
    bool option_matches(const ast::Node& option, const Value& test, const FramePtr& frame);
    Value eval_reference(const ast::Reference& node);
    Value eval_catalog(const ast::Node& node, const FramePtr& frame);
    Value eval_epp(const ast::Epp& node, const FramePtr& frame);
    Value eval_render(const ast::Node& node, const FramePtr& frame);
    Value eval_heredoc(const ast::Heredoc& node, const FramePtr& frame);
    static Value unfold(const Value& value);

    // operators.cpp
    Value eval_arithmetic(const ast::Node& node, const FramePtr& frame);
    Value calculate(const ast::Binary& node, const Value& left, const Value& right);
    static Value calculate_numbers(const ast::Binary& node, const Value& left, const Value& right);
    Value eval_minus(const ast::Unary& node, const FramePtr& frame);
    Value eval_comparison(const ast::Binary& node, const FramePtr& frame);
    Value eval_match(const ast::Binary& node, const FramePtr& frame);
    Value coerce_numeric(const Value& value, const ast::Node& node);

    // assignment.cpp
    Value eval_assignment(const ast::Binary& node, const FramePtr& frame);
    void assign(const ast::Node& target, const Value& value, const ast::Binary& node, const FramePtr& frame);
    Value assignment_key(const ast::Node& target, const FramePtr& frame);
    void assign_list(const ast::List& targets, const Value& value, const ast::Binary& node,
                     const FramePtr& frame);

    // access.cpp
    Value eval_access(const ast::Access& node, const FramePtr& frame);
    Value access_array(const ast::Access& node, const Array& items, const std::vector<Value>& raw);
    std::vector<Value> class_keys(const ast::Access& node, const FramePtr& frame);
    std::vector<Value> unfolded_keys(const ast::Access& node, const FramePtr& frame);

    // calls.cpp
    Value eval_call(const ast::Call& node, const FramePtr& frame);
    Value eval_method(const ast::Call& node, const FramePtr& frame);
    Value call_at(std::string_view name, std::vector<Value> arguments, const ast::Call& node,
                  const FramePtr& frame);
    Value call(const Callee& callee, std::string_view name, std::vector<Value> arguments,
               const Closure* block, const FramePtr& frame, const CallSite& at);
    Ref<const Closure> block_of(const ast::Call& node, const FramePtr& frame);
    Value call_function(const ast::Definition& definition, std::vector<Value> arguments);
    Ref<const Closure> closure_of(const ast::Definition& definition);

    struct EppOutput {
        std::string text;
        bool sensitive = false;  // so is something in it
    };

    Environment& environment_;
    CatalogHooks* catalog_;
    FramePtr top_;
    EppOutput* epp_output_ = nullptr;  // where the template renders to
    std::unordered_map<const ast::Definition*, Ref<const Closure>>
        functions_;  // called before, with their types
};

/// Puppet's ==: strings regardless of case, numbers by value.
bool puppet_equals(const Value& a, const Value& b);
/// Negative, zero or positive. Throws EvalError for what has no order.
int puppet_compare(const Value& a, const Value& b);
/// Puppet's `in`. A regexp leaves its match in the frame.
bool puppet_includes(Evaluator& evaluator, const Value& collection, const Value& wanted, Frame* frame);
/// A number from its text, by the rules of the language: 12, 0x1f, 017, 1.5e3, with an optional sign.
std::optional<Value> parse_number(std::string_view text);

}  // namespace volley
