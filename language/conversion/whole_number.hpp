#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace volley {

/// An integer of any size, as sprintf shows it: one of 64 bits, or the whole part of a Float.
class WholeNumber {
public:
    explicit WholeNumber(std::int64_t number);
    /// Without the fraction. Throws EvalError for infinity and NaN.
    explicit WholeNumber(double number);

    bool negative() const noexcept { return negative_; }
    bool zero() const noexcept { return words_.empty(); }
    /// Of the magnitude, in lower case; base 2, 8, 10 or 16.
    std::string digits(unsigned base) const;
    /// The number in two's complement, from one digit of the sign on: "f01" for -255. Base 2, 8 or 16.
    std::string complement(unsigned base) const;

private:
    std::string decimal() const;
    bool bit(std::size_t index) const noexcept;

    bool negative_ = false;
    std::vector<std::uint32_t> words_;  // of the magnitude, the lowest first; no zeroes at the end
};

}  // namespace volley
