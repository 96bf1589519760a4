#include "language/conversion/whole_number.hpp"

#include <algorithm>
#include <cmath>

#include "language/errors.hpp"
#include "language/text/text.hpp"

namespace volley {
namespace {

constexpr std::string_view whole_number_digits = "0123456789abcdef";

std::size_t bits_of_digit(unsigned base) { return base == 16 ? 4 : base == 8 ? 3 : 1; }

}  // namespace

WholeNumber::WholeNumber(std::int64_t number) : negative_(number < 0) {
    auto magnitude = negative_ ? ~static_cast<std::uint64_t>(number) + 1 : static_cast<std::uint64_t>(number);
    for (; magnitude > 0; magnitude >>= 32) words_.push_back(static_cast<std::uint32_t>(magnitude));
}

WholeNumber::WholeNumber(double number) : negative_(number < 0) {
    if (!std::isfinite(number)) throw EvalError("", float_text(number));
    double rest = std::trunc(std::fabs(number));
    constexpr double word = 4294967296.0;
    // Dividing by a power of two is exact.
    for (; rest > 0; rest = std::trunc(rest / word))
        words_.push_back(static_cast<std::uint32_t>(std::fmod(rest, word)));
    negative_ = negative_ && !words_.empty();
}

bool WholeNumber::bit(std::size_t index) const noexcept {
    const std::size_t word = index / 32;
    return word < words_.size() && (words_[word] >> (index % 32) & 1U) != 0;
}

std::string WholeNumber::decimal() const {
    constexpr std::uint64_t chunk = 1'000'000'000;
    std::vector<std::uint32_t> rest = words_;
    std::string reversed;
    while (!rest.empty()) {
        std::uint64_t remainder = 0;
        for (auto word = rest.rbegin(); word != rest.rend(); ++word) {
            const std::uint64_t part = (remainder << 32) | *word;
            *word = static_cast<std::uint32_t>(part / chunk);
            remainder = part % chunk;
        }
        while (!rest.empty() && rest.back() == 0) rest.pop_back();
        for (int i = 0; i < 9 && (remainder > 0 || !rest.empty()); ++i, remainder /= 10)
            reversed += whole_number_digits[remainder % 10];
    }
    return {reversed.rbegin(), reversed.rend()};
}

std::string WholeNumber::digits(unsigned base) const {
    if (zero()) return "0";
    if (base == 10) return decimal();
    const std::size_t size = bits_of_digit(base);
    std::string reversed;
    for (std::size_t at = 0; at < words_.size() * 32; at += size) {
        unsigned digit = 0;
        for (std::size_t i = 0; i < size; ++i) digit |= bit(at + i) ? 1U << i : 0U;
        reversed += whole_number_digits[digit];
    }
    reversed.resize(reversed.find_last_not_of('0') + 1);
    return {reversed.rbegin(), reversed.rend()};
}

std::string WholeNumber::complement(unsigned base) const {
    const std::size_t size = bits_of_digit(base);
    const char sign = whole_number_digits[base - 1];
    std::string reversed;
    bool carry = true;  // all bits turned round, plus one
    for (std::size_t at = 0; at < words_.size() * 32 + size; at += size) {
        unsigned digit = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const bool turned = !bit(at + i);
            digit |= turned != carry ? 1U << i : 0U;
            carry = carry && turned;
        }
        reversed += whole_number_digits[digit];
    }
    const std::size_t significant = reversed.find_last_not_of(sign);
    reversed.resize(significant == std::string::npos ? 0 : significant + 1);
    reversed += sign;
    return {reversed.rbegin(), reversed.rend()};
}

}  // namespace volley
