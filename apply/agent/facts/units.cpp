#include "apply/agent/facts/units.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

namespace volley::agent {
namespace {

std::string two_decimals(double number) {
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.2f", number);
    return buffer.data();
}

/// Two decimals as Ruby rounds: 2.445 is 2.45, although the nearest floating point number is a little less.
double rounded_up(double number) {
    const double hundredths = std::round(number * 100);
    return ((hundredths + 0.5) / 100 <= number ? hundredths + 1 : hundredths) / 100;
}

}  // namespace

std::string human_bytes(std::uint64_t bytes) {
    static constexpr std::array<const char*, 6> units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) return std::to_string(bytes) + " bytes";
    std::size_t unit = 0;
    double number = static_cast<double>(bytes) / 1024;
    while (number >= 1024 && unit + 1 < units.size()) {
        number /= 1024;
        ++unit;
    }
    number = std::round(number * 100) / 100;
    if (number >= 1024 && unit + 1 < units.size()) {
        number = 1;
        ++unit;
    }
    return two_decimals(number) + " " + units.at(unit);
}

std::string human_hertz(std::uint64_t hertz) {
    static constexpr std::array<const char*, 5> units = {"Hz", "kHz", "MHz", "GHz", "THz"};
    if (hertz == 0) return {};
    double divisor = 1;
    std::size_t unit = 0;
    while (static_cast<double>(hertz) >= divisor * 1000 && unit + 1 < units.size()) {
        divisor *= 1000;
        ++unit;
    }
    return two_decimals(rounded_up(static_cast<double>(hertz) / divisor)) + " " + units.at(unit);
}

std::string percentage(std::uint64_t part, std::uint64_t whole) {
    return two_decimals(static_cast<double>(part) / static_cast<double>(whole) * 100) + "%";
}

std::uint64_t leading_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault == std::errc::result_out_of_range) return std::numeric_limits<std::uint64_t>::max();
    return number;
}

}  // namespace volley::agent
