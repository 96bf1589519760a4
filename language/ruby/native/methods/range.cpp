#include <algorithm>
#include <cmath>

#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/numbers.hpp"
#include "language/ruby/native/walk.hpp"

namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

bool range_is_number(const Object& object) { return object.is(Kind::Integer) || object.is(Kind::Float); }

/// Whether a value lies between the ends, by <=>. Values that cannot be compared do not.
bool range_covers(const Range& range, const Object& value) {
    if (!range.first.is_nil()) {
        const auto low = compare(range.first, value);
        if (!low || *low > 0) return false;
    }
    if (range.last.is_nil()) return true;
    const auto high = compare(value, range.last);
    return high && (range.exclusive ? *high < 0 : *high <= 0);
}

Object range_case_equal(const Call& call) {
    return Object(range_covers(call.self.range(), call.arguments[0]));
}

Object range_cover(const Call& call) {
    if (call.arguments[0].is(Kind::Range)) not_native("cover? of a range");
    return range_case_equal(call);
}

Object range_include(const Call& call) {
    const Range& range = call.self.range();
    const Object& value = call.arguments[0];
    if (range_is_number(range.first) || range_is_number(range.last)) return range_case_equal(call);
    if (!range.first.is(Kind::String) || !range.last.is(Kind::String)) not_native("include? of such a range");
    if (!value.is(Kind::String)) return Object(false);
    bool found = false;
    walk_range(call, range, [&](const Object& item) { return !(found = equal(item, value)); });
    return Object(found);
}

Object range_each(const Call& call) {
    if (!call.block) return enumerator(call, "each");
    walk(call, call.self, [&](const Object& item) {
        yield(call, item);
        return true;
    });
    return call.self;
}

Object range_reverse_each(const Call& call) {
    if (!call.arguments.empty()) not_native("reverse_each with arguments");
    if (!call.block) return enumerator(call, "reverse_each");
    const auto numbers = integer_range(call.self.range());
    if (!numbers || numbers->endless) not_native("reverse_each of such a range");
    for (std::int64_t at = numbers->last; at >= numbers->first; --at) {
        call.machine.step();
        yield(call, Object(at));
    }
    return call.self;
}

Object range_step(const Call& call) {
    const auto numbers = integer_range(call.self.range());
    if (!numbers || call.arguments.empty() || !call.arguments[0].is(Kind::Integer))
        not_native("Range#step of such objects");
    const std::int64_t by = call.arguments[0].integer();
    if (by == 0) raise_argument("step can't be 0");
    if (by < 0) not_native("Range#step below 0");
    if (!call.block) return enumerator(call, "step");
    for (std::int64_t at = numbers->first; numbers->endless || at <= numbers->last;) {
        call.machine.step();
        yield(call, Object(at));
        if (__builtin_add_overflow(at, by, &at)) break;
    }
    return call.self;
}

/// The texts of a literal range are frozen, those of others are not; which it is, is not known here.
Object range_edge(const Object& edge) {
    if (edge.is(Kind::String) && edge.string().change != Change::Frozen)
        not_native("the end of a range of texts");
    return edge;
}

Object range_first(const Call& call) {
    const Range& range = call.self.range();
    if (range.first.is_nil()) raise_range("cannot get the first element of beginless range");
    if (call.arguments.empty()) return range_edge(range.first);
    const std::size_t count = to_count(call.arguments[0], "negative array size (or size too big)");
    std::vector<Object> items;
    if (count == 0) return list(call, {});
    walk(call, call.self, [&](const Object& item) {
        items.push_back(item);
        return items.size() < count;
    });
    return list(call, std::move(items));
}

Object range_last(const Call& call) {
    const Range& range = call.self.range();
    if (range.last.is_nil()) raise_range("cannot get the last element of endless range");
    if (call.arguments.empty()) return range_edge(range.last);
    const auto numbers = integer_range(range);
    // Compatibility: nobody looks at the argument then.
    if (numbers && !numbers->endless && numbers->last < numbers->first) return list(call, {});
    if (to_integer(call.arguments[0]) < 0) not_native("Range#last of a number below 0");
    const std::vector<Object> items = items_of(call, call.self);
    const std::size_t count = std::min(static_cast<std::size_t>(to_integer(call.arguments[0])), items.size());
    return list(call, {items.end() - static_cast<std::ptrdiff_t>(count), items.end()});
}

