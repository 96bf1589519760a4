#include "language/evaluator/environment.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "language/compile.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/stdlib/registry.hpp"
#include "language/loaders/definition_names.hpp"
#include "language/loaders/definition_rules.hpp"
#include "language/logged_once.hpp"
#include "language/ruby/ruby.hpp"
#include "language/syntax/parser.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

[[noreturn]] void redefined_at(std::string_view kind, std::string_view name, std::string_view origin) {
    throw EvalError("", "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/" + std::string(kind) +
                            "/" + lower(name) + "'. " + std::string(origin));
}

[[noreturn]] void redefined(std::string_view kind, std::string_view name, const ast::Node* first) {
    const Location at = first->location();
    redefined_at(kind, name,
                 "Originally set at " + (at.file.empty() ? "string:" : "file:" + at.file) +
                     "?line=" + std::to_string(at.line) + "&pos=" + std::to_string(at.column) + ".");
}

using BuiltinsByName = std::unordered_map<std::string_view, const Builtin*>;

/// Those that every environment has.
const BuiltinsByName& language_builtins() {
    static const BuiltinsByName table = [] {
        BuiltinsByName result;
        for (const auto* all : {&all_builtins(), &stdlib_builtins()}) {
            for (const Builtin* builtin : *all) result[builtin->name] = builtin;
        }
        return result;
    }();
    return table;
}

/// What the language has besides where tasks and plans are part of it. Spec "Task".
std::shared_ptr<const ast::Program> program_of_task_types() {
    static const std::shared_ptr<const ast::Program> program = parse_program(
        "type Task = Object[{attributes => {"
        "name => { type => Pattern[/\\A[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\\z/] }, "
        "files => { type => Array[Struct[name => String, path => String]] }, "
        "metadata => { type => Hash[String, Any] }, "
        "parameters => { type => Optional[Hash[Pattern[/\\A[a-z][a-z0-9_]*\\z/], Type]], value => undef }}}]",
        {.file = {}, .tasks = true});
    return program;
}

/// Functions of stdlib are built in, but a function of the environment or another module with such a name is
/// what Puppet would call.
bool may_be_replaced(const Builtin* builtin) {
    static const std::unordered_set<const Builtin*> stdlib(stdlib_builtins().begin(),
                                                           stdlib_builtins().end());
    return stdlib.contains(builtin) && builtin->name.find("::") == std::string_view::npos;
}

/// Throws EvalError for a data type that a module has in Ruby only.
void refuse_ruby_type(LanguageHost& host, std::string_view name) {
    const std::string text(name);
    const std::size_t end = text.find("::");
    const auto module =
        end == std::string::npos ? std::nullopt : host.module_path(std::string_view(text).substr(0, end));
    if (!module) return;
    std::string file = text;
    for (std::size_t at = file.find("::"); at != std::string::npos; at = file.find("::"))
        file.replace(at, 2, "/");
    const std::string path = *module + "/lib/puppet/datatypes/" + file + ".rb";
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return;
    throw EvalError(
        "", "The data type '" + text + "' is written in Ruby (" + path +
                "), which cannot be read here: write it in the language, as types/*.pp of the module");
}

/// A file of the module stdlib itself, whose function is built in.
bool is_of_stdlib(std::string_view path) {
    const std::size_t lib = path.rfind("/lib/puppet/");
    return lib != std::string_view::npos && path.substr(0, lib).ends_with("/stdlib");
}

}  // namespace

LanguageHost::ProgramResult LanguageHost::run_program(const std::vector<std::string>& argv,
                                                      const std::string&) {
    throw EvalError("",
                    "The program " + argv.front() + " cannot be run: this evaluation may not start programs");
}

Environment::Environment(LanguageHost& world, LanguageSettings options)
    : host(world),
      settings(std::move(options)),
      logged_(settings.logged ? settings.logged : std::make_shared<LoggedOnce>()) {
    types.find_definitions([this](std::string_view name) { return load_definition(Loadable::Type, name); });
    if (settings.tasks) add_program(program_of_task_types());
}

EvalError Environment::unknown_function(std::string_view name, std::string_view prefix, const Location& at) {
    std::vector<std::string> known;
    for (const auto& [builtin, is] : builtins_) known.emplace_back(builtin);
    for (const auto& [builtin, is] : language_builtins()) known.emplace_back(builtin);
    for (const auto& [function, is] : functions_) known.push_back(function);
    const std::vector<LanguageHost::Module> modules = host.modules();
    for (const std::string_view folder :
         {"functions", "lib/puppet/functions", "lib/puppet/parser/functions"}) {
        for (std::string& one : definition_names(modules, folder)) known.push_back(std::move(one));
    }
    std::sort(known.begin(), known.end());  // of names that are equally close the first is always named
    EvalError error("UNKNOWN_FUNCTION",
                    std::string(prefix) + "Unknown function: '" + std::string(name) + "'.", at);
    error.set_hint(hint_for(name, std::move(known)));
    return error;
}

void Environment::too_many_calls() const {
    throw EvalError("TOO_MANY_CALLS", "Lambdas and functions were called more than " +
                                          std::to_string(settings.calls) + " times");
}

