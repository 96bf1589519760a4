#include <algorithm>

#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/walk.hpp"

/// Array: items by their place or value.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

const std::vector<Object>& seen_items(const Call& call) { return call.self.array().items; }

Object item_at(const std::vector<Object>& items, std::int64_t place) {
    if (place < 0) place += static_cast<std::int64_t>(items.size());
    return place >= 0 && place < static_cast<std::int64_t>(items.size())
               ? items[static_cast<std::size_t>(place)]
               : Object();
}

std::vector<Object> part_of(const std::vector<Object>& items, const Slice& slice) {
    const auto begin = items.begin() + static_cast<std::ptrdiff_t>(slice.begin);
    return {begin, begin + static_cast<std::ptrdiff_t>(slice.length)};
}

Object array_at(const Call& call) {
    const std::vector<Object>& items = seen_items(call);
    const Object& first = call.arguments[0];
    std::optional<Slice> slice;
    if (call.arguments.size() > 1) {
        const std::int64_t begin = to_integer(first);  // in this order, for the error
        slice = slice_of(begin, to_integer(call.arguments[1]), items.size());
    } else if (first.is(Kind::Range)) {
        slice = slice_of(first.range(), items.size());
    } else {
        return item_at(items, to_integer(first));
    }
    return slice ? list(call, part_of(items, *slice)) : Object();
}

Object array_fetch(const Call& call) {
    const std::vector<Object>& items = seen_items(call);
    const std::int64_t given = to_integer(call.arguments[0]);
    const auto size = static_cast<std::int64_t>(items.size());
    const std::int64_t place = given < 0 ? given + size : given;
    if (place >= 0 && place < size) return items[static_cast<std::size_t>(place)];
    if (call.block) return yield(call, call.arguments[0]);
    if (call.arguments.size() > 1) return call.arguments[1];
    raise_index("index " + std::to_string(place < 0 ? given : place) +
                " outside of array bounds: " + std::to_string(-size) + "..." + std::to_string(size));
}

Object array_first(const Call& call) {
    const std::vector<Object>& items = seen_items(call);
    if (call.arguments.empty()) return items.empty() ? Object() : items.front();
    const std::size_t count = to_count(call.arguments[0], "negative array size");
    return list(call, part_of(items, {0, std::min(count, items.size())}));
}

Object array_last(const Call& call) {
    const std::vector<Object>& items = seen_items(call);
    if (call.arguments.empty()) return items.empty() ? Object() : items.back();
    const std::size_t count = std::min(to_count(call.arguments[0], "negative array size"), items.size());
    return list(call, part_of(items, {items.size() - count, count}));
}

Object array_values_at(const Call& call) {
    const std::vector<Object>& items = seen_items(call);
    std::vector<Object> values;
    for (const Object& place : call.arguments) {
        if (place.is(Kind::Range)) not_native("values_at with a range");
        values.push_back(item_at(items, to_integer(place)));
    }
    return list(call, std::move(values));
}

/// [a, [b, c]].dig(1, 0): the rest goes to what was found.
Object array_dig(const Call& call) {
    const Object found = item_at(seen_items(call), to_integer(call.arguments[0]));
    if (call.arguments.size() == 1 || found.is_nil()) return found;
    if (!found.is(Kind::Array) && !found.is(Kind::Hash)) {
        if (found.is(Kind::Host) || found.is(Kind::Foreign)) not_native("dig into an object of Puppet");
        raise_type(std::string(class_name(found)) + " does not have #dig method");
    }
    return call.machine.send(found, "dig", call.arguments.subspan(1));
}

Object array_index(const Call& call) {
    if (call.arguments.empty() && !call.block) return enumerator(call, "index");
    for (std::size_t at = 0; at < seen_items(call).size(); ++at) {
        call.machine.step();
        const Object item = seen_items(call)[at];
        const bool found = call.arguments.empty() ? yield(call, item).truthy()
                                                  : equal_objects(call, item, call.arguments[0]);
        if (found) return size_object(at);
    }
    return {};
}

Object array_rindex(const Call& call) {
    if (call.arguments.empty()) need_block(call, "rindex");
    for (std::size_t left = seen_items(call).size(); left > 0; --left) {
        call.machine.step();
        if (left > seen_items(call).size()) continue;
        const Object item = seen_items(call)[left - 1];
        const bool found = call.arguments.empty() ? yield(call, item).truthy()
                                                  : equal_objects(call, item, call.arguments[0]);
        if (found) return size_object(left - 1);
    }
    return {};
}

template <std::size_t place>
Object array_find_row(const Call& call) {
    for (const Object& row : seen_items(call)) {
        call.machine.step();
        if (row.is(Kind::Array) && row.array().items.size() > place &&
            equal_objects(call, row.array().items[place], call.arguments[0]))
            return row;
    }
    return {};
}

Object array_take(const Call& call) {
    const std::size_t count = to_count(call.arguments[0], "attempt to take negative size");
    return list(call, part_of(seen_items(call), {0, std::min(count, seen_items(call).size())}));
}

Object array_drop(const Call& call) {
    const std::size_t count =
        std::min(to_count(call.arguments[0], "attempt to drop negative size"), seen_items(call).size());
    return list(call, part_of(seen_items(call), {count, seen_items(call).size() - count}));
}

Object array_slice_bang(const Call& call) {
    Array& array = call.self.array();
    const Object& first = call.arguments[0];
    std::optional<Slice> slice;
    bool one = false;
    if (call.arguments.size() > 1) {
        const std::int64_t begin = to_integer(first);
        slice = slice_of(begin, to_integer(call.arguments[1]), array.items.size());
    } else if (first.is(Kind::Range)) {
        slice = slice_of(first.range(), array.items.size());
    } else {
        one = true;
        slice = slice_of(to_integer(first), 1, array.items.size());
        if (slice && slice->length == 0) slice.reset();
    }
    if (!slice) return {};
    std::vector<Object> cut = part_of(array.items, *slice);
    const auto begin = array.items.begin() + static_cast<std::ptrdiff_t>(slice->begin);
    array.items.erase(begin, begin + static_cast<std::ptrdiff_t>(slice->length));
    return one ? cut[0] : list(call, std::move(cut));
}

constexpr Method array_access_table[] = {
    {"[]", 1, 2, array_at},
    {"assoc", 1, 1, array_find_row<0>},
    {"at", 1, 1, [](const Call& call) { return item_at(seen_items(call), to_integer(call.arguments[0])); }},
    {"dig", 1, Method::any, array_dig},
    {"drop", 1, 1, array_drop},
    {"fetch", 1, 2, array_fetch, false, true},
    {"find_index", 0, 1, array_index},
    {"first", 0, 1, array_first},
    {"index", 0, 1, array_index},
    {"last", 0, 1, array_last},
    {"rassoc", 1, 1, array_find_row<1>},
    {"rindex", 0, 1, array_rindex},
    {"slice", 1, 2, array_at},
    {"slice!", 1, 2, array_slice_bang, true},
    {"take", 1, 1, array_take},
    {"values_at", 0, Method::any, array_values_at},
};

}  // namespace

Table array_access_methods() { return array_access_table; }

}  // namespace volley::ruby::methods
