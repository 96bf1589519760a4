// The two readers of YAML: whatever the reader of common texts takes, the full one reads as the same events.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "support/text.hpp"
#include "support/yaml/common.hpp"
#include "tests/support/yaml/transcript.hpp"

namespace {

// A text of random bytes is hardly ever common, so half of the inputs are made of pieces.
constexpr std::string_view pieces[] = {"a",      "b",    "key: ", "- ",  "-",  " ",  "  ",   "\n", "\n  ",
                                       "\n    ", "\n- ", "'",     "\"",  "\\", "|",  "|-",   "[",  "]",
                                       "{",      "}",    ", ",    ":",   ": ", "#",  " # c", "~",  "1",
                                       "<<",     "\n\n", "é",     "---", "*a", "&a", "!t",   "=",  "\t"};

std::string made_of_pieces(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) text += pieces[static_cast<unsigned char>(byte) % std::size(pieces)];
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::string text = data[0] % 2 == 1 ? made_of_pieces(rest) : std::string(rest);
    // Both are given texts without such bytes (check_characters in support/yaml/reader.cpp).
    const auto refused = [](char c) {
        return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r';
    };
    if (!volley::is_utf8(text) || std::ranges::any_of(text, refused)) return 0;
    if (!volley::yaml::CommonYaml(text).read()) return 0;
    using volley::yaml::testing::transcript_of;
    if (transcript_of(text, false) != transcript_of(text, true)) std::abort();
    return 0;
}