Object generic_extreme(const Call& call, std::string_view method) {
    const Object items = list(call, items_of(call, call.self));
    return call.machine.send(items, method, call.arguments, call.block);
}

Object range_min(const Call& call) {
    const Range& range = call.self.range();
    if (range.first.is_nil() || range.last.is_nil()) not_native("min of a range without an end");
    if (call.block || !call.arguments.empty()) return generic_extreme(call, "min");
    const auto order = compare(range.first, range.last);
    if (!order) return {};
    return *order > 0 || (*order == 0 && range.exclusive) ? Object() : range_edge(range.first);
}

Object range_max(const Call& call) {
    const Range& range = call.self.range();
    if (range.first.is_nil() || range.last.is_nil()) not_native("max of a range without an end");
    if (call.block || !call.arguments.empty() || (range.exclusive && !range_is_number(range.last)))
        return generic_extreme(call, "max");
    const auto order = compare(range.first, range.last);
    if (!order || *order > 0) return {};
    if (!range.exclusive) return range_edge(range.last);
    if (!range.last.is(Kind::Integer)) raise_type("cannot exclude non Integer end value");
    if (*order == 0) return {};
    if (!range.first.is(Kind::Integer)) raise_type("cannot exclude end value with non Integer begin value");
    return Object(range.last.integer() - 1);
}

Object range_minmax(const Call& call) {
    if (call.block) not_native("minmax with a block");
    const Object least = range_min(call);
    return pair(call, least, range_max(call));
}

Object range_size(const Call& call) {
    const Range& range = call.self.range();
    const auto numbers = integer_range(range);
    if (!numbers) {
        if (range_is_number(range.first) || range.first.is_nil()) not_native("size of such a range");
        return {};
    }
    if (numbers->endless) return Object(HUGE_VAL);
    if (numbers->last < numbers->first) return Object(std::int64_t{0});
    return add_integers(subtract_integers(numbers->last, numbers->first).integer(), 1);
}

Object range_count(const Call& call) {
    if (call.arguments.empty() && !call.block && integer_range(call.self.range())) return range_size(call);
    if (call.self.range().last.is_nil()) not_native("count in an endless range");
    const Object items = list(call, items_of(call, call.self));
    return call.machine.send(items, "count", call.arguments, call.block);
}

Object range_sum(const Call& call) {
    const auto numbers = integer_range(call.self.range());
    if (numbers && numbers->endless) not_native("sum of an endless range");
    const bool plain = !call.block && (call.arguments.empty() || call.arguments[0].is(Kind::Integer));
    if (!plain || !numbers || numbers->endless) {
        const Object items = list(call, items_of(call, call.self));
        const Object sum = call.machine.send(items, "sum", call.arguments, call.block);
        return sum.is(Kind::Float) ? Object(sum.number() + 0.0)
                                   : sum;  // an empty Array keeps -0.0, a Range does not
    }
    const std::int64_t start = call.arguments.empty() ? 0 : call.arguments[0].integer();
    if (numbers->last < numbers->first) return Object(start);
    const std::int64_t count = range_size(call).integer();
    const std::int64_t ends = add_integers(numbers->first, numbers->last).integer();
    const Object total =
        count % 2 == 0 ? multiply_integers(count / 2, ends) : multiply_integers(count, ends / 2);
    return add_integers(start, total.integer());
}

Object range_begin(const Call& call) { return range_edge(call.self.range().first); }
Object range_end(const Call& call) { return range_edge(call.self.range().last); }

constexpr Method range_table[] = {
    {"===", 1, 1, range_case_equal},
    {"begin", 0, 0, range_begin},
    {"count", 0, 1, range_count},
    {"cover?", 1, 1, range_cover},
    {"each", 0, 0, range_each},
    {"end", 0, 0, range_end},
    {"exclude_end?", 0, 0, [](const Call& call) { return Object(call.self.range().exclusive); }},
    {"first", 0, 1, range_first},
    {"include?", 1, 1, range_include},
    {"last", 0, 1, range_last},
    {"max", 0, 1, range_max},
    {"member?", 1, 1, range_include},
    {"min", 0, 1, range_min},
    {"minmax", 0, 0, range_minmax},
    {"reverse_each", 0, Method::any, range_reverse_each},
    {"size", 0, 0, range_size},
    {"step", 0, 1, range_step},
    {"sum", 0, 1, range_sum},
};

}  // namespace

Table range_methods() { return range_table; }

}  // namespace volley::ruby::methods
