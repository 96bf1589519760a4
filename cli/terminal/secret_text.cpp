#include "cli/terminal/secret_text.hpp"

#include <algorithm>
#include <charconv>

#include "support/error.hpp"

namespace volley::cli {
namespace {

constexpr std::string_view cipher_begin = "ENC[PKCS7,";
constexpr std::string_view mark_begin = "DEC";
constexpr std::string_view value_begin = "::PKCS7[";
constexpr std::string_view value_end = "]!";

bool is_cipher_text(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/' || c == '=' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Where the block that begins at `begin` ends; npos when it is none. Blocks of YAML have line ends in it.
std::size_t end_of_cipher(std::string_view text, std::size_t begin) {
    std::size_t at = begin + cipher_begin.size();
    while (at < text.size() && is_cipher_text(text[at])) ++at;
    return at < text.size() && text[at] == ']' ? at + 1 : std::string_view::npos;
}

[[noreturn]] void broken(std::string_view text, std::size_t at, const std::string& what) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw Error("bolt/cli-error", "Line " + std::to_string(line) + " of the edited file " + what +
                                      ": the file stays as it was");
}

/// A mark "DEC(3)::PKCS7[" or "DEC::PKCS7["; length 0: the text is something else.
struct Mark {
    std::size_t length = 0;
    std::size_t number = 0;  // 0: a new value
};

Mark read_mark(std::string_view text) {
    std::string_view rest = text.substr(mark_begin.size());
    Mark mark;
    if (rest.starts_with('(')) {
        const std::size_t close = rest.find(')');
        if (close == std::string_view::npos) return {};
        const char* end = rest.data() + close;
        const auto [stopped, problem] = std::from_chars(rest.data() + 1, end, mark.number);
        if (problem != std::errc() || stopped != end || mark.number == 0) return {};
        rest.remove_prefix(close + 1);
    }
    if (!rest.starts_with(value_begin)) return {};
    mark.length = text.size() - rest.size() + value_begin.size();
    return mark;
}

}  // namespace

DecryptedText decrypt_values(std::string_view text, const Cipher& decrypt) {
    DecryptedText plain;
    std::size_t done = 0;
    for (std::size_t at = text.find(cipher_begin); at != std::string_view::npos;
         at = text.find(cipher_begin, at + 1)) {
        const std::size_t end = end_of_cipher(text, at);
        if (end == std::string_view::npos) continue;
        std::string ciphertext(text.substr(at, end - at));
        std::string plaintext = decrypt(ciphertext);
        plain.text += text.substr(done, at - done);
        plain.text += "DEC(" + std::to_string(plain.values.size() + 1) + ")::PKCS7[" + plaintext + "]!";
        plain.values.push_back({std::move(ciphertext), std::move(plaintext)});
        done = end;
    }
    plain.text += text.substr(done);
    return plain;
}

std::string encrypt_values(std::string_view edited, const DecryptedText& before, const Cipher& encrypt) {
    std::string out;
    std::size_t done = 0;
    for (std::size_t at = edited.find(mark_begin); at != std::string_view::npos;) {
        const Mark mark = read_mark(edited.substr(at));
        if (mark.length == 0) {
            at = edited.find(mark_begin, at + 1);
            continue;
        }
        if (mark.number > before.values.size())
            broken(edited, at,
                   "has the number " + std::to_string(mark.number) + ", but the file has no such value");
        out += edited.substr(done, at - done);
        const std::string_view rest = edited.substr(at + mark.length);
        const DecryptedText::Value* old = mark.number == 0 ? nullptr : &before.values[mark.number - 1];
        // The old value first: it may hold the end of a mark.
        std::size_t length = 0;
        if (old != nullptr && rest.starts_with(old->plaintext + std::string(value_end))) {
            length = old->plaintext.size();
            out += old->ciphertext;
        } else {
            length = rest.find(value_end);
            // A value that has the next mark in it has lost its end.
            if (length == std::string_view::npos || rest.substr(0, length).find(value_begin) < length)
                broken(edited, at, "starts a value that is not closed with ']!'");
            out += encrypt(std::string(rest.substr(0, length)));
        }
        done = at + mark.length + length + value_end.size();
        at = edited.find(mark_begin, done);
    }
    out += edited.substr(done);
    return out;
}

}  // namespace volley::cli
