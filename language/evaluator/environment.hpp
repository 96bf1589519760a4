#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "language/errors.hpp"
#include "language/evaluator/annotations.hpp"
#include "language/evaluator/attempt.hpp"
#include "language/lookup/lookup.hpp"
#include "language/syntax/ast.hpp"
#include "language/types/parse.hpp"
#include "language/value.hpp"

namespace volley {

/// One line that a program logs: notice("x"), or a warning of the evaluator.
struct LogEntry {
    Severity severity = Severity::Notice;
    std::string message;
    std::string source;  // "Scope(Class[main])"; empty for the language's own
    Location at;
    std::string issue = {};  // Puppet's code for a mistake or warning; empty when it has none
};

/// Everything the language wants to know from outside. The evaluator does nothing to the world but through
/// this. The defaults know nothing.
class LanguageHost {
public:
    virtual ~LanguageHost() = default;
    virtual void log(const LogEntry&) {}
    /// The file that has to define a function ("mod::name"), a type ("mod::name", in lower case) or a plan. A
    /// host that keeps parsed files returns `program` (parsed and validated) and may leave `text` empty; then
    /// the methods throw ParseError for mistakes in the file.
    struct SourceFile {
        std::string text;
        std::string path;
        std::shared_ptr<const ast::Program> program = {};
    };
    virtual std::optional<SourceFile> function_source(std::string_view) { return std::nullopt; }
    virtual std::optional<SourceFile> type_source(std::string_view) { return std::nullopt; }
    /// A plan in YAML comes as text.
    virtual std::optional<SourceFile> plan_source(std::string_view) { return std::nullopt; }
    /// The manifest in which a class or defined type of exactly this name would be: "a::b::c" is
    /// a/manifests/b/c.pp, "a" is a/manifests/init.pp. The compiler asks for "a::b::c", "a::b" and "a" in
    /// turn.
    virtual std::optional<SourceFile> manifest_source(std::string_view) { return std::nullopt; }
    /// The file of a resource type: .resource_types/NAME.pp of the environment (generated), or the first
    /// lib/puppet/type/NAME.rb among the modules. It is read, not run.
    virtual std::optional<SourceFile> resource_type_source(std::string_view) { return std::nullopt; }
    /// A file of a module by kind ("files", "templates") and "module/path"; or an absolute path.
    virtual std::optional<SourceFile> module_file(std::string_view, std::string_view) { return std::nullopt; }
    /// Where that file is, without reading it.
    virtual std::optional<std::string> module_file_path(std::string_view kind, std::string_view name) {
        const auto file = module_file(kind, name);
        return file ? std::optional(file->path) : std::nullopt;
    }
    virtual std::optional<std::string> module_path(std::string_view) { return std::nullopt; }
    /// The modules that code can see, in the order of the modulepath; the first of a name wins.
    struct Module {
        std::string name;
        std::string path;
    };
    virtual std::vector<Module> modules() { return {}; }
    /// Where Hiera's data are; by default there are none.
    virtual HieraSettings hiera() { return {}; }
    /// Nanoseconds since 1970.
    virtual std::int64_t now() { return 0; }
    /// The file of a function that a module has in Ruby: lib/puppet/functions/a/b.rb for "a::b", or for the
    /// older API (`legacy`) lib/puppet/parser/functions/NAME.rb.
    struct RubySource {
        std::string path;
        bool legacy = false;
    };
    virtual std::optional<RubySource> ruby_function_source(std::string_view) { return std::nullopt; }
    /// Whether some module has providers of a resource type in Ruby. Who knows no modules says yes.
    virtual bool has_providers(std::string_view) { return true; }
    struct ProgramResult {
        int status = 0;
        std::string output;  // both streams
    };
    /// Runs a program of the controller to its end in `directory`; argv[0] is an absolute path. Throws
    /// EvalError where programs must not be run.
    virtual ProgramResult run_program(const std::vector<std::string>& argv, const std::string& directory);
};

class LoggedOnce;

enum class Strictness { Off, Warning, Error };

struct LanguageSettings {
    Strictness strict = Strictness::Error;
    bool strict_variables = true;
    bool tasks = false;  // plans are part of the language
    std::string digest_algorithm = "sha256";
    bool deprecations = false;       // warn of what is deprecated
    bool explained_lookups = false;  // each lookup logs at debug how it was done
    /// Null: each environment warns for itself. Environments that share it warn once together.
    std::shared_ptr<LoggedOnce> logged = {};
    std::string environment = "production";
    bool ruby = true;                                // Ruby functions and ERB templates may be run by a ruby
    bool native_ruby = true;                         // they are run without one where possible
    std::chrono::milliseconds ruby_timeout{60'000};  // how long Ruby code may take to answer
    std::uint64_t calls = 1'000'000'000;  // of lambdas and functions in one environment: minutes of work;
                                          // four copied elements of collections cost as much as a call
};

/// What a file may have to define.
enum class Loadable { Function, Type, Plan };

class Evaluator;
class RubyFunctions;
struct Builtin;
struct CheckedProgram;

/// What a name of a function means: one written in the language, in C++, or in a module's Ruby; none of them
/// when there is no such function.
struct Callee {
    const ast::Definition* definition = nullptr;
    const Builtin* builtin = nullptr;
    bool ruby = false;
    explicit operator bool() const noexcept { return definition || builtin || ruby; }
};

/// What the programs of one compilation or plan run share: definitions, types, settings. Used by one thread
/// at a time.
class Environment {
public:
    explicit Environment(LanguageHost& world, LanguageSettings options = {});

