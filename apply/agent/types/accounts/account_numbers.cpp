#include "apply/agent/types/accounts/account_numbers.hpp"

#include <string>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/values/whole_number.hpp"

namespace volley::agent {
namespace {

std::optional<std::int64_t> whole_part(double number) {
    if (!(number >= 0 && number < 4294967295.0)) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

std::optional<GroupEntry> group_with_number(std::int64_t number) {
    if (number < 0 || number >= 4294967295) return std::nullopt;
    return group_with(static_cast<gid_t>(number));
}

}  // namespace

Value number_if_digits(const Value& given) {
    if (!given.is_text() || given.text().find_first_not_of("-0123456789") != std::string::npos) return given;
    const auto number = whole_number(given.text());
    return number ? Value(*number) : given;
}

std::optional<gid_t> group_number(const Value& given) {
    const auto number =
        given.is(Value::Kind::Float) ? whole_part(given.number()) : whole_number(given.to_text());
    const auto found = number ? group_with_number(*number) : group_named(given.to_text());
    return found ? std::optional<gid_t>(found->gid) : std::nullopt;
}

}  // namespace volley::agent
