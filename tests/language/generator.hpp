#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace volley::testing {

/// Makes programs and types out of bytes: the same bytes make the same text. When the bytes are used up only
/// simple things follow, so that every text is finite. For property tests and fuzzers.
class Generator {
public:
    explicit Generator(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::string program() {
        std::string text;
        const unsigned statements = pick(4);
        for (unsigned i = 0; i < statements; ++i) {
            variables_ = i;
            text += "$v" + std::to_string(i) + " = " + expression(4) + "\n";
        }
        variables_ = statements;
        return text + expression(5) + "\n";
    }

    std::string expression(int depth) {
        if (depth <= 0 || bytes_.empty()) return literal();
        const auto sub = [this, depth] { return expression(depth - 1); };
        switch (pick(14)) {
            case 0:
                return "[" + sub() + ", " + sub() + "]";
            case 1:
                return "{ " + literal() + " => " + sub() + ", 'k' => " + sub() + " }";
            case 2:
            case 3:
                return "(" + sub() + " " + std::string(word(operators_)) + " " + sub() + ")";
            case 4:
                return "(!" + sub() + ")";
            case 5:
                return "if " + sub() + " { " + sub() + " } else { " + sub() + " }";
            case 6:
                return "case " + sub() + " { " + literal() + ": { " + sub() + " } default: { " + sub() +
                       " } }";
            case 7:
                return "(" + sub() + " ? { " + literal() + " => " + sub() + ", default => " + sub() + " })";
            case 8:
                return "\"a${" + sub() + "}b\"";
            case 9:
                return std::string(word(walks_)) + "([" + sub() + ", " + sub() + "]) |$x| { " + sub() + " }";
            case 10:
                return std::string(word(functions_)) + "(" + sub() + ")";
            case 11:
                return "(" + sub() + " =~ " + type(2) + ")";
            case 12:
                return "(" + sub() + ")[" + literal() + "]";
            default:
                return variables_ > 0 ? "$v" + std::to_string(pick(variables_)) : literal();
        }
    }

    /// The text of a type. Without those of which Puppet says that they do not accept themselves: NotUndef of
    /// what may be undef, and Variant of nothing.
    std::string type(int depth) {
        if (depth <= 0 || bytes_.empty()) return std::string(word(plain_types_));
        const auto sub = [this, depth] { return type(depth - 1); };
        switch (pick(14)) {
            case 0:
                return "Array[" + sub() + range() + "]";
            case 1:
                return "Hash[" + std::string(pick(2) ? "String" : "Integer") + ", " + sub() + range() + "]";
            case 2:
                return "Optional[" + sub() + "]";
            case 3:
                return "Variant[" + sub() + ", " + sub() + "]";
            case 4:
                return "Tuple[" + sub() + ", " + sub() + range() + "]";
            case 5:
                return "Struct[{ a => " + sub() + ", Optional[b] => " + sub() + " }]";
            case 6:
                return "Integer[" + std::to_string(pick(5)) + ", " + std::to_string(5 + pick(9)) + "]";
            case 7:
                return "String[" + std::to_string(pick(3)) + ", " + std::to_string(3 + pick(9)) + "]";
            case 8:
                return "Enum['a', 'B', '" + std::string(1, static_cast<char>('a' + pick(26))) + "']";
            case 9:
                return "Pattern[/^[a-z]+$/, /\\d/]";
            case 10:
                return "Type[Optional[" + sub() + "]]";
            case 11:
                return "Type[" + sub() + "]";
            case 12:
                return "Callable[" + sub() + ", " + sub() + "]";
            default:
                return "Iterable[" + sub() + "]";  // Sensitive forgets what its type has of values
        }
    }

private:
    using Words = std::span<const std::string_view>;

    unsigned pick(unsigned count) {
        if (bytes_.empty() || count == 0) return 0;
        const unsigned value = bytes_.front() % count;
        bytes_ = bytes_.subspan(1);
        return value;
    }

    std::string_view word(Words words) { return words[pick(static_cast<unsigned>(words.size()))]; }
    std::string literal() { return std::string(word(literals_)); }
    std::string range() {
        if (pick(2) == 0) return "";
        return ", " + std::to_string(pick(3)) + ", " + std::to_string(3 + pick(3));
    }

    static constexpr auto literals_ = std::to_array<std::string_view>({"undef",
                                                                       "true",
                                                                       "false",
                                                                       "0",
                                                                       "1",
                                                                       "-1",
                                                                       "7",
                                                                       "3.5",
                                                                       "-0.0",
                                                                       "1e10",
                                                                       "9223372036854775807",
                                                                       "'text'",
                                                                       "''",
                                                                       "'ä€𝄞'",
                                                                       "\"x\\ny\"",
                                                                       "default",
                                                                       "/a+/",
                                                                       "[]",
                                                                       "{}",
                                                                       "Integer",
                                                                       "String[1]",
                                                                       "'12'",
                                                                       "'0x1f'"});
    static constexpr auto operators_ = std::to_array<std::string_view>(
        {"+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", ">", "<=", ">=", "and", "or", "in"});
    static constexpr auto walks_ = std::to_array<std::string_view>(
        {"map", "filter", "each", "any", "all", "index", "partition", "group_by", "then", "with", "sort"});
    static constexpr auto functions_ = std::to_array<std::string_view>(
        {"type",    "String",       "size",      "length",     "empty", "keys",       "values",  "flatten",
         "unique",  "upcase",       "downcase",  "capitalize", "strip", "abs",        "Integer", "Float",
         "Array",   "Boolean",      "min",       "max",        "join",  "md5",        "unwrap",  "Sensitive",
         "Numeric", "reverse_each", "camelcase", "chop",       "chomp", "shellquote", "sprintf", "SemVer"});
    static constexpr auto plain_types_ = std::to_array<std::string_view>(
        {"Any",       "Undef",   "Default",     "Scalar",   "ScalarData", "Numeric",      "Integer",
         "Float",     "Boolean", "String",      "Regexp",   "Data",       "RichData",     "Collection",
         "Array",     "Hash",    "Iterable",    "Callable", "Type",       "CatalogEntry", "Timespan",
         "Timestamp", "SemVer",  "SemVerRange", "Binary",   "URI",        "File",         "Class['a']"});

    std::span<const std::uint8_t> bytes_;
    unsigned variables_ = 0;
};

}  // namespace volley::testing
