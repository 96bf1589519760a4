#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/system/system.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

std::string capitalized_word(std::string word) {
    word = lower(word);
    if (!word.empty()) word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
    return word;
}

/// The short name of a system: "Debian" of "Debian GNU/Linux", "RedHat" of "Red Hat Enterprise Linux".
std::string short_name(const std::string& name) {
    const std::string low = lower(name);
    std::vector<std::string> words;
    for (std::string& word : split(name, ' ')) {
        if (!word.empty()) words.push_back(std::move(word));
    }
    if (words.empty()) return name;
    const auto begins = [&](std::string_view word) { return low.starts_with(word); };
    std::string chosen = words[0];
    if (begins("red") || begins("oracle") || begins("arch") || begins("manjaro"))
        chosen += words.size() > 1 ? words[1] : "";
    else if (low.ends_with("mariner"))
        chosen = words.back();
    if (begins("arch") || begins("manjaro")) chosen = capitalized_word(chosen);
    if (begins("virtuozzo")) chosen += "Linux";
    return chosen;
}

}  // namespace

ReleaseFields release_fields(std::string_view text) {
    ReleaseFields fields;
    for (const std::string& line : split(text, '\n')) {
        std::string plain(trim(line));
        std::erase(plain, '"');
        const std::size_t equals = plain.find('=');
        if (equals != std::string::npos) fields[lower(plain.substr(0, equals))] = plain.substr(equals + 1);
    }
    if (const auto version = fields.find("version_id"); version != fields.end()) {
        if (version->second.find('.') == std::string::npos) version->second += ".0";
    }
    if (const auto id = fields.find("id"); id != fields.end()) {
        if (lower(id->second).find("opensuse") != std::string::npos) id->second = "opensuse";
    }
    if (const auto name = fields.find("name"); name != fields.end()) name->second = short_name(name->second);
    return fields;
}

Json release_parts(const std::string& version) {
    const std::vector<std::string> parts = split(version, '.');
    Json release{{"full", version}, {"major", parts[0]}};
    if (parts.size() > 1) release["minor"] = parts[1];
    return release;
}

ReleaseFields lsb_fields(const FactHost& host) {
    ReleaseFields fields;
    for (std::string& line : split(host.output_of({"lsb_release", "-a"}).value_or(""), '\n')) {
        std::erase(line, '\t');
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        std::string key = lower(line.substr(0, colon));
        std::replace(key.begin(), key.end(), ' ', '_');
        fields[key] = line.substr(colon + 1);
    }
    return fields;
}

}  // namespace volley::agent
