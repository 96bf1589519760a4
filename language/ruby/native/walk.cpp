#include "language/ruby/native/walk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "language/ruby/native/text/characters.hpp"
#include "language/ruby/native/text/numbers.hpp"

namespace volley::ruby {
namespace {

using Kind = Object::Kind;

bool walk_is_digit(char c) { return c >= '0' && c <= '9'; }
bool walk_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Moves one letter or digit on; the character that is put in front when the whole text carries, or 0.
char succeed(char& c) {
    if (c == '9') {
        c = '0';
        return '1';
    }
    if (c == 'z' || c == 'Z') {
        c = c == 'z' ? 'a' : 'A';
        return c;
    }
    ++c;
    return 0;
}

bool all_digits(const std::string& text) { return std::all_of(text.begin(), text.end(), walk_is_digit); }

std::vector<Object> number_texts(const Call& call, const std::string& first, const std::string& last,
                                 bool exclusive) {
    std::vector<Object> items;
    const std::int64_t from = leading_integer(first, 10);
    const std::int64_t to = leading_integer(last, 10) - (exclusive ? 1 : 0);
    for (std::int64_t at = from; at <= to; ++at) {
        call.machine.step();
        std::string digits = std::to_string(at);
        if (digits.size() < first.size()) digits.insert(0, first.size() - digits.size(), '0');
        items.push_back(call.machine.heap().string(std::move(digits)));
    }
    return items;
}

/// Stands in for the program while an Enumerator's items are asked for: keeps what the block would have been
/// given.
class ItemCollector final : public Machine {
public:
    explicit ItemCollector(Machine& machine) : machine_(machine) {}
    const Closure& block() const {
        return *reinterpret_cast<const Closure*>(&marker_);
    }  // only its address is used
    std::vector<Object> items;

    Heap& heap() override { return machine_.heap(); }
    Object yield(const Closure& block_called, std::span<const Object> arguments) override {
        if (&block_called != &block()) return machine_.yield(block_called, arguments);
        machine_.step();
        heap().grown(sizeof(Object));
        items.push_back(arguments.size() == 1 ? arguments[0]
                                              : heap().array({arguments.begin(), arguments.end()}));
        return {};
    }
    Object send(const Object& self, std::string_view method, std::span<const Object> arguments,
                const Closure* block_given) override {
        return machine_.send(self, method, arguments, block_given);
    }
    void matched(const Object& match) override { machine_.matched(match); }
    void changes_manifest() override { machine_.changes_manifest(); }
    void step(std::size_t count) override { machine_.step(count); }

private:
    Machine& machine_;
    char marker_ = 0;
};

}  // namespace

std::string successor(const std::string& text) {
    if (!is_ascii(text)) not_native("String#succ beyond ASCII");
    if (text.empty()) return text;
    std::string out = text;
    std::size_t carried = std::string::npos;  // where the last letter or digit went back to its first
    char carry = 0;
    bool previous_counts = true;
    for (std::size_t at = out.size(); at-- > 0;) {
        char& c = out[at];
        if (!previous_counts && carried != std::string::npos) {
            // Letters after a sign do not count on digits in front of it, nor digits on letters.
            const char last = out[carried];
            if (walk_is_letter(last) ? walk_is_digit(c) : walk_is_digit(last) && walk_is_letter(c)) break;
        }
        previous_counts = walk_is_digit(c) || walk_is_letter(c);
        if (!previous_counts) continue;
        carry = succeed(c);
        if (carry == 0) return out;
        carried = at;
    }
    if (carried != std::string::npos) {
        out.insert(carried, 1, carry);
        return out;
    }
    if (out.back() == '\x7f') not_native("String#succ of control characters");
    ++out.back();
    return out;
}

std::optional<IntegerRange> integer_range(const Range& range) {
    if (!range.first.is(Kind::Integer)) return std::nullopt;
    const std::int64_t first = range.first.integer();
    if (range.last.is_nil()) return IntegerRange{first, 0, true};
    if (range.last.is(Kind::Float)) {
        const double last = range.last.number();
        if (std::isnan(last) || std::fabs(last) > 9e18) not_native("a range to such a Float");
        const double whole = std::floor(last);
        const auto end = static_cast<std::int64_t>(whole);
        return IntegerRange{first, range.exclusive && whole == last ? end - 1 : end, false};
    }
    if (!range.last.is(Kind::Integer)) return std::nullopt;
    const std::int64_t last = range.last.integer();
    if (range.exclusive && last == std::numeric_limits<std::int64_t>::min())
        return IntegerRange{first, first - 1, false};
    return IntegerRange{first, range.exclusive ? last - 1 : last, false};
}

std::vector<Object> range_texts(const Call& call, const std::string& first, const std::string& last,
                                bool exclusive) {
    std::vector<Object> items;
    constexpr std::size_t most_texts = 1'000'000;  // more take seconds
    const auto take = [&](std::string item) {
        call.machine.step();
        if (items.size() >= most_texts) not_native("a range of so many texts");
        items.push_back(call.machine.heap().string(std::move(item)));
    };
    if (!is_ascii(first) || !is_ascii(last)) not_native("a range of texts beyond ASCII");
    if (first.size() == 1 && last.size() == 1) {
        for (char c = first[0]; c < last[0] || (c == last[0] && !exclusive); ++c) {
            take(std::string(1, c));
            if (c == last[0]) break;
        }
        return items;
    }
    if (!first.empty() && !last.empty() && all_digits(first) && all_digits(last))
        return number_texts(call, first, last, exclusive);
    if (first > last || (exclusive && first == last)) return items;
    const std::string beyond = successor(last);
    std::string current = first;
    while (current != beyond) {
        const bool is_last = current == last;
        if (exclusive && is_last) break;
        take(current);
        if (is_last && exclusive) break;
        current = successor(current);
        if (exclusive && current == last) break;
        if (current.size() > last.size() || current.empty()) break;
    }
    return items;
}

std::vector<Object> items_of(const Call& call, const Object& self) {
    if (self.is(Kind::Array)) {
        call.machine.step(1 + self.array().items.size() / 16);
        call.machine.heap().grown(self.array().items.size() * sizeof(Object));
        return self.array().items;
    }
    if (self.is(Kind::Range) && self.range().last.is_nil() && self.range().first.is(Kind::Integer))
        raise_range("cannot convert endless range to an array");
    std::vector<Object> items;
    walk(call, self, [&](const Object& item) {
        call.machine.heap().grown(sizeof(Object));
        items.push_back(item);
        return true;
    });
    return items;
}

Object yield_item(const Call& call, const Object& item) {
    if (!call.self.is(Kind::Enumerator) || !item.is(Kind::Array)) return yield(call, item);
    const Enumerator& from = call.self.enumerator();
    const std::string& method = from.method;
    if (from.receiver.is(Kind::Hash) && (method == "select" || method == "filter" || method == "reject"))
        not_native("an Enumerator of Hash#select");
    const bool several = method == "each_with_index" || method == "with_index" ||
                         method == "each_with_object" || method == "with_object";
    return several ? call.machine.yield(*call.block, item.array().items) : yield(call, item);
}

std::vector<Object> enumerator_items(const Call& call, const Enumerator& enumerator) {
    const Method* const method = find_method(enumerator.receiver, enumerator.method);
    if (!method) not_native("an Enumerator of " + enumerator.method);
    ItemCollector collector(call.machine);
    invoke(*method, {collector, enumerator.receiver, enumerator.arguments, &collector.block()});
    return std::move(collector.items);
}

}  // namespace volley::ruby
