#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "apply/agent/checksums/digest.hpp"
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

/// os-release(5) allows assignments only, but a shell reads it, which does more than that.
bool only_assigns(const std::string& text) {
    if (text.find_first_of("$`") != std::string::npos) return false;
    const std::vector<std::string> lines = split(text, '\n');
    return std::all_of(lines.begin(), lines.end(), [](const std::string& line) {
        const std::string_view plain = trim(line);
        const std::size_t name = plain.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        return plain.empty() || plain[0] == '#' || (name != std::string_view::npos && plain[name] == '=');
    });
}

/// Scripts whose every line is known to read these files only. Those in Python ask dpkg and apt, too.
std::optional<std::vector<std::string>> files_read_by_lsb_release(const std::string& program,
                                                                  const std::string&) {
    static constexpr std::array<std::string_view, 1> known = {
        // lsb-release-minimal 12.0, of Debian 12
        "484188f4b37b4021998dafd1966cda1c6f8207af9aee3ad51746a5d22acf3e65"};
    const FactHost host;
    const auto script = host.read(program);
    if (!script || std::find(known.begin(), known.end(), digest_of("sha256", *script)) == known.end())
        return std::nullopt;
    if (::getenv("LSB_OS_RELEASE") != nullptr) return std::nullopt;
    std::vector<std::string> files = {"/etc/os-release", "/usr/lib/os-release"};
    for (const std::string& file : files) {
        if (!only_assigns(host.read(file).value_or(""))) return std::nullopt;
    }
    return files;
}

const LastingQuestion lsb_question{"lsb_release", {"lsb_release", "-a"}, 20, files_read_by_lsb_release};

}  // namespace

void begin_lsb_fields(const FactHost& host) { host.begin_asking(lsb_question); }

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
    for (std::string& line : split(host.answer_to(lsb_question).value_or(""), '\n')) {
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
