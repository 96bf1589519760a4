// The tree of any program or template, as PN: printing it loses nothing. Its text is read back and compared
// with the tree's other form, JSON. Trees of which the checks say that they mean nothing are left out: a
// parameter without a name is a key that PN does not have, for Puppet too.
#include "language/syntax/pn.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "language/compile.hpp"
#include "language/errors.hpp"
#include "tests/fuzz/bounded.hpp"
#include "tests/language/pn_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    volley::LanguageSettings settings = volley::testing::bounded_settings();
    settings.tasks = true;
    try {
        const auto checked = volley::check_program(
            text, settings, {.file = {}, .epp = data[0] % 2 == 1, .file_namespace = {}});
        for (const volley::Diagnostic& found : checked.diagnostics) {
            if (found.severity != volley::Severity::Warning) return 0;
        }
        const volley::Pn pn = volley::to_pn(*checked.program);
        if (volley::testing::PnReader::read(pn.text()) != pn.json()) std::abort();
    } catch (const volley::LanguageError&) {
    }
    return 0;
}
