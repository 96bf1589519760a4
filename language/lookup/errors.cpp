#include "language/lookup/errors.hpp"

#include "language/text/ruby_text.hpp"
#include "language/types/mismatch.hpp"

namespace volley::lookup {

void assert_instance(const std::string& subject, const Type& type, const Value& value) {
    if (is_instance(type, value)) return;
    throw DataError(describe_mismatch(subject + " has wrong type,", type.self(), infer_set(value)));
}

std::string shown(const Value& value) { return ruby_to_s(value); }

}  // namespace volley::lookup
