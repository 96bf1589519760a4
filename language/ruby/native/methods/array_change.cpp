#include <algorithm>

#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/walk.hpp"

/// Array: what changes it.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

std::vector<Object>& own_items(const Call& call) { return call.self.array().items; }

void array_grows(const Call& call, std::size_t by) {
    if (by > Heap::most_bytes / sizeof(Object)) not_native("a very long list");
    call.machine.heap().grown(by * 2 * sizeof(Object));
    call.machine.step(1 + by / 16);
}

Object array_push(const Call& call) {
    array_grows(call, call.arguments.size());
    own_items(call).insert(own_items(call).end(), call.arguments.begin(), call.arguments.end());
    return call.self;
}

Object array_pop(const Call& call) {
    std::vector<Object>& items = own_items(call);
    if (!call.arguments.empty()) {
        const std::size_t count = std::min(to_count(call.arguments[0], "negative array size"), items.size());
        std::vector<Object> cut(items.end() - static_cast<std::ptrdiff_t>(count), items.end());
        items.resize(items.size() - count);
        return list(call, std::move(cut));
    }
    if (items.empty()) return {};
    const Object last = items.back();
    items.pop_back();
    return last;
}

Object array_shift(const Call& call) {
    std::vector<Object>& items = own_items(call);
    call.machine.step(1 + items.size() / 64);
    if (!call.arguments.empty()) {
        const std::size_t count = std::min(to_count(call.arguments[0], "negative array size"), items.size());
        const auto end = items.begin() + static_cast<std::ptrdiff_t>(count);
        std::vector<Object> cut(items.begin(), end);
        items.erase(items.begin(), end);
        return list(call, std::move(cut));
    }
    if (items.empty()) return {};
    const Object first = items.front();
    items.erase(items.begin());
    return first;
}

Object array_unshift(const Call& call) {
    array_grows(call, call.arguments.size() + own_items(call).size() / 16);
    own_items(call).insert(own_items(call).begin(), call.arguments.begin(), call.arguments.end());
    return call.self;
}

Object array_insert(const Call& call) {
    std::vector<Object>& items = own_items(call);
    std::int64_t place = to_integer(call.arguments[0]);
    if (call.arguments.size() == 1) return call.self;
    const auto size = static_cast<std::int64_t>(items.size());
    if (place < 0) {
        if (place < -size - 1)
            raise_index("index " + std::to_string(place) + " too small for array; minimum: -" +
                        std::to_string(size + 1));
        place += size + 1;
    }
    const auto at = static_cast<std::size_t>(place);
    array_grows(call, at > items.size() ? at - items.size() + call.arguments.size() : call.arguments.size());
    if (at > items.size()) items.resize(at);
    items.insert(items.begin() + place, call.arguments.begin() + 1, call.arguments.end());
    return call.self;
}

Object array_concat(const Call& call) {
    std::vector<Object> more;
    for (const Object& argument : call.arguments) {
        const std::vector<Object>& items = to_items(argument);
        array_grows(call, items.size());
        more.insert(more.end(), items.begin(), items.end());
    }
    own_items(call).insert(own_items(call).end(), more.begin(), more.end());
    return call.self;
}

void replace_part(const Call& call, const Slice& slice, const Object& value) {
    std::vector<Object>& items = own_items(call);
    const std::vector<Object> with = value.is(Kind::Array) ? value.array().items : std::vector<Object>{value};
    array_grows(call, with.size() + (slice.begin > items.size() ? slice.begin - items.size() : 0));
    if (slice.begin > items.size()) items.resize(slice.begin);
    const auto begin = items.begin() + static_cast<std::ptrdiff_t>(slice.begin);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(slice.length, items.size() - slice.begin));
    items.insert(items.erase(begin, end), with.begin(), with.end());
}

