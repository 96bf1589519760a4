#include "apply/types/ruby/datum.hpp"

#include "language/text/regexp.hpp"

namespace volley::ruby_source {

Datum Datum::integer(std::int64_t value) {
    Datum made = of(Kind::Integer);
    made.number = value;
    return made;
}

Datum Datum::string(std::string value, Kind kind) {
    Datum made = of(kind);
    made.text = std::move(value);
    return made;
}

Datum Datum::array(std::vector<Datum> items) {
    Datum made = of(Kind::Array);
    made.items = std::move(items);
    return made;
}

std::optional<bool> Datum::truth() const {
    if (unknown()) return std::nullopt;
    return kind != Kind::Nil && kind != Kind::False;
}

std::optional<std::string> Datum::to_text() const {
    switch (kind) {
        case Kind::Nil:
            return "";
        case Kind::True:
            return "true";
        case Kind::False:
            return "false";
        case Kind::Integer:
            return std::to_string(number);
        case Kind::Text:
        case Kind::Symbol:
        case Kind::Module:
            return text;
        case Kind::Pattern: {
            std::string on;
            std::string off;
            (options & Regexp::MultiLine ? on : off) += 'm';
            (options & Regexp::IgnoreCase ? on : off) += 'i';
            (options & Regexp::Extended ? on : off) += 'x';
            return "(?" + on + (off.empty() ? "" : "-" + off) + ":" + text + ")";
        }
        default:
            return std::nullopt;
    }
}

const Datum* Datum::at(std::string_view key) const {
    if (kind != Kind::Hash) return nullptr;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (items[i].is_text() && items[i].text == key) return &items[i + 1];
    }
    return nullptr;
}

std::optional<bool> equal(const Datum& left, const Datum& right) {
    if (left.unknown() || right.unknown()) return std::nullopt;
    if (left.kind != right.kind) return false;
    if (left.kind == Datum::Kind::Closure) return std::nullopt;
    if (left.items.size() != right.items.size()) return false;
    for (std::size_t i = 0; i < left.items.size(); ++i) {
        const auto same = equal(left.items[i], right.items[i]);
        if (!same || !*same) return same;
    }
    return left.text == right.text && left.number == right.number && left.options == right.options;
}

}  // namespace volley::ruby_source
