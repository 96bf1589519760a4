#include <algorithm>
#include <limits>
#include <vector>

#include "language/errors.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/text/regexp.hpp"
#include "language/time/time_text.hpp"

namespace volley {
namespace {

constexpr std::int64_t timespan_text_second = 1'000'000'000;

struct Unit {
    char letter;
    int rank;  // the highest unit of a format is not cut to its usual range
    std::int64_t size;
    std::int64_t modulus;
    int width;
};

constexpr Unit units[] = {
    {'D', 0, 86400 * timespan_text_second, 0, 1},   {'H', 1, 3600 * timespan_text_second, 24, 2},
    {'M', 2, 60 * timespan_text_second, 60, 2},     {'S', 3, timespan_text_second, 60, 2},
    {'L', 4, timespan_text_second / 1000, 1000, 3}, {'N', 5, 1, timespan_text_second, 9}};

struct Piece {
    std::string literal;
    const Unit* unit = nullptr;
    char fill = '0';
    int width = -1;
};

const Unit* unit_of(char letter) {
    const auto* found = std::find_if(std::begin(units), std::end(units),
                                     [letter](const Unit& unit) { return unit.letter == letter; });
    return found == std::end(units) ? nullptr : found;
}

[[noreturn]] void bad_specifier(std::string_view format, std::size_t begin, std::size_t at) {
    throw EvalError("", "Bad format specifier '" + std::string(format.substr(begin, at - begin)) + "' in '" +
                            std::string(format) + "', at position " + std::to_string(at));
}

Piece read_piece(std::string_view format, std::size_t& at) {
    const std::size_t begin = at++;
    Piece piece;
    for (bool first = true; at < format.size(); ++at, first = false) {
        const char c = format[at];
        if (c == '%') {
            ++at;
            return {.literal = "%"};
        }
        if ((piece.unit = unit_of(c))) {
            ++at;
            return piece;
        }
        if (first && (c == '-' || c == '_')) {
            piece.fill = c == '_' ? ' ' : c;
        } else if (is_digit(c)) {
            if (first && c == '0') continue;
            piece.width = std::min((piece.width < 0 ? 0 : piece.width) * 10 + (c - '0'), 1000);
        } else {
            bad_specifier(format, begin, at);
        }
    }
    bad_specifier(format, begin, at - 1);
}

std::vector<Piece> pieces_of(std::string_view format) {
    std::vector<Piece> pieces;
    for (std::size_t at = 0; at < format.size();) {
        if (format[at] == '%') {
            pieces.push_back(read_piece(format, at));
            continue;
        }
        pieces.emplace_back();
        pieces.back().literal = format[at++];
    }
    return pieces;
}

int highest(const std::vector<Piece>& pieces) {
    int rank = 99;
    for (const Piece& piece : pieces) {
        if (piece.unit) rank = std::min(rank, piece.unit->rank);
    }
    return rank;
}

bool is_fraction(const Piece& piece) { return piece.unit->letter == 'N' || piece.unit->letter == 'L'; }

std::string escaped_literal(const std::string& literal) {
    std::string escaped;
    for (const char c : literal) {
        if (!is_word(c) && static_cast<unsigned char>(c) < 0x80) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

/// What a piece of a format takes when a text is read. `total`: the first of the highest unit, of any length.
std::string piece_pattern(const Piece& piece, bool total) {
    const std::string digit = piece.fill == ' ' ? "[0-9\\s]" : "[0-9]";
    if (piece.width >= 0) {
        const std::string width = std::to_string(piece.width);
        return piece.fill == '-' ? "[0-9]{1," + width + "}" : digit + "{" + width + "}";
    }
    if (total) return piece.fill == ' ' ? "\\s*[0-9]+" : "[0-9]+";
    return digit + "{1," + std::to_string(piece.unit->width) + "}";
}

/// Nanoseconds; nullopt for what is not a number after all, or too large.
std::optional<std::int64_t> piece_value(const Piece& piece, std::string_view digits, bool total) {
    digits.remove_prefix(std::min(digits.find_first_not_of(" \t\n\r\f\v"), digits.size()));
    if (digits.empty() || digits.size() > 18 ||
        digits.find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    std::int64_t number = std::stoll(std::string(digits));
    if (!is_fraction(piece)) {
        if (number > std::numeric_limits<std::int64_t>::max() / piece.unit->size) return std::nullopt;
        return number * piece.unit->size;
    }
    if (total) {
        throw EvalError(
            "",
            "Format specifiers %L and %N denotes fractions and must be used together with a specifier of "
            "higher magnitude");
    }
    for (std::size_t length = digits.size(); length < 9; ++length) number *= 10;
    return number;
}

std::string justified(const std::string& digits, int width, bool left, char fill) {
    const std::size_t missing =
        digits.size() < static_cast<std::size_t>(width) ? static_cast<std::size_t>(width) - digits.size() : 0;
    return left ? digits + std::string(missing, fill) : std::string(missing, fill) + digits;
}

/// %L and %N: digits after a point. Compatibility: leading zeroes are lost, and what is missing is filled
/// with spaces on the right.
std::string fraction_text(const Piece& piece, std::int64_t nanoseconds, bool total) {
    const int width = piece.width > 0 ? piece.width : piece.unit->width;
    std::int64_t number = nanoseconds / piece.unit->size;
    std::int64_t modulus = piece.unit->modulus;
    if (piece.unit->letter == 'N' && width < 9) {
        modulus = 1;
        for (int i = 0; i < width; ++i) modulus *= 10;
        for (int i = width; i < 9; ++i) number /= 10;
    }
    if (!total) number %= modulus;
    std::string digits = std::to_string(number);
    if (!total && piece.fill != '0') digits.erase(std::max<std::size_t>(1, digits.find_last_not_of('0') + 1));
    return piece.fill == '-' ? digits : justified(digits, width, true, ' ');
}

std::string piece_text(const Piece& piece, std::int64_t nanoseconds, bool total) {
    if (piece.unit->letter == 'N' || piece.unit->letter == 'L')
        return fraction_text(piece, nanoseconds, total);
    std::int64_t number = nanoseconds / piece.unit->size;
    if (!total && piece.unit->modulus > 0) number %= piece.unit->modulus;
    if (piece.fill == '-') return std::to_string(number);
    const int width = piece.width >= 0 ? piece.width : piece.unit->width;
    return justified(std::to_string(number), width, false, piece.fill);
}

}  // namespace

std::string timespan_text(std::int64_t nanoseconds) {
    return format_timespan(nanoseconds, "%D-%H:%M:%S.%-N");
}

std::string format_timespan(std::int64_t nanoseconds, std::string_view format) {
    const std::vector<Piece> pieces = pieces_of(format);
    const int top = highest(pieces);
    const bool lowest = nanoseconds == std::numeric_limits<std::int64_t>::min();
    const std::int64_t magnitude = nanoseconds < 0 ? -(nanoseconds + (lowest ? 1 : 0)) : nanoseconds;
    std::string out = nanoseconds < 0 ? "-" : "";
    bool counted = false;  // the first of the highest unit shows the total, others what is left
    for (const Piece& piece : pieces) {
        const bool highest_unit = piece.unit && piece.unit->rank == top;
        const bool total = highest_unit && !counted;
        counted = counted || highest_unit;
        out += piece.unit ? piece_text(piece, magnitude, total) : piece.literal;
    }
    return out;
}

std::optional<std::int64_t> parse_timespan(std::string_view text, std::string_view format) {
    const std::vector<Piece> pieces = pieces_of(format);
    const auto total = std::find_if(
        pieces.begin(), pieces.end(),
        [top = highest(pieces)](const Piece& piece) { return piece.unit && piece.unit->rank == top; });
    std::string pattern = "\\A-?";
    for (auto piece = pieces.begin(); piece != pieces.end(); ++piece)
        pattern +=
            piece->unit ? "(" + piece_pattern(*piece, piece == total) + ")" : escaped_literal(piece->literal);
    const auto match = Regexp::compile(pattern + "\\z")->search(text);
    if (!match) return std::nullopt;
    std::int64_t sum = 0;
    std::size_t group = 0;
    for (auto piece = pieces.begin(); piece != pieces.end(); ++piece) {
        if (!piece->unit) continue;
        const auto part = piece_value(*piece, match->group(text, ++group), piece == total);
        if (!part || *part > std::numeric_limits<std::int64_t>::max() - sum) return std::nullopt;
        sum += *part;
    }
    return text.starts_with('-') ? -sum : sum;
}

}  // namespace volley
