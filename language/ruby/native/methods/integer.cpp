#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/characters.hpp"
#include "language/ruby/native/text/numbers.hpp"

/// Integer but its operators.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

std::int64_t integer_of_self(const Call& call) { return call.self.integer(); }

Object integer_times(const Call& call) {
    if (!call.block) return enumerator(call, "times");
    for (std::int64_t at = 0; at < integer_of_self(call); ++at) {
        call.machine.step();
        yield(call, Object(at));
    }
    return call.self;
}

Object integer_upto(const Call& call) {
    if (!call.block) return enumerator(call, "upto");
    const Object& last = call.arguments[0];
    if (last.is(Kind::Float)) not_native("Integer#upto with a Float");
    if (!last.is(Kind::Integer)) raise_not_comparable(call.self, last);
    for (std::int64_t at = integer_of_self(call); at <= last.integer(); ++at) {
        call.machine.step();
        yield(call, Object(at));
    }
    return call.self;
}

Object integer_downto(const Call& call) {
    if (!call.block) return enumerator(call, "downto");
    const Object& last = call.arguments[0];
    if (last.is(Kind::Float)) not_native("Integer#downto with a Float");
    if (!last.is(Kind::Integer)) raise_not_comparable(call.self, last);
    for (std::int64_t at = integer_of_self(call); at >= last.integer(); --at) {
        call.machine.step();
        yield(call, Object(at));
    }
    return call.self;
}

Object integer_step(const Call& call) {
    for (const Object& argument : call.arguments) {
        if (!argument.is(Kind::Integer)) not_native("Integer#step with such arguments");
    }
    if (call.arguments.empty()) not_native("Integer#step without a limit");
    const std::int64_t last = call.arguments[0].integer();
    const std::int64_t by = call.arguments.size() > 1 ? call.arguments[1].integer() : 1;
    if (by == 0) raise_argument("step can't be 0");
    if (!call.block) return enumerator(call, "step");
    for (std::int64_t at = integer_of_self(call); by > 0 ? at <= last : at >= last;) {
        call.machine.step();
        yield(call, Object(at));
        if (__builtin_add_overflow(at, by, &at)) break;
    }
    return call.self;
}

Object integer_digits(const Call& call) {
    const std::int64_t base = call.arguments.empty() ? 10 : to_integer(call.arguments[0]);
    if (base < 0) raise_argument("negative radix");
    if (base < 2) raise_argument("invalid radix " + std::to_string(base));
    if (integer_of_self(call) < 0) throw Raised{"Math::DomainError", "out of domain"};
    std::vector<Object> digits;
    std::int64_t rest = integer_of_self(call);
    do {
        digits.emplace_back(rest % base);
        rest /= base;
    } while (rest > 0);
    return list(call, std::move(digits));
}

Object integer_to_text(const Call& call) {
    const std::int64_t base = call.arguments.empty() ? 10 : to_small_integer(call.arguments[0]);
    if (base < 2 || base > 36) raise_argument("invalid radix " + std::to_string(base));
    return text(call, digits_of(integer_of_self(call), static_cast<int>(base)));
}

Object integer_character(const Call& call) {
    if (!call.arguments.empty()) not_native("Integer#chr with an encoding");
    if (integer_of_self(call) < 0 || integer_of_self(call) > 0xff)
        raise_range(std::to_string(integer_of_self(call)) + " out of char range");
    if (integer_of_self(call) > 0x7f) not_native("Integer#chr of a byte that is not a character");
    return text(call, std::string(1, static_cast<char>(integer_of_self(call))));
}

template <Rounding rounding>
Object integer_round(const Call& call) {
    if (keyword(call, "half")) not_native("round(half: ...)");
    expect_arguments(call.arguments.size(), 0, 1);
    return round_integer(integer_of_self(call),
                         call.arguments.empty() ? 0 : to_small_integer(call.arguments[0]), rounding);
}

std::int64_t integer_argument(const Call& call) {
    if (!call.arguments[0].is(Kind::Integer)) {
        if (call.arguments[0].is(Kind::Foreign) || call.arguments[0].is(Kind::Host))
            not_native("an object of Puppet as a number");
        raise_type("not an integer");
    }
    return call.arguments[0].integer();
}

Object integer_gcd(const Call& call) {
    const std::int64_t other = integer_argument(call);
    if (integer_of_self(call) == std::numeric_limits<std::int64_t>::min() ||
        other == std::numeric_limits<std::int64_t>::min())
        not_native("a number beyond 64 bits");
    return Object(std::gcd(integer_of_self(call), other));
}

