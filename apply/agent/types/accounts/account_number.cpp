#include "apply/agent/types/accounts/account_number.hpp"

#include <string>

#include "apply/agent/values/whole_number.hpp"

namespace volley::agent {

Value account_number(const Value& given) {
    if (!given.is_text() || given.text().find_first_not_of("-0123456789") != std::string::npos) return given;
    const auto number = whole_number(given.text());
    return number ? Value(*number) : given;
}

}  // namespace volley::agent
