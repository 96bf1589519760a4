#include <algorithm>

#include "language/execution_state.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/walk.hpp"

/// Array: lists made of lists.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;
using ItemSet = std::unordered_map<Object, bool, ObjectHash, ObjectSame>;

const std::vector<Object>& combined(const Call& call) { return call.self.array().items; }

ItemSet set_of(const Call& call, const std::vector<Object>& items) {
    call.machine.step(1 + items.size());
    ItemSet set;
    for (const Object& item : items) set.emplace(item, true);
    return set;
}

Object array_add(const Call& call) {
    const std::vector<Object>& more = to_items(call.arguments[0]);
    std::vector<Object> items = combined(call);
    items.insert(items.end(), more.begin(), more.end());
    return list(call, std::move(items));
}

Object array_without(const Call& call) {
    std::vector<Object> items = combined(call);
    for (const Object& argument : call.arguments) {
        const ItemSet set = set_of(call, to_items(argument));
        std::erase_if(items, [&](const Object& item) { return set.contains(item); });
    }
    return list(call, std::move(items));
}

Object array_union(const Call& call) {
    ItemSet seen;
    std::vector<Object> items;
    const auto add = [&](const std::vector<Object>& more) {
        call.machine.step(1 + more.size());
        for (const Object& item : more) {
            if (seen.emplace(item, true).second) items.push_back(item);
        }
    };
    for (const Object& argument : call.arguments) to_items(argument);
    add(combined(call));
    for (const Object& argument : call.arguments) add(argument.array().items);
    return list(call, std::move(items));
}

std::vector<Object> common_items(const Call& call, const std::vector<Object>& left, const Object& right) {
    const ItemSet others = set_of(call, to_items(right));
    ItemSet seen;
    std::vector<Object> items;
    for (const Object& item : left) {
        if (others.contains(item) && seen.emplace(item, true).second) items.push_back(item);
    }
    return items;
}

Object array_intersection(const Call& call) {
    std::vector<Object> items = combined(call);
    if (call.arguments.empty()) return call.machine.send(call.self, "uniq", {});
    for (const Object& argument : call.arguments) items = common_items(call, items, argument);
    return list(call, std::move(items));
}

Object array_intersects(const Call& call) {
    return Object(!common_items(call, combined(call), call.arguments[0]).empty());
}

/// Takes lists in lists apart, down to a level.
class Flattener {
public:
    explicit Flattener(const Call& call) : call_(call) {}
    std::vector<Object> items;

    void add(const Array& array, std::int64_t levels) {
        if (stack_is_low()) not_native("objects that are nested too deeply");
        if (std::find(inside_.begin(), inside_.end(), &array) != inside_.end())
            raise_argument("tried to flatten recursive array");
        inside_.push_back(&array);
        for (const Object& item : array.items) {
            call_.machine.step();
            if (item.is(Kind::Array) && levels != 0)
                add(item.array(), levels - 1);
            else
                items.push_back(item);
        }
        inside_.pop_back();
    }

private:
    const Call& call_;
    std::vector<const Array*> inside_;
};

Object array_flatten(const Call& call) {
    const bool all = call.arguments.empty() || call.arguments[0].is_nil();
    const std::int64_t levels = all ? -1 : to_small_integer(call.arguments[0]);
    Flattener flattener(call);
    flattener.add(call.self.array(), levels);
    return list(call, std::move(flattener.items));
}

Object array_reverse(const Call& call) {
    return list(call, {combined(call).rbegin(), combined(call).rend()});
}

Object array_rotate(const Call& call) {
    const std::int64_t by = call.arguments.empty() ? 1 : to_integer(call.arguments[0]);
    std::vector<Object> items = combined(call);
    if (items.empty()) return list(call, {});
    const auto size = static_cast<std::int64_t>(items.size());
    std::rotate(items.begin(), items.begin() + ((by % size) + size) % size, items.end());
    return list(call, std::move(items));
}

Object array_transpose(const Call& call) {
    std::vector<std::vector<Object>> columns;
    bool first = true;
    for (const Object& row : combined(call)) {
        const std::vector<Object>& items = to_items(row);
        if (first) columns.resize(items.size());
        first = false;
        if (items.size() != columns.size()) {
            raise_index("element size differs (" + std::to_string(items.size()) + " should be " +
                        std::to_string(columns.size()) + ")");
        }
        for (std::size_t at = 0; at < items.size(); ++at) columns[at].push_back(items[at]);
    }
    std::vector<Object> made;
    for (auto& column : columns) made.push_back(list(call, std::move(column)));
    return list(call, std::move(made));
}

Object array_product(const Call& call) {
    if (call.block) not_native("product with a block");
    std::vector<std::vector<Object>> rows;
    for (const Object& item : combined(call)) rows.push_back({item});
    for (const Object& argument : call.arguments) {
        std::vector<std::vector<Object>> longer;
        for (const auto& row : rows) {
            for (const Object& item : to_items(argument)) {
                call.machine.step();
                call.machine.heap().grown((row.size() + 1) * sizeof(Object));
                longer.push_back(row);
                longer.back().push_back(item);
            }
        }
        to_items(argument);
        rows = std::move(longer);
    }
    std::vector<Object> made;
    for (auto& row : rows) made.push_back(list(call, std::move(row)));
    return list(call, std::move(made));
}

constexpr Method array_combine_table[] = {
    {"&", 1, 1, array_intersection},
    {"+", 1, 1, array_add},
    {"-", 1, 1, array_without},
    {"difference", 0, Method::any, array_without},
    {"flatten", 0, 1, array_flatten},
    {"intersect?", 1, 1, array_intersects},
    {"intersection", 0, Method::any, array_intersection},
    {"product", 0, Method::any, array_product},
    {"reverse", 0, 0, array_reverse},
    {"rotate", 0, 1, array_rotate},
    {"transpose", 0, 0, array_transpose},
    {"union", 0, Method::any, array_union},
    {"|", 1, 1, array_union},
};

}  // namespace

Table array_combine_methods() { return array_combine_table; }

}  // namespace volley::ruby::methods
