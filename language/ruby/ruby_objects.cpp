#include "language/ruby/ruby_objects.hpp"

#include <atomic>

#include "language/types/types.hpp"

namespace volley {
namespace {

/// Never used twice: a number of one environment means nothing in another.
std::uint64_t next_kept_number() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace

std::uint64_t RubyObjects::keep(const Value& object) {
    const auto known = numbers_.find(object.shared());
    if (known != numbers_.end()) return known->second;
    const std::uint64_t number = next_kept_number();
    by_number_.emplace(number, object);
    numbers_.emplace(object.shared(), number);
    return number;
}

const Value* RubyObjects::find(std::uint64_t number) const {
    const auto found = by_number_.find(number);
    return found == by_number_.end() ? nullptr : &found->second;
}

RubyObjects::Use::~Use() {
    if (--objects_.users_ > 0) return;
    objects_.numbers_.clear();
    objects_.by_number_.clear();
}

TypePtr RubyValue::type() const {
    return make_shared_object<types::TextType>(TypeKind::Runtime, std::vector<std::string>{"ruby", class_});
}

bool RubyValue::equals(const Shared& other) const {
    const auto* that = dynamic_cast<const RubyValue*>(&other);
    return that && that->number_ == number_;
}

}  // namespace volley
