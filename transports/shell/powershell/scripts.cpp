#include "transports/shell/powershell/scripts.hpp"

#include <stdexcept>

#include "support/text.hpp"

namespace volley::transports {
namespace {

struct EmbeddedScript {
    std::string_view name, text;
};

constexpr EmbeddedScript embedded[] = {
#include "transports/shell/powershell/scripts.inc"
};

std::string_view find_text(std::string_view name) {
    for (const EmbeddedScript& script : embedded)
        if (script.name == name) return script.text;
    throw std::logic_error("no script " + std::string(name));
}

}  // namespace

std::string powershell_text(std::string_view name) {
    std::string text;
    for (const std::string& line : split(find_text(name), '\n')) {
        const std::string_view words = trim(line);
        if (words.starts_with("#<")) {
            text += powershell_text(words.substr(2, words.size() - 3));
        } else if (!words.empty() && words.front() != '#') {
            text.append(words).append("\n");
        }
    }
    return text;
}

}  // namespace volley::transports
