#include "language/lookup/key.hpp"

#include "language/errors.hpp"
#include "language/lookup/invocation.hpp"
#include "language/lookup_key.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::lookup {
namespace {

/// Compatibility: an index far beyond a list would make Ruby allocate it.
constexpr std::int64_t longest_undug_list = 10'000;

std::optional<Value> key_step(const std::string& key, const Value& segment, const Value& value) {
    if (segment.is(Kind::Integer) && value.is_array()) {
        const Array& items = value.as_array();
        const std::int64_t index = segment.as_integer();
        if (index < 0 || index >= static_cast<std::int64_t>(items.size())) return std::nullopt;
        return items[static_cast<std::size_t>(index)];
    }
    if (!value.is_hash()) {
        throw LookupError("Data Provider type mismatch: Got " + ruby_class(value) +
                          " when a hash-like object was expected to access value using '" +
                          ruby_to_s(segment) + "' from key '" + key + "'");
    }
    const Value* found = value.as_hash().find(segment);
    return found ? std::optional(*found) : std::nullopt;
}

}  // namespace

std::vector<Value> split_key(std::string_view key, const std::string& where) {
    try {
        return split_lookup_key(key, "Syntax error");
    } catch (const EvalError&) {
        throw LookupError("Syntax error " + where);
    }
}

std::optional<Value> dig_segments(const std::string& key, Invocation& invocation,
                                  const std::vector<Value>& segments, Value value) {
    const auto explained = invocation.explain_sub_key(segments);
    for (const Value& segment : segments) {
        const auto step_explained = invocation.explain(Explanation::Segment);
        std::optional<Value> next;
        if (!value.is_undef()) next = key_step(key, segment, value);
        if (!next) {
            invocation.report_not_found(ruby_to_s(segment));
            return std::nullopt;
        }
        value = *std::move(next);
        invocation.report_found(ruby_to_s(segment), value);
    }
    return value;
}

LookupKey::LookupKey(std::string key) : key_(std::move(key)) {
    segments_ = split_key(key_, "in key: '" + key_ + "'");
    root_ = ruby_to_s(segments_.front());
    segments_.erase(segments_.begin());
    const std::size_t separator = root_.find("::");
    if (separator != std::string::npos) module_ = root_.substr(0, separator);
}

std::optional<Value> LookupKey::dig(Invocation& invocation, const Value& value) const {
    return dotted() ? dig_segments(key_, invocation, segments_, value) : std::optional(value);
}

Value LookupKey::undig(Value value) const {
    for (auto segment = segments_.rbegin(); segment != segments_.rend(); ++segment) {
        if (segment->is(Kind::Integer) && segment->as_integer() >= 0 &&
            segment->as_integer() < longest_undug_list) {
            std::vector<Value> items(static_cast<std::size_t>(segment->as_integer()) + 1);
            items.back() = std::move(value);
            value = Value(std::move(items));
        } else {
            value = HashBuilder().set(*segment, std::move(value)).build();
        }
    }
    return value;
}

Value LookupKey::parts() const {
    std::vector<Value> all{Value(root_)};
    all.insert(all.end(), segments_.begin(), segments_.end());
    return all;
}

}  // namespace volley::lookup
