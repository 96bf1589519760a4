#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/program/patterns.hpp"
#include "language/ruby/native/walk.hpp"

/// Enumerable: what chooses items and asks about them.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

/// By an argument as a pattern, the block, or truth.
bool item_passes(const Call& call, const Object& item) {
    if (!call.arguments.empty()) return case_equal(call.machine, call.arguments[0], item);
    return call.block ? yield_item(call, item).truthy() : item.truthy();
}

Object enumerable_all(const Call& call) {
    bool all = true;
    walk(call, call.self, [&](const Object& item) { return all = item_passes(call, item); });
    return Object(all);
}

Object enumerable_any(const Call& call) {
    bool any = false;
    walk(call, call.self, [&](const Object& item) { return !(any = item_passes(call, item)); });
    return Object(any);
}

Object enumerable_none(const Call& call) { return Object(!enumerable_any(call).truthy()); }

Object enumerable_one(const Call& call) {
    int passed = 0;
    walk(call, call.self,
         [&](const Object& item) { return (passed += item_passes(call, item) ? 1 : 0) < 2; });
    return Object(passed == 1);
}

Object enumerable_count(const Call& call) {
    std::int64_t count = 0;
    walk(call, call.self, [&](const Object& item) {
        if (!call.arguments.empty())
            count += equal_objects(call, item, call.arguments[0]) ? 1 : 0;
        else
            count += !call.block || yield_item(call, item).truthy() ? 1 : 0;
        return true;
    });
    return Object(count);
}

Object enumerable_include(const Call& call) {
    bool found = false;
    walk(call, call.self,
         [&](const Object& item) { return !(found = equal_objects(call, item, call.arguments[0])); });
    return Object(found);
}

Object enumerable_find(const Call& call) {
    if (!call.arguments.empty()) not_native("find with an argument");
    if (!call.block) return enumerator(call, "find");
    Object found;
    walk(call, call.self, [&](const Object& item) {
        if (!yield(call, item).truthy()) return true;
        found = item;
        return false;
    });
    return found;
}

Object enumerable_find_index(const Call& call) {
    if (!call.block && call.arguments.empty()) return enumerator(call, "find_index");
    std::int64_t index = 0;
    bool found = false;
    walk(call, call.self, [&](const Object& item) {
        found = call.arguments.empty() ? yield_item(call, item).truthy()
                                       : equal_objects(call, item, call.arguments[0]);
        if (!found) ++index;
        return !found;
    });
    return found ? Object(index) : Object();
}

template <bool wanted>
Object enumerable_select(const Call& call) {
    if (!call.block) return enumerator(call, wanted ? "select" : "reject");
    std::vector<Object> items;
    walk(call, call.self, [&](const Object& item) {
        if (yield(call, item).truthy() == wanted) items.push_back(item);
        return true;
    });
    return list(call, std::move(items));
}

/// Without a block grep does not set $~.
bool grep_matches(const Call& call, const Object& item) {
    const Object& pattern = call.arguments[0];
    if (call.block || !pattern.is(Kind::Pattern)) return case_equal(call.machine, pattern, item);
    if (!item.is(Kind::String) && !item.is(Kind::Symbol)) return false;
    const std::string& text = to_name(item);
    check_search(pattern.pattern(), text);
    return search_pattern(pattern.pattern(), text).has_value();
}

template <bool wanted>
Object enumerable_grep(const Call& call) {
    std::vector<Object> items;
    walk(call, call.self, [&](const Object& item) {
        if (grep_matches(call, item) == wanted) items.push_back(call.block ? yield(call, item) : item);
        return true;
    });
    return list(call, std::move(items));
}

constexpr Method enumerable_choosing_table[] = {
    {"all?", 0, 1, enumerable_all},
    {"any?", 0, 1, enumerable_any},
    {"count", 0, 1, enumerable_count},
    {"detect", 0, 1, enumerable_find},
    {"filter", 0, 0, enumerable_select<true>},
    {"find", 0, 1, enumerable_find},
    {"find_all", 0, 0, enumerable_select<true>},
    {"find_index", 0, 1, enumerable_find_index},
    {"grep", 1, 1, enumerable_grep<true>},
    {"grep_v", 1, 1, enumerable_grep<false>},
    {"include?", 1, 1, enumerable_include},
    {"member?", 1, 1, enumerable_include},
    {"none?", 0, 1, enumerable_none},
    {"one?", 0, 1, enumerable_one},
    {"reject", 0, 0, enumerable_select<false>},
    {"select", 0, 0, enumerable_select<true>},
};

}  // namespace

Table enumerable_choosing_methods() { return enumerable_choosing_table; }

}  // namespace volley::ruby::methods