void Environment::copied_too_much() const {
    throw EvalError("TOO_MUCH_COPIED", "More than " + std::to_string(4 * settings.calls) +
                                           " elements were copied into new lists, hashes and texts");
}

Lookup& Environment::lookup() {
    if (!lookup_) lookup_ = std::make_shared<Lookup>(host.hiera());
    return *lookup_;
}

void Environment::add_program(std::shared_ptr<const ast::Program> program) {
    for (const ast::Node* node : program->definitions) {
        if (node->kind == ast::NodeKind::Function) {
            callees_.clear();
            const auto& definition = ast::as<ast::Definition>(*node);
            const ast::Definition*& known = functions_[std::string(definition.name)];
            if (known && known != &definition) redefined("function", definition.name, known);
            known = &definition;
        } else if (node->kind == ast::NodeKind::TypeAlias) {
            const auto& alias = ast::as<ast::TypeAlias>(*node);
            if (const ast::Node* known = types.declare_alias(alias)) redefined("type", alias.name, known);
            if (const auto origin = types::builtin_origin(lower(alias.name)))
                redefined_at("type", alias.name, *origin);
        }
    }
    programs_.push_back(std::move(program));
}

std::shared_ptr<const ast::Node> Environment::load_definition(Loadable kind, std::string_view name) {
    const auto file = kind == Loadable::Function ? host.function_source(name) : host.type_source(name);
    if (!file && kind == Loadable::Type) refuse_ruby_type(host, name);
    if (!file) return nullptr;
    auto program = file->program ? file->program : compile_program(file->text, *this, file->path);
    const ast::Node& definition = only_definition(*program, kind, name);
    keep(program);
    return {std::move(program), &definition};
}

const ast::Definition* Environment::find_function(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    const auto found = functions_.find(std::string(name));
    if (found != functions_.end()) return found->second;
    // Those of the language win over files; what is not there is not looked for on the disk again.
    const Builtin* builtin = find_builtin(name);
    if ((builtin && !may_be_replaced(builtin)) || missing_functions_.contains(std::string(name)))
        return nullptr;
    const auto node = load_definition(Loadable::Function, name);
    if (!node) {
        missing_functions_.emplace(name);
        return nullptr;
    }
    return functions_[std::string(name)] = &ast::as<ast::Definition>(*node);
}

Callee Environment::find_callee(std::string_view name) {
    const auto known = callees_.find(name);
    if (known != callees_.end()) return known->second;
    Callee callee;
    callee.definition = find_function(name);
    if (!callee.definition) callee.builtin = find_builtin(name);
    if (callee.builtin && may_be_replaced(callee.builtin)) {
        const auto own = host.ruby_function_source(name);
        if (own && !is_of_stdlib(own->path)) callee.builtin = nullptr;
    }
    callee.ruby = !callee && ruby().knows(name);
    if (callee) callees_.emplace(name, callee);
    return callee;
}

void Environment::add_builtins(const std::vector<const Builtin*>& more) {
    callees_.clear();
    for (const Builtin* builtin : more) builtins_[builtin->name] = builtin;
}

std::shared_ptr<const CheckedProgram> Environment::epp_template(const std::string& text,
                                                                const std::string& path) {
    const std::string& key = path.empty() ? text : path;
    if (const auto known = templates_.find(key);
        known != templates_.end() && known->second->program->source.text() == text)
        return known->second;
    const CheckOptions options{
        .file = path.empty() ? "inlined-epp-text" : path, .epp = true, .file_namespace = {}};
    auto checked = std::make_shared<const CheckedProgram>(check_program(text, settings, options));
    keep(checked->program);
    return templates_[key] = std::move(checked);
}

RubyFunctions& Environment::ruby() {
    if (!ruby_) ruby_ = std::make_shared<RubyFunctions>(*this);
    return *ruby_;
}

void Environment::warn_once(const std::string& key, const std::string& message) {
    do_when_certain([this, key, message] {
        if (logged_->first(key)) host.log({Severity::Warning, message, "", {}});
    });
}

void Environment::log(LogEntry entry) {
    if (!attempt) return host.log(entry);
    attempt->keep([this, entry = std::move(entry)] { host.log(entry); });
}

void Environment::do_when_certain(std::function<void()> effect) {
    if (!attempt) return effect();
    attempt->keep(std::move(effect));
}

void Environment::deprecation(const std::string& key, const std::string& message, const Location* at) {
    if (!settings.deprecations) return;
    const std::string where = !at                ? "(file & line not available)"
                              : at->file.empty() ? "(file: unknown, line: " + std::to_string(at->line) + ")"
                              : at->line > 0
                                  ? "(file: " + at->file + ", line: " + std::to_string(at->line) + ")"
                                  : "(file: " + at->file + ")";
    warn_once(key, message + "\n   " + where);
}

const Builtin* Environment::find_builtin(std::string_view name) const {
    if (name.starts_with("::")) name.remove_prefix(2);
    if (const auto added = builtins_.find(name); added != builtins_.end()) return added->second;
    const auto found = language_builtins().find(name);
    return found == language_builtins().end() ? nullptr : found->second;
}

}  // namespace volley
