// Renders each template, and calls each Ruby function, named on standard input natively and in the Ruby
// worker, with variables and arguments of all kinds, at random, and prints where the two differ. An
// argument is the number of tries for each (10).

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/ruby/ruby.hpp"
#include "language/text/regexp.hpp"
#include "language/text/text.hpp"
#include "support/files.hpp"
#include "tests/conformance/native_ruby/function_name.hpp"

namespace {

using namespace volley;

class Chance {
public:
    explicit Chance(unsigned seed) : engine_(seed) {}
    Value value(int depth = 0) {
        switch (engine_() % (depth > 1 ? 9U : 13U)) {
            case 0:
                return {};
            case 1:
                return engine_() % 2 == 0;
            case 2:
                return static_cast<std::int64_t>(engine_() % 70000);
            case 3:
                return 1.5;
            case 4:
                return "";
            case 5:
                return "a b-c.d/e";
            case 6:
                return "UNSET";
            case 7:
                return "10.0.0.1";
            case 8:
                return "two\nlines\n";
            case 9:
            case 10: {
                std::vector<Value> items(engine_() % 4);
                const bool alike = engine_() % 2 == 0;
                for (Value& item : items)
                    item = alike ? Value("item" + std::to_string(engine_() % 5)) : value(depth + 1);
                return items;
            }
            default: {
                HashBuilder hash;
                for (unsigned i = engine_() % 4; i > 0; --i)
                    hash.set(Value("key" + std::to_string(engine_() % 5)), value(depth + 1));
                return hash.build();
            }
        }
    }

private:
    std::mt19937 engine_;
};

struct Rendered {
    std::string text;
    bool failed = false;
};

/// Knows the one function that is called.
class OneFunction : public LanguageHost {
public:
    OneFunction(std::string path, std::string name) : path_(std::move(path)), name_(std::move(name)) {}
    std::optional<RubySource> ruby_function_source(std::string_view name) override {
        if (name != name_ || name.empty()) return std::nullopt;
        return RubySource{path_, path_.find("/parser/functions/") != std::string::npos};
    }

private:
    const std::string path_;
    const std::string name_;
};

Rendered render(const std::string& text, const std::string& path, unsigned seed, bool native) {
    const std::string function = tests::function_name(path);
    OneFunction host(path, function);
    LanguageSettings settings;
    settings.native_ruby = native;
    settings.ruby = !native;
    settings.strict = Strictness::Off;
    settings.strict_variables = false;
    settings.ruby_timeout = std::chrono::seconds(10);
    Environment environment(host, settings);
    Evaluator evaluator(environment);
    Chance chance(seed);
    static const auto name =
        Regexp::compile("@([a-z_]\\w*)|lookupvar\\(['\"]([a-z_]\\w*)['\"]\\)|scope\\[['\"]([a-z_]\\w*)['\"]");
    for (auto found = name->search(text); found;
         found = name->search(text, static_cast<std::size_t>(found->groups[0].end))) {
        for (const std::size_t group : {1U, 2U, 3U}) {
            const std::string variable(found->group(text, group));
            if (!variable.empty() && !evaluator.top()->find_here(variable))
                evaluator.top()->set(variable, chance.value());
        }
    }
    CallContext context{evaluator, evaluator.top(), nullptr, "template", {}};
    try {
        if (!function.empty()) {
            std::vector<Value> arguments;
            for (unsigned i = seed % 4; i > 0; --i) arguments.push_back(chance.value());
            return {to_program_text(environment.ruby().call(context, function, std::move(arguments))), false};
        }
        return {environment.ruby().render(context, text, path, path), false};
    } catch (const LanguageError& error) {
        return {error.what(), true};
    }
}

}  // namespace

int main(int count, char** arguments) {
    const unsigned tries = count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 10;
    std::size_t same = 0;
    std::size_t handed_over = 0;
    std::size_t different = 0;
    for (std::string path; std::getline(std::cin, path);) {
        const std::string text = volley::read_file(path, "a template");
        for (unsigned seed = 1; seed <= tries; ++seed) {
            const Rendered native = render(text, path, seed, true);
            if (native.failed && native.text.find("needs Ruby") != std::string::npos) {
                ++handed_over;
                if (seed == 1) std::printf("%s: %s\n", path.c_str(), native.text.c_str());
                continue;
            }
            const Rendered real = render(text, path, seed, false);
            // An exception is an exception: with a Ruby its message is the worker's.
            const bool fits = native.failed ? real.failed : !real.failed && native.text == real.text;
            ++(fits ? same : different);
            if (fits) continue;
            std::printf("DIFFERENT %s (try %u)\n  native: %s\n  ruby: %s\n", path.c_str(), seed,
                        native.text.c_str(), real.text.c_str());
        }
    }
    std::printf("%zu the same, %zu handed over, %zu different\n", same, handed_over, different);
    return different == 0 ? 0 : 1;
}
