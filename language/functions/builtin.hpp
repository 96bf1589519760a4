#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/errors.hpp"
#include "language/syntax/ast.hpp"
#include "language/types/mismatch.hpp"
#include "language/value.hpp"

namespace volley {

class Closure;
class Environment;
class Evaluator;
class Frame;
class NativeTypes;

/// Where a call stands. Its line is counted only when somebody asks: most calls end well.
class CallSite {
public:
    CallSite() = default;
    CallSite(Location known) : known_(std::move(known)) {}
    CallSite(const ast::Node& node) noexcept : node_(&node) {}
    /// Valid as long as the program is.
    Location location() const { return node_ ? node_->location() : known_; }
    operator Location() const { return location(); }

private:
    const ast::Node* node_ = nullptr;
    Location known_;
};

/// What a builtin may use while it runs.
struct CallContext {
    Evaluator& evaluator;
    std::shared_ptr<Frame> frame;
    const Closure* block = nullptr;  // the lambda it was called with
    std::string_view name;           // as called
    CallSite at;

    /// Runs the lambda. A `next` in it returns its value; break() and return() pass through the builtin.
    Value yield(std::vector<Value> arguments) const;
    /// The same; the arguments are moved from.
    Value yield_moving(std::span<Value> arguments) const;
    /// How many parameters the lambda has.
    std::size_t block_arity() const;
    Environment& environment() const;
};

/// One way to call a function. Types are texts, parsed at the first call.
struct Dispatch {
    enum Arity { Required, Optional, Repeated, RequiredRepeated };
    struct Parameter {
        std::string_view type;
        std::string_view name;
        Arity arity = Required;
    };
    using Body = Value (*)(CallContext&, std::span<const Value>);

    std::vector<Parameter> params;
    std::string_view block = {};  // "Callable[1, 1]", "Optional[Callable]"; empty: takes no block
    std::string_view returns = {};
    Body call = nullptr;
    bool explains =
        false;  // messages do not mention it: `call` only says what is wrong with arguments that no other
                // dispatch takes, or does what only later versions of Puppet do with them
};

/// The keys of the hash of options that calls of a function end with, for tools that look at calls before
/// they run.
struct FunctionOptions {
    std::vector<std::string_view> names;  ///< as they are to be written: "_catch_errors", "limit"
    bool any_name = false;                ///< a name may be written with an underscore before it or without
    bool parameters = false;              ///< keys without an underscore are parameters of what is called
};

/// The argument of a function that names a file, for the same tools.
struct FileArgument {
    std::size_t index = 0;
    std::string_view folder = "files";  ///< of modules, where "module/path" is looked up
    bool may_be_folder = false;
};

/// A function of the language that is written in C++: its name, what it takes, and its documentation.
struct Builtin {
    std::string_view name;
    std::string_view doc;
    /// It only finds something out, apart from what it logs: nobody can tell how often it has been called.
    /// Functions that run code of others are pure when only that code may be more.
    bool pure = false;
    /// It looks at variables that are not among its arguments.
    bool reads_variables = false;
    std::vector<Dispatch> dispatches;
    std::vector<std::pair<std::string_view, std::string_view>> local_types =
        {};  // name, meaning (or comment and definition)
    /// For a function of Puppet's older API: how many arguments it takes, -3 for 2 or more. Its only dispatch
    /// takes anything, with any block, and gets the arguments as that API converts them (legacy.hpp).
    std::optional<int> legacy_arity = std::nullopt;
    const NativeTypes* native_types =
        nullptr;  // of the component it belongs to, for its signatures; what is wrong with
                  // arguments is then said in plain words (explain.hpp)
    std::optional<FunctionOptions> options = std::nullopt;
    std::optional<FileArgument> file = std::nullopt;

    /// Checks the arguments and runs the dispatch that takes them. Throws EvalError with Puppet's description
    /// of what is expected when none does.
    Value invoke(CallContext& context, std::span<const Value> arguments) const;
    /// What a call with these arguments and no block is declared to return: null when that is not said,
    /// nullopt when they fit no dispatch.
    std::optional<TypePtr> result_type(std::span<const Value> arguments) const;
    std::vector<Signature> signatures() const;
};

/// The builtins of the language (registry.def).
const std::vector<const Builtin*>& all_builtins();

}  // namespace volley
