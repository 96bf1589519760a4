#include "language/flattened.hpp"

#include "language/errors.hpp"

namespace volley {

void flatten_into(const Value& value, std::vector<Value>& out) {
    if (!value.is_array()) {
        out.push_back(value);
        return;
    }
    const NestingGuard guard;
    for (const Value& item : value.as_array()) flatten_into(item, out);
}

std::vector<Value> flattened(const Value& value) {
    std::vector<Value> result;
    flatten_into(value, result);
    return result;
}

}  // namespace volley
