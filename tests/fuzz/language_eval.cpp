// Programs made of the input's bytes end in a value or in an error; a value equals itself and its type
// accepts it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <span>

#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/serialization/rich_data.hpp"
#include "language/types/type.hpp"
#include "tests/fuzz/bounded.hpp"
#include "tests/language/generator.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string code = volley::testing::Generator(std::span(data, size)).program();
    volley::LanguageHost host;
    volley::Environment environment(host, volley::testing::bounded_settings());
    try {
        volley::Evaluator evaluator(environment);
        const volley::Value value = evaluator.run(volley::compile_program(code, environment));
        static_cast<void>(volley::to_rich_json(value));
        if (!volley::is_instance(*volley::infer_set(value), value)) std::abort();
    } catch (const volley::LanguageError&) {
    }
    return 0;
}