Object array_set_slice(const Call& call) {
    const auto size = static_cast<std::int64_t>(own_items(call).size());
    std::int64_t begin = to_integer(call.arguments[0]);
    const std::int64_t length = to_integer(call.arguments[1]);
    if (length < 0) raise_index("negative length (" + std::to_string(length) + ")");
    if (begin < -size)
        raise_index("index " + std::to_string(begin) + " too small for array; minimum: -" +
                    std::to_string(size));
    if (begin < 0) begin += size;
    replace_part(call, {static_cast<std::size_t>(begin), static_cast<std::size_t>(length)},
                 call.arguments[2]);
    return call.arguments[2];
}

Object array_set_range(const Call& call, const Range& range) {
    const auto size = static_cast<std::int64_t>(own_items(call).size());
    std::int64_t begin = range.first.is_nil() ? 0 : to_integer(range.first);
    std::int64_t end = range.last.is_nil() ? -1 : to_integer(range.last);
    if (begin < -size) raise_range(to_text(call.arguments[0]) + " out of range");
    if (begin < 0) begin += size;
    if (end < 0) end += size;
    if (!range.exclusive || range.last.is_nil()) ++end;
    const std::int64_t length = std::max<std::int64_t>(0, end - begin);
    replace_part(call, {static_cast<std::size_t>(begin), static_cast<std::size_t>(length)},
                 call.arguments[1]);
    return call.arguments[1];
}

Object array_set(const Call& call) {
    if (call.arguments.size() == 3) return array_set_slice(call);
    if (call.arguments[0].is(Kind::Range)) return array_set_range(call, call.arguments[0].range());
    std::vector<Object>& items = own_items(call);
    const std::int64_t given = to_integer(call.arguments[0]);
    const auto size = static_cast<std::int64_t>(items.size());
    if (given < -size)
        raise_index("index " + std::to_string(given) + " too small for array; minimum: -" +
                    std::to_string(size));
    const auto place = static_cast<std::size_t>(given < 0 ? given + size : given);
    if (place >= items.size()) {
        array_grows(call, place - items.size() + 1);
        items.resize(place + 1);
    }
    items[place] = call.arguments[1];
    return call.arguments[1];
}

Object array_delete(const Call& call) {
    std::vector<Object>& items = own_items(call);
    std::optional<Object> last;
    std::vector<Object> kept;
    for (const Object& item : items) {
        call.machine.step();
        if (equal_objects(call, item, call.arguments[0]))
            last = item;
        else
            kept.push_back(item);
    }
    if (!last) return call.block ? yield(call, call.arguments[0]) : Object();
    check_changeable(call, call.block ? 1 : 0);
    items = std::move(kept);
    return *last;
}

Object array_delete_at(const Call& call) {
    std::vector<Object>& items = own_items(call);
    std::int64_t place = to_integer(call.arguments[0]);
    if (place < 0) place += static_cast<std::int64_t>(items.size());
    if (place < 0 || place >= static_cast<std::int64_t>(items.size())) return {};
    check_changeable(call, call.block ? 1 : 0);
    const Object cut = items[static_cast<std::size_t>(place)];
    items.erase(items.begin() + place);
    return cut;
}

/// Keeps what the block answers `kept` for. As in Ruby the kept items move to the front while the block runs,
/// which it can see, and should it leave early, what it has not seen stays.
bool filter_items(const Call& call, bool kept) {
    std::vector<Object>& items = own_items(call);
    const std::size_t length = items.size();
    std::size_t read = 0;
    std::size_t written = 0;
    const auto close = [&] {
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(written),
                    items.begin() + static_cast<std::ptrdiff_t>(read));
    };
    for (; read < length; ++read) {
        call.machine.step();
        const Object item = items[read];
        bool keep = false;
        try {
            keep = yield(call, item).truthy() == kept;
        } catch (...) {
            if (items.size() == length) close();
            throw;
        }
        if (items.size() != length) not_native("a list that changes while it is filtered");
        if (keep) items[written++] = item;
    }
    close();
    return written != length;
}

template <bool kept, bool nil_when_same>
Object array_filter_bang(const Call& call) {
    need_block(call, "select! and others");
    const bool changed = filter_items(call, kept);
    return changed || !nil_when_same ? call.self : Object();
}

