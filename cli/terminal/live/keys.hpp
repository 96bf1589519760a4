#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace volley::cli {

enum class Key { Up, Down, Left, Right, Enter, Escape, Letter };

struct KeyPress {
    Key key = Key::Letter;
    char letter = 0;  ///< of Key::Letter
};

/// Makes keys of the bytes that a terminal sends for them.
class KeyReader {
public:
    /// The keys in `bytes`, with what was left over before. An escape that stands at the end is the key of
    /// that name when nothing follows it by the next call.
    std::vector<KeyPress> add(std::string_view bytes);

private:
    bool escape_pending_ = false;
};

}  // namespace volley::cli
