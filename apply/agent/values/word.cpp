#include "apply/agent/values/word.hpp"

#include <set>

namespace volley::agent {

const std::string& Word::nothing() noexcept {
    static const std::string text;
    return text;
}

const std::string& Word::stored(std::string_view text) {
    static std::set<std::string, std::less<>> texts;
    if (text.empty()) return nothing();
    const auto found = texts.find(text);
    return found != texts.end() ? *found : *texts.emplace(text).first;
}

}  // namespace volley::agent
