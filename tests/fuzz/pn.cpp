// The tree of any program or template, as PN: printing it loses nothing. Its text is read back and compared with
// the tree's other form, JSON.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "language/errors.hpp"
#include "language/syntax/parser.hpp"
#include "language/syntax/pn.hpp"
#include "tests/language/pn_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        const auto program = volley::parse_program(text, {.file = {}, .tasks = true, .epp = data[0] % 2 == 1});
        const volley::Pn pn = volley::to_pn(*program);
        if (volley::testing::PnReader::read(pn.text()) != pn.json()) std::abort();
    } catch (const volley::LanguageError&) {
    }
    return 0;
}
