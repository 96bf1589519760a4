#include "language/evaluator/annotations.hpp"

#include "language/errors.hpp"
#include "language/text/ruby_text.hpp"

namespace volley {

Value Annotations::find(const Value& object, const std::string& type) const {
    const auto known = entries_.find({object.shared(), type});
    return known == entries_.end() ? Value() : known->second.annotation;
}

void Annotations::set(const Value& object, const std::string& type, Value annotation) {
    if (!object.shared() || object.is_string()) {
        throw EvalError(
            "", "can't modify frozen " + std::string(kind_name(object.kind())) + ": " + ruby_inspect(object));
    }
    entries_.insert_or_assign({object.shared(), type}, Entry{object, std::move(annotation)});
}

Value Annotations::remove(const Value& object, const std::string& type) {
    const auto known = entries_.find({object.shared(), type});
    if (known == entries_.end()) return {};
    Value removed = std::move(known->second.annotation);
    entries_.erase(known);
    return removed;
}

}  // namespace volley
