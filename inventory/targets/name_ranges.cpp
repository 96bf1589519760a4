#include "inventory/targets/name_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "inventory/groups/validation_error.hpp"
#include "support/text.hpp"

namespace volley::inventory {
namespace {

constexpr std::size_t longest_number = 18;  // digits that fit

bool is_number(std::string_view text) noexcept {
    return !text.empty() && text.size() <= longest_number &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

long number_of(std::string_view text) {
    long number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

void check_count(std::size_t count, std::string_view text) {
    if (count <= most_range_names) return;
    throw_validation_error(fmt::format("'{}' stands for more than {} targets", text, most_range_names), {},
                           {});
}

/// The numbers of one bracket, written out. `whole` is for messages.
std::vector<std::string> numbers_of(std::string_view list, std::string_view whole) {
    std::vector<std::string> numbers;
    for (const std::string& part : split(list, ',')) {
        const std::size_t dash = part.find('-');
        const std::string first = part.substr(0, dash);
        const std::string last = dash == std::string::npos ? first : part.substr(dash + 1);
        const long begin = number_of(first);
        const long end = number_of(last);
        if (end < begin)
            throw_validation_error(fmt::format("'{}': the range {} runs backwards", whole, part), {}, {});
        check_count(static_cast<std::size_t>(end - begin) + 1, whole);
        for (long number = begin; number <= end; ++number)
            numbers.push_back(fmt::format("{:0{}}", number, first.size()));
        check_count(numbers.size(), whole);
    }
    return numbers;
}

}  // namespace

bool is_number_list(std::string_view text) noexcept {
    while (true) {
        const std::size_t comma = text.find(',');
        const std::string_view part = text.substr(0, comma);
        const std::size_t dash = part.find('-');
        if (!is_number(part.substr(0, dash))) return false;
        if (dash != std::string_view::npos && !is_number(part.substr(dash + 1))) return false;
        if (comma == std::string_view::npos) return true;
        text.remove_prefix(comma + 1);
    }
}

std::optional<std::vector<std::string>> names_in_ranges(std::string_view text) {
    std::vector<std::string> names{""};
    bool ranges = false;
    std::string_view rest = text;
    while (true) {
        const std::size_t open = rest.find('[');
        if (rest.substr(0, open).find_first_of("*?]{}") != std::string_view::npos) return std::nullopt;
        for (std::string& name : names) name += rest.substr(0, open);
        if (open == std::string_view::npos) break;
        const std::size_t close = rest.find(']', open);
        if (close == std::string_view::npos) return std::nullopt;
        const std::string_view list = rest.substr(open + 1, close - open - 1);
        if (!is_number_list(list)) return std::nullopt;
        const std::vector<std::string> numbers = numbers_of(list, text);
        check_count(names.size() * numbers.size(), text);
        std::vector<std::string> longer;
        longer.reserve(names.size() * numbers.size());
        for (const std::string& name : names) {
            for (const std::string& number : numbers) longer.push_back(name + number);
        }
        names = std::move(longer);
        ranges = true;
        rest.remove_prefix(close + 1);
    }
    if (!ranges) return std::nullopt;
    return names;
}

}  // namespace volley::inventory