Object array_map_bang(const Call& call) {
    need_block(call, "map!");
    for (std::size_t at = 0; at < own_items(call).size(); ++at) {
        call.machine.step();
        const Object item = own_items(call)[at];
        const Object made = yield(call, item);
        if (at >= own_items(call).size()) not_native("a list that changes while it is mapped");
        own_items(call)[at] = made;
    }
    return call.self;
}

/// The result of the method without "!" takes the place of the items; nil when there are as many.
template <const char* name>
Object array_shrink_bang(const Call& call) {
    const Object made = call.machine.send(call.self, name, call.arguments, call.block);
    const bool changed = made.array().items.size() != own_items(call).size();
    if (!changed) return {};
    own_items(call) = made.array().items;
    return call.self;
}
constexpr char compact_name[] = "compact";
constexpr char uniq_name[] = "uniq";

Object array_flatten_bang(const Call& call) {
    const bool nested = std::any_of(own_items(call).begin(), own_items(call).end(),
                                    [](const Object& item) { return item.is(Kind::Array); });
    const Object made = call.machine.send(call.self, "flatten", call.arguments);
    const bool level_zero =
        !call.arguments.empty() && call.arguments[0].is(Kind::Integer) && call.arguments[0].integer() == 0;
    if (!nested || level_zero) return {};
    own_items(call) = made.array().items;
    return call.self;
}

template <const char* name>
Object array_same_size_bang(const Call& call) {
    const Object made = call.machine.send(call.self, name, call.arguments);
    own_items(call) = made.array().items;
    return call.self;
}
constexpr char reverse_name[] = "reverse";
constexpr char rotate_name[] = "rotate";

Object array_clear(const Call& call) {
    own_items(call).clear();
    return call.self;
}

Object array_replace(const Call& call) {
    std::vector<Object> items = to_items(call.arguments[0]);
    array_grows(call, items.size());
    own_items(call) = std::move(items);
    return call.self;
}

Object array_fill(const Call& call) {
    if (call.block || call.arguments.size() != 1) not_native("fill but with one value");
    std::fill(own_items(call).begin(), own_items(call).end(), call.arguments[0]);
    return call.self;
}

constexpr Method array_change_table[] = {
    {"<<", 1, 1, array_push, true},
    {"[]=", 2, 3, array_set, true},
    {"append", 0, Method::any, array_push, true},
    {"clear", 0, 0, array_clear, true},
    {"collect!", 0, 0, array_map_bang, true},
    {"compact!", 0, 0, array_shrink_bang<compact_name>, true},
    {"concat", 0, Method::any, array_concat, true},
    {"delete", 1, 1, array_delete},
    {"delete_at", 1, 1, array_delete_at},
    {"delete_if", 0, 0, array_filter_bang<false, false>, true},
    {"fill", 0, 3, array_fill, true},
    {"filter!", 0, 0, array_filter_bang<true, true>, true},
    {"flatten!", 0, 1, array_flatten_bang, true},
    {"insert", 1, Method::any, array_insert, true},
    {"keep_if", 0, 0, array_filter_bang<true, false>, true},
    {"map!", 0, 0, array_map_bang, true},
    {"pop", 0, 1, array_pop, true},
    {"prepend", 0, Method::any, array_unshift, true},
    {"push", 0, Method::any, array_push, true},
    {"reject!", 0, 0, array_filter_bang<false, true>, true},
    {"replace", 1, 1, array_replace, true},
    {"reverse!", 0, 0, array_same_size_bang<reverse_name>, true},
    {"rotate!", 0, 1, array_same_size_bang<rotate_name>, true},
    {"select!", 0, 0, array_filter_bang<true, true>, true},
    {"shift", 0, 1, array_shift, true},
    {"uniq!", 0, 0, array_shrink_bang<uniq_name>, true},
    {"unshift", 0, Method::any, array_unshift, true},
};

}  // namespace

Table array_change_methods() { return array_change_table; }

}  // namespace volley::ruby::methods
