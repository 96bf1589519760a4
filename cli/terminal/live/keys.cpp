#include "cli/terminal/live/keys.hpp"

#include <utility>

namespace volley::cli {
namespace {

constexpr char escape = '\x1b';

bool is_final(char c) noexcept { return c >= '@' && c <= '~'; }

/// Of an escape sequence, by its last byte; others mean nothing here.
void add_arrow(std::vector<KeyPress>& keys, char last) {
    if (last == 'A') keys.push_back({Key::Up});
    if (last == 'B') keys.push_back({Key::Down});
    if (last == 'C') keys.push_back({Key::Right});
    if (last == 'D') keys.push_back({Key::Left});
}

}  // namespace

std::vector<KeyPress> KeyReader::add(std::string_view bytes) {
    std::vector<KeyPress> keys;
    const std::string all =
        (std::exchange(escape_pending_, false) ? std::string(1, escape) : "") + std::string(bytes);
    for (std::size_t at = 0; at < all.size(); ++at) {
        const char c = all[at];
        if (c == '\r' || c == '\n') {
            keys.push_back({Key::Enter});
        } else if (c != escape) {
            if (c >= ' ' && c <= '~') keys.push_back({Key::Letter, c});
        } else if (at + 1 == all.size()) {
            escape_pending_ = !bytes.empty();
            if (bytes.empty()) keys.push_back({Key::Escape});
        } else if (all[at + 1] != '[' && all[at + 1] != 'O') {
            keys.push_back({Key::Escape});
        } else {
            at += 2;
            while (at < all.size() && !is_final(all[at])) ++at;
            if (at < all.size()) add_arrow(keys, all[at]);
        }
    }
    return keys;
}

}  // namespace volley::cli
