#include "transports/shell/error_text.hpp"

namespace volley::transports {

std::string plain_error_text(std::string text) {
    const auto is_place = [](std::string_view word) {
        if (word.starts_with("line ")) word.remove_prefix(5);
        const bool number = !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
        return number || word == "sh" || word == "eval";
    };
    for (std::size_t at = text.find(": "); at != std::string::npos && is_place(text.substr(0, at));
         at = text.find(": "))
        text.erase(0, at + 2);
    constexpr std::string_view temporary = ".volley-";
    constexpr std::size_t uuid = 36;
    for (std::size_t at = text.find(temporary); at != std::string::npos; at = text.find(temporary)) {
        text.erase(at, temporary.size() + uuid);
        const bool in_folder = at > 0 && text[at - 1] == '/';
        if (in_folder && at > 1 && text[at - 2] != ' ') text.erase(at - 1, 1);  // but for the root itself
        if (!in_folder) text.insert(at, "the current directory");
    }
    return text;
}

}  // namespace volley::transports
