#include <algorithm>

#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/run.hpp"
#include "language/ruby/native/walk.hpp"

/// Enumerable: sorting, and the least and most.
namespace volley::ruby::methods {
namespace {

int order_of_items(const Call& call, const Object& left, const Object& right) {
    call.machine.step();
    if (!call.block) return order(left, right);
    return order_of_answer(yield(call, left, right), left, right);
}

std::vector<Object> sorted_items(const Call& call) {
    std::vector<Object> items = items_of(call, call.self);
    merge_sort(items,
               [&](const Object& left, const Object& right) { return order_of_items(call, left, right); });
    return items;
}

struct Keyed {
    Object key;
    Object item;
};

std::vector<Object> sorted_by_key(const Call& call) {
    std::vector<Keyed> rows;
    walk(call, call.self, [&](const Object& item) {
        const Object key = yield(call, item);
        call.machine.heap().grown(sizeof(Keyed));
        rows.push_back({key, item});
        return true;
    });
    merge_sort(rows, [&](const Keyed& left, const Keyed& right) {
        call.machine.step();
        return order(left.key, right.key);
    });
    std::vector<Object> items;
    items.reserve(rows.size());
    for (const Keyed& row : rows) items.push_back(row.item);
    return items;
}

Object enumerable_sort(const Call& call) { return list(call, sorted_items(call)); }

Object enumerable_sort_by(const Call& call) {
    if (!call.block) return enumerator(call, "sort_by");
    return list(call, sorted_by_key(call));
}

/// Which of two items Ruby names first when they cannot be compared depends on how the list was written.
int order_of_extremes(const Call& call, const Object& left, const Object& right) {
    if (!call.block && !compare(left, right)) not_native("min or max of what cannot be compared");
    return order_of_items(call, left, right);
}

/// The first item that nothing is beyond, in the direction of `sign`.
Object extreme(const Call& call, int sign) {
    std::optional<Object> found;
    walk(call, call.self, [&](const Object& item) {
        if (!found || order_of_extremes(call, item, *found) * sign > 0) found = item;
        return true;
    });
    return found.value_or(Object());
}

template <int sign>
Object enumerable_extreme(const Call& call) {
    if (call.arguments.empty() || call.arguments[0].is_nil()) return extreme(call, sign);
    const std::int64_t count = to_integer(call.arguments[0]);
    if (count < 0) raise_argument("negative size (" + std::to_string(count) + ")");
    if (count == 0) return list(call, {});
    std::vector<Object> items = items_of(call, call.self);
    merge_sort(items,
               [&](const Object& left, const Object& right) { return order_of_extremes(call, left, right); });
    if (sign > 0) std::reverse(items.begin(), items.end());
    if (items.size() > static_cast<std::size_t>(count)) items.resize(static_cast<std::size_t>(count));
    return list(call, std::move(items));
}

template <int sign>
Object enumerable_extreme_by(const Call& call) {
    if (!call.arguments.empty()) not_native("min_by of several");
    if (!call.block) return enumerator(call, sign > 0 ? "max_by" : "min_by");
    std::optional<Keyed> found;
    walk(call, call.self, [&](const Object& item) {
        const Object key = yield(call, item);
        if (!found || order(key, found->key) * sign > 0) found = Keyed{key, item};
        return true;
    });
    return found ? found->item : Object();
}

Object enumerable_minmax(const Call& call) {
    if (call.block) not_native("minmax with a block");  // which Ruby calls for pairs of pairs
    const Object least = extreme(call, -1);
    return pair(call, least, extreme(call, 1));
}

Object enumerable_minmax_by(const Call& call) {
    need_block(call, "minmax_by");
    std::optional<Keyed> least;
    std::optional<Keyed> most;
    walk(call, call.self, [&](const Object& item) {
        const Object key = yield(call, item);
        try {
            if (!least || order(key, least->key) < 0) least = Keyed{key, item};
            if (!most || order(key, most->key) > 0) most = Keyed{key, item};
        } catch (const Raised&) {
            not_native("minmax_by of what cannot be compared");  // Ruby compares pairs first
        }
        return true;
    });
    return pair(call, least ? least->item : Object(), most ? most->item : Object());
}

/// Whether code uses anything but its own parameters and variables: the list that is sorted, perhaps.
bool looks_outside(const Code& code) {
    if (code.depth > 0 || code.block || code.pass) return true;
    if (code.op == Op::Self || code.op == Op::Instance || code.op == Op::SetInstance ||
        code.op == Op::Module || code.op == Op::Yield || (code.op == Op::Call && !code.first))
        return true;
    const auto outside = [](const CodePtr& part) { return part && looks_outside(*part); };
    return outside(code.first) || outside(code.second) || outside(code.third) ||
           std::ranges::any_of(code.parts, outside);
}

/// Ruby sorts in place: a block could see the list half sorted.
Object array_sort_bang(const Call& call) {
    if (call.block && call.block->code && looks_outside(*call.block->code->body))
        not_native("sort! with a block that looks around");
    std::vector<Object> items;
    try {
        items = sorted_items(call);
    } catch (const NotNative&) {
        throw;
    } catch (...) {  // also what break, next and throw are made of
        not_native("sort! that ends early, with part of the list sorted");
    }
    call.self.array().items = std::move(items);
    return call.self;
}

Object array_sort_by_bang(const Call& call) {
    need_block(call, "sort_by!");
    std::vector<Object> items = sorted_by_key(call);
    call.self.array().items = std::move(items);
    return call.self;
}

constexpr Method enumerable_ordering_table[] = {
    {"max", 0, 1, enumerable_extreme<1>},  {"max_by", 0, 1, enumerable_extreme_by<1>},
    {"min", 0, 1, enumerable_extreme<-1>}, {"min_by", 0, 1, enumerable_extreme_by<-1>},
    {"minmax", 0, 0, enumerable_minmax},   {"minmax_by", 0, 0, enumerable_minmax_by},
    {"sort", 0, 0, enumerable_sort},       {"sort_by", 0, 0, enumerable_sort_by},
};

constexpr Method array_sorting_table[] = {
    {"sort!", 0, 0, array_sort_bang, true},
    {"sort_by!", 0, 0, array_sort_by_bang, true},
};

}  // namespace

Table enumerable_ordering_methods() { return enumerable_ordering_table; }
Table array_sorting_methods() { return array_sorting_table; }

}  // namespace volley::ruby::methods
