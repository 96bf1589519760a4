#include "language/ruby/ruby_functions.hpp"

#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/legacy.hpp"
#include "language/ruby/input_waiter.hpp"
#include "language/ruby/ruby_questions.hpp"
#include "language/ruby/wire.hpp"

namespace volley {
namespace {

Json ruby_wire_list(std::span<const Value> values) {
    Json list = Json::array();
    for (const Value& value : values) list.push_back(to_wire(value));
    return list;
}

std::string ruby_function_text(std::string_view name, const std::string& path) {
    return "The function '" + std::string(name) + "' (" + path + ")";
}

std::string_view ruby_strictness(Strictness strict) {
    return strict == Strictness::Error ? "error" : strict == Strictness::Warning ? "warning" : "off";
}

}  // namespace

RubyFunctions::Function* RubyFunctions::find(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    auto known = functions_.find(name);
    if (known == functions_.end()) {
        auto source = environment_.host.ruby_function_source(name);
        std::optional<Function> function;
        if (source) function.emplace(Function{std::move(*source), nullptr});
        known = functions_.emplace(std::string(name), std::move(function)).first;
    }
    return known->second ? &*known->second : nullptr;
}

std::shared_ptr<RubyWorker> RubyFunctions::worker(const std::string& what) {
    if (!environment_.settings.ruby)
        throw EvalError("", what + " needs Ruby, which is turned off (--no-ruby)");
    auto worker = RubyWorker::current();
    if (!worker) throw EvalError("", what + " needs Ruby to run, and there is no program 'ruby' on PATH");
    if (worker->settings_of == this) return worker;
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
    worker->request(setup, {}, settings.ruby_timeout, what, wait());
    worker->settings_of = this;
    return worker;
}

RubyWorker::Wait RubyFunctions::wait() {
    auto* waiter = dynamic_cast<InputWaiter*>(&environment_.host);
    if (!waiter) return {};
    return [waiter](int descriptor, std::chrono::steady_clock::time_point deadline) {
        waiter->wait_for_input(descriptor, deadline);
    };
}

Json RubyFunctions::request(CallContext& context, const Json& message, const std::string& what,
                            const RubySignature* signature) {
    RubyQuestions questions(context, signature, set_by_ruby_);
    return worker(what)->request(
        message, [&questions](const Json& question) { return questions.answer(question); },
        environment_.settings.ruby_timeout, what, wait());
}

const RubySignature& RubyFunctions::signature(CallContext& context, std::string_view name,
                                              Function& function) {
    if (!function.signature) {
        const Json data = request(context, {{"op", "load"}, {"path", function.source.path}},
                                  ruby_function_text(name, function.source.path));
        // Somebody else may have asked for it meanwhile, and uses what was found.
        if (!function.signature) function.signature = std::make_unique<RubySignature>(data, environment_);
    }
    return *function.signature;
}

Value RubyFunctions::call_legacy(CallContext& context, std::string_view name,
                                 std::span<const Value> arguments) {
    const Function& function = *find(name);
    const Json result = request(
        context, {{"op", "call_legacy"}, {"path", function.source.path}, {"args", ruby_wire_list(arguments)}},
        ruby_function_text(name, function.source.path));
    return from_wire(result, environment_.types);
}

Value RubyFunctions::call(CallContext& context, std::string_view name, std::vector<Value> arguments) {
    Function& function = *find(name);
    if (function.source.legacy) return call_legacy(context, name, legacy_arguments(arguments));
    const RubySignature& takes = signature(context, name, function);
    std::optional<std::size_t> index;
    if (!takes.own_call()) index = takes.set().choose(name, arguments, context.block);
    const Json message{{"op", "call"},
                       {"path", function.source.path},
                       {"args", ruby_wire_list(arguments)},
                       {"index", index ? Json(*index) : Json()},
                       {"block", context.block != nullptr}};
    const Value result =
        from_wire(request(context, message, ruby_function_text(name, function.source.path), &takes),
                  environment_.types);
    if (!index) return result;
    if (takes.is_mismatch(*index))
        throw EvalError("", "'" + std::string(name) + "' " + (result.is_string() ? result.as_string() : ""));
    takes.check_result(*index, result);
    return result;
}

/// The worker keeps the templates of files, and is told their variables at once: most need nothing else.
Json RubyFunctions::render_request(CallContext& context, const std::string& text, const std::string& path,
                                   const std::string& what) {
    if (path.empty()) return {{"op", "render"}, {"text", to_wire(Value(text))}, {"path", nullptr}};
    const std::shared_ptr<RubyWorker> running = worker(what);
    RubyWorker::Template& known = running->templates[path];
    if (known.text != text || text.empty()) {
        const Json names = request(context, {{"op", "template"}, {"text", to_wire(Value(text))}, {"path", path}}, what);
        known.names.reset();
        if (names.is_array()) known.names = names.get<std::vector<std::string>>();
        known.text = text;
    }
    Json message{{"op", "render"}, {"path", path}};
    if (known.names) message["variables"] = RubyQuestions(context, nullptr, set_by_ruby_).variables_named(*known.names);
    return message;
}

std::string RubyFunctions::render(CallContext& context, const std::string& text, const std::string& path,
                                  const std::string& name) {
    const std::string what = "The ERB template " + name;
    const Json result = request(context, render_request(context, text, path, what), what);
    const Value rendered = from_wire(result, environment_.types);
    return rendered.is_string() ? rendered.as_string() : "";
}

}  // namespace volley
