// A type made of the input's bytes prints as a text that means the same, and accepts itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "language/errors.hpp"
#include "language/types/parse.hpp"
#include "language/types/type.hpp"
#include "tests/language/generator.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    volley::TypePtr type;
    try {
        type = volley::parse_type(volley::testing::Generator(std::span(data, size)).type(5));
    } catch (const volley::LanguageError&) {
        return 0;
    }
    if (!volley::same_type(*type, *volley::parse_type(volley::to_string(*type)))) std::abort();
    if (!volley::is_assignable(*type, *type)) std::abort();
    return 0;
}