Object integer_lcm(const Call& call) {
    const std::int64_t common = integer_gcd(call).integer();
    const std::int64_t other = call.arguments[0].integer();
    if (common == 0 || integer_of_self(call) == 0 || other == 0) return Object(std::int64_t{0});
    return multiply_integers(std::abs(integer_of_self(call) / common), std::abs(other));
}

Object integer_bit_length(const Call& call) {
    const auto bits = static_cast<std::uint64_t>(integer_of_self(call) < 0 ? ~integer_of_self(call)
                                                                           : integer_of_self(call));
    return size_object(static_cast<std::size_t>(std::bit_width(bits)));
}

Object integer_absolute(const Call& call) {
    return integer_of_self(call) < 0 ? subtract_integers(0, integer_of_self(call)) : call.self;
}

Object integer_mask(const Call& call) {
    if (!call.arguments[0].is(Kind::Integer)) not_native("bits of such objects");
    return call.arguments[0];
}

template <class Test>
Object integer_bits(const Call& call, Test test) {
    const std::int64_t mask = integer_mask(call).integer();
    return Object(test(integer_of_self(call) & mask, mask));
}

Object integer_itself(const Call& call) { return call.self; }
Object integer_next(const Call& call) { return add_integers(integer_of_self(call), 1); }

constexpr Method integer_table[] = {
    {"abs", 0, 0, integer_absolute},
    {"allbits?", 1, 1,
     [](const Call& call) { return integer_bits(call, [](auto bits, auto mask) { return bits == mask; }); }},
    {"anybits?", 1, 1,
     [](const Call& call) { return integer_bits(call, [](auto bits, auto) { return bits != 0; }); }},
    {"bit_length", 0, 0, integer_bit_length},
    {"ceil", 0, 1, integer_round<Rounding::Up>},
    {"chr", 0, 1, integer_character},
    {"digits", 0, 1, integer_digits},
    {"downto", 1, 1, integer_downto},
    {"even?", 0, 0, [](const Call& call) { return Object(integer_of_self(call) % 2 == 0); }},
    {"finite?", 0, 0, [](const Call&) { return Object(true); }},
    {"floor", 0, 1, integer_round<Rounding::Down>},
    {"gcd", 1, 1, integer_gcd},
    {"infinite?", 0, 0, [](const Call&) { return Object(); }},
    {"inspect", 0, 1, integer_to_text},
    {"integer?", 0, 0, [](const Call&) { return Object(true); }},
    {"lcm", 1, 1, integer_lcm},
    {"magnitude", 0, 0, integer_absolute},
    {"negative?", 0, 0, [](const Call& call) { return Object(integer_of_self(call) < 0); }},
    {"next", 0, 0, integer_next},
    {"nobits?", 1, 1,
     [](const Call& call) { return integer_bits(call, [](auto bits, auto) { return bits == 0; }); }},
    {"nonzero?", 0, 0, [](const Call& call) { return integer_of_self(call) == 0 ? Object() : call.self; }},
    {"odd?", 0, 0, [](const Call& call) { return Object(integer_of_self(call) % 2 != 0); }},
    {"ord", 0, 0, integer_itself},
    {"positive?", 0, 0, [](const Call& call) { return Object(integer_of_self(call) > 0); }},
    {"pred", 0, 0, [](const Call& call) { return subtract_integers(integer_of_self(call), 1); }},
    {"real?", 0, 0, [](const Call&) { return Object(true); }},
    {"round", 0, 2, integer_round<Rounding::HalfUp>},
    {"size", 0, 0, [](const Call&) { return Object(std::int64_t{8}); }},
    {"step", 0, 2, integer_step},
    {"succ", 0, 0, integer_next},
    {"times", 0, 0, integer_times},
    {"to_f", 0, 0, [](const Call& call) { return Object(static_cast<double>(integer_of_self(call))); }},
    {"to_i", 0, 0, integer_itself},
    {"to_int", 0, 0, integer_itself},
    {"to_s", 0, 1, integer_to_text},
    {"truncate", 0, 1, integer_round<Rounding::ToZero>},
    {"upto", 1, 1, integer_upto},
    {"zero?", 0, 0, [](const Call& call) { return Object(integer_of_self(call) == 0); }},
};

}  // namespace

Table integer_methods() { return integer_table; }

}  // namespace volley::ruby::methods
