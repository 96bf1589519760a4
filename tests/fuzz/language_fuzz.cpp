// Anything that is not a program must end in a ParseError, and a program in its tree.
#include <cstddef>
#include <cstdint>
#include <string>

#include "language/errors.hpp"
#include "language/syntax/parser.hpp"
#include "language/syntax/pn.hpp"
#include "language/types/parse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    for (const bool epp : {false, true}) {
        try {
            static_cast<void>(
                volley::to_pn(*volley::parse_program(text, {.tasks = true, .epp = epp})).text());
        } catch (const volley::LanguageError&) {
        }
    }
    try {
        static_cast<void>(volley::to_string(*volley::parse_type(text)));
    } catch (const volley::LanguageError&) {
    }
    return 0;
}
