#include "language/ruby/native_ruby.hpp"

#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/ruby/native/program/function_file.hpp"
#include "language/ruby/native/program/source.hpp"
#include "language/ruby/native/puppet_self.hpp"
#include "language/ruby/ruby.hpp"

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

class InterpretedRuby final : public NativeRuby {
public:
    std::shared_ptr<const FunctionFile> function_file(const std::string& path, bool legacy) override {
        return ruby::function_file(path, legacy);
    }
    NativeOutcome render(CallContext& context, const std::string& text, const std::string& path,
                         const SetByRuby& set_by_ruby) override;
    NativeOutcome call(CallContext& context, const FunctionFile& file, const std::string& method,
                       std::span<const Value> arguments, const SetByRuby& set_by_ruby) override;
    NativeOutcome call_legacy(CallContext& context, const FunctionFile& file,
                              std::span<const Value> arguments, const SetByRuby& set_by_ruby) override;
    void settle(bool happened) override;
    bool inside() const noexcept override { return state_.inside > 0; }
    bool has_variables() const noexcept override { return !state_.variables.empty(); }
    Json hand_over(const Frame& frame, std::string_view name) override {
        return state_.variables.hand_over(frame, name);
    }

private:
    NativeOutcome run(CallContext& context, const Program& program, Self& self,
                      const std::function<Value(Run&)>& steps);

    NativeState state_;
};

NativeOutcome InterpretedRuby::run(CallContext& context, const Program& program, Self& self,
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
        Environment& environment;
        std::size_t later;
        bool well = false;
        Inside(NativeState& of, Environment& in) : state(of), environment(in), later(of.later.size()) {
            ++state.inside;
            environment.attempt = &state;
        }
        ~Inside() {
            if (--state.inside == 0) environment.attempt = nullptr;
            if (!well) state.later.resize(later);
            if (!well && state.inside == 0) state.forget();
        }
    };
    {
        Inside inside(state_, context.environment());
        Run machine(program, self, *state_.heap);
        try {
            if (!program.constants.empty() && !state_.loaded.contains(&program)) {
                machine.load_constants();
                state_.loaded.insert(&program);
            }
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
            outcome.raised = NativeException{std::move(raised.message), raised.origin};
            inside.well = true;  // what the code has logged before counts, when nobody runs it again
            return outcome;
        }
    }
    if (state_.inside == 0) state_.commit(context);
    return outcome;
}

void InterpretedRuby::settle(bool happened) {
    if (state_.inside > 0) return;
    state_.forget();  // variables are of no use to who gets an error
    for (const auto& effect : std::exchange(state_.later, {})) {
        if (happened) effect();
    }
}

NativeOutcome InterpretedRuby::render(CallContext& context, const std::string& text, const std::string& path,
                                      const SetByRuby& set_by_ruby) {
    ScopeSelf scope(context, state_, set_by_ruby);
    TemplateSelf self(scope, path);
    const auto program = template_program(text, path);
    return run(context, *program, self, [](Run& machine) {
        const Object result = machine.run();
        if (!result.is(Object::Kind::String)) throw NotNative{"a template whose result is not text"};
        return to_value(result);
    });
}

NativeOutcome InterpretedRuby::call(CallContext& context, const FunctionFile& file, const std::string& method,
                                    std::span<const Value> arguments, const SetByRuby& set_by_ruby) {
    ScopeSelf scope(context, state_, set_by_ruby);
    FunctionSelf self(scope);
    return run(context, *file.program, self, [&](Run& machine) {
        std::vector<Object> given;
        for (const Value& one : arguments) given.push_back(to_object(one, machine.heap()));
        return to_value(machine.call_method(method, given));
    });
}

NativeOutcome InterpretedRuby::call_legacy(CallContext& context, const FunctionFile& file,
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

}  // namespace

std::unique_ptr<NativeRuby> make_native_ruby() { return std::make_unique<InterpretedRuby>(); }

}  // namespace volley::ruby

namespace volley {

bool is_native_ruby(std::string_view text, bool erb) {
    return !(erb ? ruby::compile_erb(text) : ruby::compile_ruby(text))->obstacle;
}

}  // namespace volley
