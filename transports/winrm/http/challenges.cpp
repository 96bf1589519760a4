#include "transports/winrm/http/challenges.hpp"

#include "support/text.hpp"

namespace volley::transports::winrm {
namespace {

/// `name=value` belongs to the challenge before it; a token ends in its padding only.
bool is_parameter(std::string_view part) noexcept {
    const std::size_t equals = part.find('=');
    const std::size_t space = part.find(' ');
    return equals != std::string_view::npos && equals < space;
}

std::string_view scheme_of(std::string_view challenge) noexcept {
    return challenge.substr(0, challenge.find(' '));
}

}  // namespace

void split_challenges(std::string_view header, std::vector<std::string>& challenges) {
    const std::size_t before = challenges.size();
    bool quoted = false;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= header.size(); ++at) {
        const bool end = at == header.size();
        if (!end && header[at] == '"') quoted = !quoted;
        if (!end && (header[at] != ',' || quoted)) continue;
        const std::string_view part = trim(header.substr(begin, at - begin));
        begin = at + 1;
        if (part.empty()) continue;
        if (is_parameter(part) && challenges.size() > before) {
            challenges.back().append(", ").append(part);
        } else {
            challenges.emplace_back(part);
        }
    }
}

std::string challenge_token(const std::vector<std::string>& challenges, std::string_view scheme) {
    for (const std::string& challenge : challenges) {
        const std::string_view name = scheme_of(challenge);
        if (lower(name) != lower(scheme) || name.size() == challenge.size()) continue;
        return std::string(trim(std::string_view(challenge).substr(name.size())));
    }
    return {};
}

std::string scheme_names(const std::vector<std::string>& challenges) {
    std::vector<std::string> names;
    for (const std::string& challenge : challenges) names.emplace_back(scheme_of(challenge));
    return join(names, ", ");
}

}  // namespace volley::transports::winrm
