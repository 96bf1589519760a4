#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/legacy.hpp"
#include "language/text/regexp.hpp"
#include "language/text/ruby_text.hpp"
#include "support/text.hpp"

namespace volley::builtins {
namespace {

void generate_check_path(const std::string& program) {
    static const auto allowed = Regexp::compile("^[-/\\w.+]+$");
    if (!program.starts_with('/')) throw EvalError("", "Generators must be fully qualified");
    if (!allowed->matches(program))
        throw EvalError("", "Generators can only contain alphanumerics, file separators, and dashes");
    if (program.find("..") != std::string::npos)
        throw EvalError("", "Can not use generators with '..' in them.");
}
void generate_add_words(const Value& value, std::vector<std::string>& words) {
    const NestingGuard guard;
    if (!value.is_array()) {
        words.push_back(ruby_to_s(value));
        return;
    }
    for (const Value& item : value.as_array()) generate_add_words(item, words);
}
Value generate_run(CallContext& context, std::span<const Value> args) {
    const std::string program = ruby_to_s(args[0]);
    generate_check_path(program);
    std::vector<std::string> words;
    for (const Value& value : args) generate_add_words(value, words);
    const auto result =
        context.environment().host.run_program(words, program.substr(0, program.rfind('/') + 1));
    if (result.status == 0) return result.output;
    throw EvalError("", "Failed to execute generator " + program + ": Execution of '" + join(words, " ") +
                            "' returned " + std::to_string(result.status) + ": " +
                            std::string(trim(result.output)));
}

}  // namespace

const Builtin& generate_builtin() {
    static const Builtin def{
        .name = "generate",
        .doc =
            "Runs a program on the controller, by its absolute path and without a shell, and returns what it "
            "printed. It must succeed.",
        .dispatches = {legacy_dispatch(generate_run)},
        .legacy_arity = -2,
    };
    return def;
}

}  // namespace volley::builtins
