// Any text as a template: it renders to a text, ends in an error that says where, or breaks out of it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "tests/fuzz/bounded.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const volley::Value text(std::string(reinterpret_cast<const char*>(data), size));
    volley::LanguageHost host;
    volley::Environment environment(host, volley::testing::bounded_settings());
    volley::Evaluator evaluator(environment);
    evaluator.top()->set("facts", volley::HashBuilder().set("os", "debian").build());
    evaluator.top()->set("x",
                         volley::Value(std::vector<volley::Value>{volley::Value(1), volley::Value("two")}));
    const volley::Value given = volley::HashBuilder().set("a", "given").set("b", 2).build();
    for (const bool with_parameters : {false, true}) {
        std::vector<volley::Value> arguments{text};
        if (with_parameters) arguments.push_back(given);
        try {
            const volley::Value made =
                evaluator.call("inline_epp", std::move(arguments), nullptr, evaluator.top(), {});
            // A text; a Sensitive when something in it is one. return() may end a template with something
            // else, and next() one that declares no parameters.
            if (made.is_string() || made.is(volley::Kind::Sensitive)) continue;
            const std::string& source = text.as_string();
            if (source.find("return") == std::string::npos && source.find("next") == std::string::npos) {
                std::abort();
            }
        } catch (const volley::LanguageError&) {
        } catch (const volley::Jump&) {  // break() ends the lambda around the call, as in Puppet; there is
                                         // none here
        }
    }
    return 0;
}
