#include "apply/agent/types/accounts/account_numbers.hpp"

#include <string>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/values/whole_number.hpp"

namespace volley::agent {

Value number_if_digits(const Value& given) {
    if (!given.is_text() || given.text().find_first_not_of("-0123456789") != std::string::npos) return given;
    const auto number = whole_number(given.text());
    return number ? Value(*number) : given;
}

std::optional<gid_t> group_number(const Value& given) {
    if (given.is(Value::Kind::Float)) {
        const double number = given.number();
        if (!(number >= 0 && number < 4294967295.0)) return std::nullopt;
        return static_cast<gid_t>(number);
    }
    const std::string text = given.to_text();
    const auto number = whole_number(text);
    return gid_of(number ? std::to_string(*number) : text);
}

}  // namespace volley::agent
