#include "language/loaders/environment_conf.hpp"

#include "support/text.hpp"

namespace volley {

std::map<std::string, std::string> parse_environment_conf(std::string_view text) {
    std::map<std::string, std::string> settings;
    for (const std::string& line : split(text, '\n')) {
        const std::string_view content = trim(line);
        const std::size_t equals = content.find('=');
        if (content.empty() || content[0] == '#' || content[0] == '[' || equals == std::string_view::npos)
            continue;
        std::string_view value = trim(content.substr(equals + 1));
        const bool quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
                            value.back() == value.front();
        if (quoted) value = value.substr(1, value.size() - 2);
        settings[std::string(trim(content.substr(0, equals)))] = std::string(value);
    }
    return settings;
}

}  // namespace volley
