#include "language/ruby/native/native_ruby.hpp"

#include <mutex>
#include <unordered_map>

#include "language/errors.hpp"
#include "language/ruby/native/source.hpp"

namespace volley::ruby {
namespace {

/// The programs of templates, for all threads: by path, or by text when there is none.
std::shared_ptr<const Program> template_program(const std::string& text, const std::string& path) {
    struct Known {
        std::string text;
        std::shared_ptr<const Program> program;
    };
    constexpr std::size_t most = 5'000;
    static std::mutex mutex;
    static std::unordered_map<std::string, Known> programs;
    const std::string& key = path.empty() ? text : path;
    {
        const std::lock_guard lock(mutex);
        const auto known = programs.find(key);
        if (known != programs.end() && (path.empty() || known->second.text == text))
            return known->second.program;
    }
    auto program = compile_erb(text);
    const std::lock_guard lock(mutex);
    if (programs.size() >= most) programs.clear();
    programs[key] = {path.empty() ? "" : text, program};
    return program;
}

}  // namespace

NativeOutcome NativeRuby::run(CallContext& context, const Program& program, Self& self,
                              const std::function<Value(Run&)>& steps) {
    NativeOutcome outcome;
    if (program.obstacle) {
        outcome.why = program.obstacle->why;
        outcome.line = program.obstacle->line;
        return outcome;
    }
    if (state_.inside == 0) {
        state_.borrowed.shrink();
        state_.heap = std::make_unique<Heap>();
    }
    struct Inside {
        NativeState& state;
        std::size_t later;
        bool well = false;
        explicit Inside(NativeState& of) : state(of), later(of.later.size()) { ++state.inside; }
        ~Inside() {
            --state.inside;
            if (!well) state.later.resize(later);
            if (!well && state.inside == 0) state.forget();
        }
    };
    {
        Inside inside(state_);
        Run machine(program, self, *state_.heap);
        try {
            outcome.value = steps(machine);
            state_.check();
            inside.well = true;
        } catch (const NotNative& reason) {
            outcome.why = reason.why;
            outcome.line = reason.line > 0 ? reason.line : machine.line();
            return outcome;
        } catch (const LanguageError&
                     limit) {  // of a walk over a value, of a pattern; code's own errors are Raised
            outcome.why = limit.what();
            outcome.line = machine.line();
            return outcome;
        } catch (Raised& raised) {
            outcome.line = machine.line();
            try {
                state_.check();  // code around this may rescue it and go on
            } catch (const NotNative& reason) {
                outcome.why = reason.why;
                return outcome;
            }
            outcome.raised = std::move(raised);
            inside.well = true;  // what the code has logged before counts, when nobody runs it once more
            return outcome;
        }
    }
    if (state_.inside == 0) state_.commit(context);
    return outcome;
}

void NativeRuby::settle(bool happened) {
    if (state_.inside > 0) return;
    state_.forget();  // variables are of no use to who gets an error
    for (const auto& effect : std::exchange(state_.later, {})) {
        if (happened) effect();
    }
}

NativeOutcome NativeRuby::render(CallContext& context, const std::string& text, const std::string& path,
                                 const SetByRuby& set_by_ruby) {
    ScopeSelf scope(context, state_, set_by_ruby);
    TemplateSelf self(scope, path);
    const auto program = template_program(text, path);
    return run(context, *program, self, [](Run& machine) {
        const Object result = machine.run();
        if (!result.is(Object::Kind::String)) throw NotNative{"a template whose result is no text"};
        return to_value(result);
    });
}

NativeOutcome NativeRuby::call(CallContext& context, const FunctionFile& file, const std::string& method,
                               std::span<const Value> arguments, const SetByRuby& set_by_ruby) {
    ScopeSelf scope(context, state_, set_by_ruby);
    FunctionSelf self(scope);
    return run(context, *file.program, self, [&](Run& machine) {
        std::vector<Object> given;
        for (const Value& one : arguments) given.push_back(to_object(one, machine.heap()));
        return to_value(machine.call_method(method, given));
    });
}

NativeOutcome NativeRuby::call_legacy(CallContext& context, const FunctionFile& file,
                                      std::span<const Value> arguments, const SetByRuby& set_by_ruby) {
    ScopeSelf self(context, state_, set_by_ruby);
    return run(context, *file.program, self, [&](Run& machine) {
        std::vector<Object> given;
        for (const Value& one : arguments) given.push_back(to_object(one, machine.heap()));
        const Object list = machine.heap().array(std::move(given));
        const Object result = machine.call_method(FunctionFile::legacy_method, std::span(&list, 1));
        return file.returns_value ? to_value(result) : Value();
    });
}

}  // namespace volley::ruby
