#include "apply/agent/types/concat/fragment_order.hpp"

#include <algorithm>
#include <compare>

#include "apply/agent/values/errors.hpp"

namespace volley::agent {
namespace {

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Of any number of digits.
std::strong_ordering compare_numbers(const std::string& one, const std::string& other) {
    const auto digits = [](const std::string& text) {
        return text.substr(std::min(text.find_first_not_of('0'), text.size()));
    };
    const std::string first = digits(one), second = digits(other);
    if (first.size() != second.size()) return first.size() <=> second.size();
    return first.compare(second) <=> 0;
}

std::strong_ordering compare_parts(const std::string& one, const std::string& other) {
    if (is_number(one) != is_number(other)) throw ApplyError("comparison of Array with Array failed");
    return is_number(one) ? compare_numbers(one, other) : one.compare(other) <=> 0;
}

}  // namespace

void sort_fragments(std::vector<Fragment>& fragments, bool numeric) {
    std::sort(fragments.begin(), fragments.end(), [numeric](const Fragment& one, const Fragment& other) {
        const auto by_order =
            numeric ? compare_parts(one.order, other.order) : one.order.compare(other.order) <=> 0;
        if (std::is_neq(by_order)) return std::is_lt(by_order);
        return numeric ? std::is_lt(compare_parts(one.name, other.name)) : one.name < other.name;
    });
}

}  // namespace volley::agent
