#include <algorithm>

#include "language/syntax/lexer/characters.hpp"
#include "language/time/time_text.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

struct Zone {
    std::string_view name;
    int minutes;  // east of UTC
};

/// The abbreviations that Ruby's date library knows and that people use.
constexpr Zone time_zones[] = {
    {"utc", 0},
    {"gmt", 0},
    {"ut", 0},
    {"wet", 0},
    {"est", -300},
    {"edt", -240},
    {"cst", -360},
    {"cdt", -300},
    {"mst", -420},
    {"mdt", -360},
    {"pst", -480},
    {"pdt", -420},
    {"akst", -540},
    {"akdt", -480},
    {"hst", -600},
    {"hdt", -540},
    {"hast", -600},
    {"hadt", -540},
    {"ast", -240},
    {"adt", -180},
    {"nst", -210},
    {"ndt", -150},
    {"art", -180},
    {"brt", -180},
    {"brst", -120},
    {"clt", -240},
    {"clst", -180},
    {"bst", 60},
    {"cet", 60},
    {"cest", 120},
    {"met", 60},
    {"mez", 60},
    {"mewt", 60},
    {"mest", 120},
    {"mesz", 120},
    {"swt", 60},
    {"wat", 60},
    {"west", 60},
    {"wast", 120},
    {"eet", 120},
    {"eest", 180},
    {"sast", 120},
    {"sst", -660},
    {"bt", 180},
    {"eat", 180},
    {"msk", 180},
    {"msd", 240},
    {"ist", 330},
    {"cct", 390},
    {"sgt", 480},
    {"wadt", 480},
    {"jst", 540},
    {"kst", 540},
    {"east", -360},
    {"gst", 600},
    {"eadt", 660},
    {"nzst", 720},
    {"nzt", 720},
    {"nzdt", 780},
    {"idle", 720},
    {"idlw", -720},
    {"eastern", -300},
    {"central", -360},
    {"mountain", -420},
    {"pacific", -480},
    {"alaskan", -540},
    {"hawaiian", -600},
    {"atlantic", -240},
    {"newfoundland", -210},
    {"greenwich", 0},
    {"w. europe", 60},
    {"romance", 60},
    {"central europe", 60},
    {"e. europe", 120},
    {"tokyo", 540},
};

/// A to M without J are east of UTC, N to Y west of it, Z is UTC.
std::optional<int> military_minutes(char letter) {
    if (letter == 'z') return 0;
    if (letter >= 'a' && letter <= 'i') return (letter - 'a' + 1) * 60;
    if (letter >= 'k' && letter <= 'm') return (letter - 'k' + 10) * 60;
    if (letter >= 'n' && letter <= 'y') return -(letter - 'n' + 1) * 60;
    return std::nullopt;
}

std::optional<int> named_minutes(std::string_view name) {
    if (name.size() == 1) return military_minutes(name[0]);
    const auto* found = std::find_if(std::begin(time_zones), std::end(time_zones),
                                     [name](const Zone& zone) { return zone.name == name; });
    return found == std::end(time_zones) ? std::nullopt : std::optional(found->minutes);
}

int digits_value(std::string_view digits) {
    int value = 0;
    for (const char c : digits.substr(0, 4)) value = value * 10 + (c - '0');
    return value;
}

std::size_t digit_count(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    return end - at;
}

/// "+2", "+02", "+0230", "+02:30", "+02:30:15", "+2.5"
int numeric_offset(std::string_view text) {
    const int sign = text[0] == '-' ? -1 : 1;
    text.remove_prefix(1);
    const std::size_t hours = digit_count(text, 0);
    std::string_view rest = text.substr(hours);
    if (rest.empty()) {
        const std::size_t first = hours <= 2 ? hours : 2 - hours % 2;
        const int minutes = hours > 2 ? digits_value(text.substr(first, 2)) : 0;
        const int seconds = hours > 4 ? digits_value(text.substr(first + 2, 2)) : 0;
        return sign * (digits_value(text.substr(0, first)) * 3600 + minutes * 60 + seconds);
    }
    const int whole = digits_value(text.substr(0, hours)) * 3600;
    if (rest[0] != ':') {
        double scale = 3600;
        double part = 0;
        for (const char c : rest.substr(1)) part += (c - '0') * (scale /= 10);
        return sign * (whole + static_cast<int>(part));
    }
    rest.remove_prefix(1);
    const std::size_t minutes = digit_count(rest, 0);
    const int seconds = minutes < rest.size() ? digits_value(rest.substr(minutes + 1)) : 0;
    return sign * (whole + digits_value(rest.substr(0, minutes)) * 60 + seconds);
}

std::size_t numeric_length(std::string_view text, std::size_t at) {
    const std::size_t begin = at;
    if (at >= text.size() || (text[at] != '+' && text[at] != '-')) return 0;
    std::size_t count = digit_count(text, ++at);
    if (count == 0) return 0;
    at += count;
    const bool colon = at < text.size() && text[at] == ':';
    if (at < text.size() && (colon || text[at] == ',' || text[at] == '.') && digit_count(text, at + 1) > 0) {
        at += 1 + digit_count(text, at + 1);
        if (at < text.size() && text[at] == ':' && digit_count(text, at + 1) > 0)
            at += 1 + digit_count(text, at + 1);
    }
    return at - begin;
}

}  // namespace

std::size_t zone_length(std::string_view text) {
    const std::string low = lower(text);
    for (const std::string_view prefix : {"gmt", "utc", "ut", ""}) {
        if (!low.starts_with(prefix)) continue;
        if (const std::size_t length = numeric_length(text, prefix.size()); length > 0)
            return prefix.size() + length;
    }
    for (const std::string_view word : {"standard time", "daylight time"}) {
        const std::size_t at = low.find(word);
        const bool name = at != std::string::npos && at > 0 &&
                          std::all_of(low.begin(), low.begin() + static_cast<std::ptrdiff_t>(at),
                                      [](char c) { return is_lower(c) || c == '.' || is_space(c); });
        if (name) return at + word.size();
    }
    std::size_t end = 0;
    while (end < low.size() && is_lower(low[end])) ++end;
    if (end > 0 && low.substr(end, 4) == " dst") end += 4;
    return end < low.size() && is_word(low[end]) ? 0 : end;
}

std::optional<int> zone_offset(std::string_view zone) {
    std::string name = lower(zone.substr(0, zone_length(zone)));
    if (name.empty()) return std::nullopt;
    for (const std::string_view prefix : {"gmt", "utc", "ut", ""}) {
        if (name.starts_with(prefix) && numeric_length(name, prefix.size()) > 0)
            return numeric_offset(std::string_view(name).substr(prefix.size()));
    }
    int summer = 0;
    for (const std::string_view suffix : {" standard time", " daylight time", " dst"}) {
        if (!name.ends_with(suffix)) continue;
        name.resize(name.size() - suffix.size());
        summer = suffix == " standard time" ? 0 : 3600;
        break;
    }
    const auto minutes = named_minutes(name);
    return minutes ? std::optional(*minutes * 60 + summer) : std::nullopt;
}

}  // namespace volley
