#include "language/ruby/ruby_runner.hpp"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/legacy.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/context.hpp"
#include "language/ruby/ruby.hpp"
#include "language/ruby/ruby_block.hpp"
#include "language/ruby/ruby_questions.hpp"
#include "language/ruby/worker_encoding.hpp"
#include "language/types/types.hpp"
#include "support/process/child_process.hpp"

namespace volley {
namespace {

/// References among the arguments are resources for functions of the older API.
bool has_reference(const Value& value) {
    const NestingGuard guard;
    if (value.is_array()) return std::any_of(value.as_array().begin(), value.as_array().end(), has_reference);
    if (value.is_hash()) {
        return std::any_of(value.as_hash().begin(), value.as_hash().end(), [](const Hash::Entry& entry) {
            return has_reference(entry.key) || has_reference(entry.value);
        });
    }
    return legacy_resource(value).has_value();
}

std::string ruby_function_text(std::string_view name, const std::string& path) {
    return "The function '" + std::string(name) + "' (" + path + ")";
}

bool is_lookup_context(const Value& value) {
    return value.is(Kind::Object) && dynamic_cast<const lookup::LookupContext*>(value.shared()) != nullptr;
}

/// The arity of the lambda as Ruby counts it; null without one.
Json ruby_block(const CallContext& context) {
    if (!context.block) return {};
    const TypePtr type = context.block->type();
    const auto& parameters = as<types::TupleType>(*as<types::CallableType>(*type).parameters);
    const TypePtr size = parameters.size_range();
    const auto& [least, most] = std::pair(types::range(*size).from, types::range(*size).to);
    return least == most ? least : -least - 1;
}

std::string_view ruby_strictness(Strictness strict) {
    return strict == Strictness::Error ? "error" : strict == Strictness::Warning ? "warning" : "off";
}

/// The Ruby that the native part is, in what it prints and compares.
constexpr std::string_view native_version = "3.1.";

std::string other_version_text(const std::string& version) {
    return "Ruby " + version +
           " is on PATH. Ruby code that runs natively prints as Ruby 3.1 does, such as {\"a\"=>1}, where "
           "this one may print {\"a\" => 1} or other messages";
}

std::uint64_t next_ruby_serial() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

}  // namespace

RubyRunner::Function* RubyRunner::find(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    auto known = functions_.find(name);
    if (known == functions_.end()) {
        auto source = environment_.host.ruby_function_source(name);
        std::optional<Function> function;
        if (source) function.emplace(Function{std::move(*source), nullptr, nullptr});
        known = functions_.emplace(std::string(name), std::move(function)).first;
    }
    return known->second ? &*known->second : nullptr;
}

RubyRunner::RubyRunner(Environment& environment)
    : serial_(next_ruby_serial()), environment_(environment), native_(ruby::make_native_ruby()) {}
RubyRunner::~RubyRunner() = default;

bool RubyRunner::have_ruby() const { return environment_.settings.ruby && !find_program("ruby").empty(); }

std::shared_ptr<RubyWorker> RubyRunner::worker(const Reason& reason) {
    // What runs natively around this begins anew there, so that nothing happens twice.
    if (native_ && native_->inside()) throw ruby::NotNative{reason.why.empty() ? reason.what : reason.why};
    const auto because = [&reason] {
        if (reason.why.empty()) return std::string();
        return " (" + (reason.line > 0 ? "line " + std::to_string(reason.line) + ": " : "") + reason.why +
               ")";
    };
    if (!environment_.settings.ruby)
        throw EvalError("", reason.what + " needs Ruby" + because() + ", which is turned off (--no-ruby)");
    auto worker = RubyWorker::current();
    if (!worker)
        throw EvalError("",
                        reason.what + " needs Ruby" + because() + ", and there is no program 'ruby' on PATH");
    if (worker->settings_of == serial_) return worker;
    Json libs = Json::array();
    for (const LanguageHost::Module& module : environment_.host.modules())
        libs.push_back(module.path + "/lib");
    const LanguageSettings& settings = environment_.settings;
    const Json setup{{"op", "setup"},
                     {"libs", std::move(libs)},
                     {"settings",
                      {{"strict", ruby_strictness(settings.strict)},
                       {"strict_variables", settings.strict_variables},
                       {"environment", settings.environment},
                       {"digest_algorithm", settings.digest_algorithm},
                       {"tasks", settings.tasks}}}};
    const Json version = worker->request(setup, {}, settings.ruby_timeout, reason.what, wait());
    worker->settings_of = serial_;
    if (native() && version.is_string() && !version.get<std::string>().starts_with(native_version))
        environment_.log(
            {Severity::Debug, other_version_text(version.get<std::string>()), "", {}, "RUBY_VERSION"});
    return worker;
}

RubyWorker::Wait RubyRunner::wait() {
    auto* waiter = dynamic_cast<InputWaiter*>(&environment_.host);
    if (!waiter) return {};
    return [waiter](int descriptor, std::chrono::steady_clock::time_point deadline) {
        waiter->wait_for_input(descriptor, deadline);
    };
}

RubyQuestions RubyRunner::questions(CallContext& context, const RubySignature* signature) {
    return {context, signature, set_by_ruby_, native_.get(), objects_};
}

Json RubyRunner::request(CallContext& context, const Json& message, const Reason& reason,
                         const RubySignature* signature) {
    RubyQuestions asked = questions(context, signature);
    const auto answer = [&asked](const Json& question) {
        try {
            return asked.answer(question);
        } catch (const RubyBlockRaised& raised) {
            std::rethrow_exception(raised.error);
        }
    };
    return worker(reason)->request(message, answer, environment_.settings.ruby_timeout, reason.what, wait(),
                                   [&asked](const Error& error) { return asked.describe(error); });
}

Value RubyRunner::call_block(CallContext& context, const Json& number, std::span<const Value> arguments) {
    const RubyObjects::Use use(objects_);
    RubyQuestions values = questions(context);
    const Json message{{"op", "block"}, {"number", number}, {"args", values.encode_all(arguments)}};
    return values.decode(request(context, message, {"A Ruby block"}));
}

const ruby::FunctionFile& RubyRunner::native_file(Function& function) {
    if (!function.native)
        function.native = native_->function_file(function.source.path, function.source.legacy);
    return *function.native;
}

ruby::NativeRuby* RubyRunner::native(Reason* reason) const {
    if (!native_ && reason) reason->why = "this program is built without native Ruby";
    return environment_.settings.native_ruby ? native_.get() : nullptr;
}

bool RubyRunner::runs_natively(CallContext& context, Function& function, Reason& reason) {
    if (!native(&reason)) return false;
    if (context.block)
        reason.why = "a lambda";
    else if (function.ran_in_worker && native_file(function).constants_may_change)
        reason.why = "constants that it may have changed";
    else
        return true;
    return false;
}

std::optional<Value> RubyRunner::native_value(ruby::NativeOutcome outcome, Reason& reason,
                                              const std::string& template_path, bool is_template) {
    if (outcome.value) return std::move(outcome.value);
    if (!outcome.raised) {
        reason.why = outcome.why;
        reason.line = outcome.line;
        return std::nullopt;
    }
    // The worker knows the place of an exception better; without one this has to do.
    const ruby::NativeException& raised = *outcome.raised;
    const bool again = have_ruby();
    if (native_->inside() && again) throw ruby::NotNative{"an exception"};
    native_->settle(!again);
    if (again) return std::nullopt;
    if (raised.origin && !is_template) std::rethrow_exception(raised.origin);
    RubyFault fault;
    fault.message = raised.message;
    if (is_template) {
        fault.template_file = template_path.empty() ? "(erb)" : template_path;
        fault.template_line = std::to_string(outcome.line);
    }
    throw RubyError(std::move(fault));
}

const RubySignature& RubyRunner::signature(CallContext& context, std::string_view name, Function& function) {
    if (function.signature) return *function.signature;
    Reason reason{ruby_function_text(name, function.source.path)};
    if (native(&reason)) {
        const ruby::FunctionFile& file = native_file(function);
        if (file.signature) {
            function.signature = std::make_unique<RubySignature>(*file.signature, environment_);
            return *function.signature;
        }
        if (file.obstacle) {
            reason.why = file.obstacle->why;
            reason.line = file.obstacle->line;
        }
    }
    const Json data = request(context, {{"op", "load"}, {"path", function.source.path}}, reason);
    // Somebody else may have asked for it meanwhile, and uses what was found.
    if (!function.signature) function.signature = std::make_unique<RubySignature>(data, environment_);
    return *function.signature;
}

Value RubyRunner::call_legacy(CallContext& context, std::string_view name, std::span<const Value> arguments) {
    return call_legacy(context, name, *find(name), arguments);
}

Value RubyRunner::call_legacy(CallContext& context, std::string_view name, Function& function,
                              std::span<const Value> arguments) {
    Reason reason{ruby_function_text(name, function.source.path)};
    if (runs_natively(context, function, reason) &&
        std::none_of(arguments.begin(), arguments.end(), has_reference)) {
        const ruby::FunctionFile& file = native_file(function);
        if (!file.obstacle) check_legacy_arity(name, file.arity, arguments.size());
        if (auto value =
                native_value(native_->call_legacy(context, file, arguments, set_by_ruby_), reason, "", false))
            return std::move(*value);
    }
    function.ran_in_worker = true;
    const RubyObjects::Use use(objects_);
    RubyQuestions values = questions(context);
    const Json message{{"op", "call_legacy"},
                       {"path", function.source.path},
                       {"args", values.encode_all(arguments)},
                       {"block", ruby_block(context)}};
    return values.decode(request(context, message, reason));
}

std::optional<TypePtr> RubyRunner::result_type(CallContext& context, std::string_view name,
                                               const std::vector<Value>& arguments) {
    Function& function = *find(name);
    if (function.source.legacy) return TypePtr();
    // Compatibility: without a Ruby what only it can read has no type.
    const bool read_natively = native() && native_file(function).signature;
    if (!read_natively && !have_ruby()) return TypePtr();
    const RubySignature& takes = signature(context, name, function);
    return takes.own_call() ? TypePtr() : takes.set().result_type(arguments);
}

Value RubyRunner::call(CallContext& context, std::string_view name, std::vector<Value> arguments) {
    Function& function = *find(name);
    if (function.source.legacy) return call_legacy(context, name, function, legacy_arguments(arguments));
    const RubySignature& takes = signature(context, name, function);
    std::optional<std::size_t> index;
    if (!takes.own_call()) index = takes.set().choose(name, arguments, context.block);
    Reason reason{ruby_function_text(name, function.source.path)};
    std::optional<Value> result;
    if (index && runs_natively(context, function, reason) && native_file(function).signature) {
        const ruby::FunctionFile& file = native_file(function);
        result = native_value(native_->call(context, file, file.methods[*index], arguments, set_by_ruby_),
                              reason, "", false);
    }
    if (!result) {
        function.ran_in_worker = true;
        const RubyObjects::Use use(objects_);
        RubyQuestions values = questions(context);
        // What a lookup calls may throw :no_such_key and must return data as they are.
        const bool in_lookup = std::any_of(arguments.begin(), arguments.end(), is_lookup_context) &&
                               environment_.lookup().adapter().current();
        const Json message{{"op", "call"},
                           {"path", function.source.path},
                           {"args", values.encode_all(arguments)},
                           {"index", index ? Json(*index) : Json()},
                           {"block", ruby_block(context)},
                           {"data", in_lookup}};
        result = values.decode(request(context, message, reason, &takes));
    }
    if (!index) return std::move(*result);
    if (takes.is_mismatch(*index))
        throw EvalError("",
                        "'" + std::string(name) + "' " + (result->is_string() ? result->as_string() : ""));
    takes.check_result(*index, *result);
    return std::move(*result);
}

/// The worker keeps the templates of files, and gets their variables at once: most need nothing else.
Json RubyRunner::render_request(CallContext& context, const std::string& text, const std::string& path,
                                const Reason& reason) {
    if (path.empty()) return {{"op", "render"}, {"text", encode_for_worker(Value(text))}, {"path", nullptr}};
    const std::shared_ptr<RubyWorker> running = worker(reason);
    RubyWorker::Template& known = running->templates[path];
    if (known.text != text || text.empty()) {
        const Json names = request(
            context, {{"op", "template"}, {"text", encode_for_worker(Value(text))}, {"path", path}}, reason);
        known.names.reset();
        if (names.is_array()) known.names = names.get<std::vector<std::string>>();
        known.text = text;
    }
    Json message{{"op", "render"}, {"path", path}};
    if (known.names) message["variables"] = questions(context).variables_named(*known.names);
    return message;
}

std::string RubyRunner::render(CallContext& context, const std::string& text, const std::string& path,
                               const std::string& name) {
    Reason reason{"The ERB template " + name};
    if (ruby::NativeRuby* const native = this->native(&reason)) {
        if (auto value = native_value(native->render(context, text, path, set_by_ruby_), reason, path, true))
            return value->as_string();
    }
    const RubyObjects::Use use(objects_);
    const Json result = request(context, render_request(context, text, path, reason), reason);
    const Value rendered = decode_from_worker(result, environment_.types);
    return rendered.is_string() ? rendered.as_string() : "";
}

}  // namespace volley
