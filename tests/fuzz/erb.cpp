// Any text as an ERB template that runs natively: it renders, raises an exception of Ruby, or is not native.
#include <cstddef>
#include <cstdint>
#include <string>

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/ruby/ruby.hpp"
#include "tests/fuzz/bounded.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    volley::LanguageHost host;
    volley::Environment environment(host, volley::testing::bounded_settings());
    volley::Evaluator evaluator(environment);
    evaluator.top()->set("facts", volley::HashBuilder().set("os", "debian").build());
    evaluator.top()->set("x",
                         volley::Value(std::vector<volley::Value>{volley::Value(1), volley::Value("two")}));
    volley::CallContext context{evaluator, evaluator.top(), nullptr, "inline_template", {}};
    try {
        static_cast<void>(environment.ruby().render(context, text, "", "of the fuzzer"));
    } catch (const volley::LanguageError&) {
    }
    return 0;
}