    LanguageHost& host;
    const LanguageSettings settings;
    TypeLoader types;
    Annotations annotations;

    /// Makes the functions and type aliases of a program known, and keeps it alive.
    void add_program(std::shared_ptr<const ast::Program> program);
    /// Keeps a program alive as long as values may refer to it.
    void keep(std::shared_ptr<const ast::Program> program) { programs_.push_back(std::move(program)); }
    /// The function written in the language with that name, loaded when need be; nullptr when there is none.
    const ast::Definition* find_function(std::string_view name);
    /// The same for functions of any kind; remembers what it has found.
    Callee find_callee(std::string_view name);
    /// What a call of a name that is not a function is: with what may have been meant.
    EvalError unknown_function(std::string_view name, std::string_view prefix = {}, const Location& at = {});
    /// Adds functions from a component above; they win over those of the language.
    void add_builtins(const std::vector<const Builtin*>& more);
    /// Warns that something is deprecated, once for each key, unless the settings do not want that. Puppet's
    /// line about the place follows: `at` is null where it names none.
    void deprecation(const std::string& key, const std::string& message, const Location* at = nullptr);
    /// Logs a line. As all that is logged it waits while an attempt runs.
    void log(LogEntry entry);
    /// Does what can be seen outside: at once, or when the attempt that runs has ended well.
    void do_when_certain(std::function<void()> effect);
    /// The attempt that runs; null when what is done counts at once.
    Attempt* attempt = nullptr;
    /// Logs a warning once for each key.
    void warn_once(const std::string& key, const std::string& message);
    const Builtin* find_builtin(std::string_view name) const;
    /// Counts a call of a lambda or function. Throws EvalError when there were more than the settings allow:
    /// walks within walks need no deep stack to go on for ever.
    void count_call() {
        if (++calls_ > settings.calls) too_many_calls();
        NestingGuard::renew();
    }
    /// Counts what an operator or function has copied into a new value: a loop that builds a collection by
    /// adding to it copies all of it each time. Throws EvalError when it was too much.
    void count_copied(const Value& made) {
        if (made.is_array())
            copied_ += made.as_array().size();
        else if (made.is_hash())
            copied_ += made.as_hash().size();
        else if (made.is_string())
            copied_ += made.as_string().size() / 64;
        if (copied_ / 4 > settings.calls) copied_too_much();
    }
    /// Hiera with the host's settings, made when it is first asked for.
    Lookup& lookup();
    /// A template, parsed when it is first rendered with this text. `path` is empty for a text of no file.
    /// Throws ParseError.
    std::shared_ptr<const CheckedProgram> epp_template(const std::string& text, const std::string& path);
    /// The Ruby functions of modules, and what renders ERB.
    RubyFunctions& ruby();

private:
    struct NameHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const noexcept {
            return std::hash<std::string_view>{}(name);
        }
    };
    std::shared_ptr<const ast::Node> load_definition(Loadable kind, std::string_view name);
    [[noreturn]] void too_many_calls() const;
    [[noreturn]] void copied_too_much() const;

    const std::shared_ptr<LoggedOnce> logged_;
    std::uint64_t calls_ = 0;
    std::uint64_t copied_ = 0;                                                    // elements
    std::unordered_map<std::string, Callee, NameHash, std::equal_to<>> callees_;  // found before
    std::unordered_map<std::string, const ast::Definition*> functions_;
    std::unordered_set<std::string> missing_functions_;
    std::unordered_map<std::string_view, const Builtin*> builtins_;                     // of components above
    std::unordered_map<std::string, std::shared_ptr<const CheckedProgram>> templates_;  // by path, or by text
    std::shared_ptr<Lookup> lookup_;
    std::shared_ptr<RubyFunctions> ruby_;
    std::vector<std::shared_ptr<const ast::Program>> programs_;
};

}  // namespace volley
