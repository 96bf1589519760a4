#include <algorithm>

#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/walk.hpp"

/// Array: walking, comparing, joining.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

Object array_each(const Call& call) {
    if (!call.block) return enumerator(call, "each");
    walk(call, call.self, [&](const Object& item) {
        yield(call, item);
        return true;
    });
    return call.self;
}

Object array_each_index(const Call& call) {
    if (!call.block) return enumerator(call, "each_index");
    for (std::size_t at = 0; at < call.self.array().items.size(); ++at) {
        call.machine.step();
        yield(call, size_object(at));
    }
    return call.self;
}

Object array_reverse_each(const Call& call) {
    if (!call.block) return enumerator(call, "reverse_each");
    const Array& array = call.self.array();
    for (std::size_t left = array.items.size(); left > 0; --left) {
        call.machine.step();
        const Object item = array.items[left - 1];
        yield(call, item);
        left = std::min(left, array.items.size() + 1);
    }
    return call.self;
}

/// Writes the texts of items with a separator; knows which lists it is inside of.
class Joiner {
public:
    Joiner(const Call& call, std::string separator) : call_(call), separator_(std::move(separator)) {}

    void add(const Object& object) {
        if (!object.is(Kind::Array)) {
            if (any_) out_ += separator_;
            any_ = true;
            out_ += text_of(call_, object);
            if (out_.size() > Heap::most_bytes) not_native("a very long text");
            return;
        }
        const Array& array = object.array();
        if (std::find(inside_.begin(), inside_.end(), &array) != inside_.end())
            raise_argument("recursive array join");
        inside_.push_back(&array);
        call_.machine.step(1 + array.items.size() / 8);
        // An empty list inside still has its place between two separators.
        if (array.items.empty() && inside_.size() > 1) {
            if (any_) out_ += separator_;
            any_ = true;
        }
        for (std::size_t at = 0; at < array.items.size(); ++at) add(Object(array.items[at]));
        inside_.pop_back();
    }
    std::string take() { return std::move(out_); }

private:
    const Call& call_;
    const std::string separator_;
    std::string out_;
    bool any_ = false;
    std::vector<const Array*> inside_;
};

Object join_with(const Call& call, std::string separator) {
    Joiner joiner(call, std::move(separator));
    joiner.add(call.self);
    return text(call, joiner.take());
}

Object array_join(const Call& call) {
    if (call.self.array().items.empty()) return text(call, "");  // compatibility: whatever the separator is
    if (call.arguments.empty() || call.arguments[0].is_nil()) return join_with(call, "");
    return join_with(call, to_string(call.arguments[0]));
}

Object array_times(const Call& call) {
    if (call.arguments[0].is(Kind::String)) return join_with(call, call.arguments[0].string().text);
    const std::int64_t times = to_integer(call.arguments[0]);
    if (times < 0) raise_argument("negative argument");
    const std::vector<Object>& once = call.self.array().items;
    std::vector<Object> items;
    if (once.empty()) return list(call, {});
    if (static_cast<std::size_t>(times) > Heap::most_bytes / sizeof(Object) / once.size())
        not_native("a very long list");
    for (std::int64_t i = 0; i < times; ++i) items.insert(items.end(), once.begin(), once.end());
    return list(call, std::move(items));
}

Object array_equal(const Call& call) { return Object(equal(call.self, call.arguments[0])); }

Object array_compare(const Call& call) {
    if (!call.arguments[0].is(Kind::Array)) return {};
    const auto order = compare(call.self, call.arguments[0]);
    return order ? Object(static_cast<std::int64_t>(*order)) : Object();
}

Object array_length(const Call& call) { return size_object(call.self.array().items.size()); }

Object array_any(const Call& call) {
    const bool plain = call.arguments.empty() && !call.block;
    for (std::size_t at = 0; at < call.self.array().items.size(); ++at) {
        call.machine.step();
        const Object item = call.self.array().items[at];
        const bool passes = plain                    ? item.truthy()
                            : call.arguments.empty() ? yield(call, item).truthy()
                                                     : case_equal(call.machine, call.arguments[0], item);
        if (passes) return Object(true);
    }
    return Object(false);
}

Object array_itself(const Call& call) { return call.self; }

Object array_combination(const Call& call) {
    const std::int64_t size = to_integer(call.arguments[0]);
    if (!call.block) return enumerator(call, "combination");
    const std::vector<Object> items = call.self.array().items;
    if (size < 0 || static_cast<std::size_t>(size) > items.size()) return call.self;
    std::vector<std::size_t> places(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    for (;;) {
        std::vector<Object> chosen;
        for (const std::size_t place : places) chosen.push_back(items[place]);
        yield(call, list(call, std::move(chosen)));
        std::size_t at = places.size();
        while (at > 0 && places[at - 1] == items.size() - places.size() + at - 1) --at;
        if (at == 0) return call.self;
        ++places[at - 1];
        for (std::size_t i = at; i < places.size(); ++i) places[i] = places[i - 1] + 1;
    }
}

Object array_permutation(const Call& call) {
    const std::size_t all = call.self.array().items.size();
    const bool whole = call.arguments.empty() || call.arguments[0].is_nil();
    const std::int64_t size = whole ? static_cast<std::int64_t>(all) : to_integer(call.arguments[0]);
    if (!call.block) return enumerator(call, "permutation");
    if (size < 0 || static_cast<std::size_t>(size) > all) return call.self;
    const std::vector<Object> items = call.self.array().items;
    std::vector<std::size_t> places;
    std::vector<bool> used(all, false);
    // Depth first, the smallest free place first.
    std::size_t next = 0;
    for (;;) {
        if (places.size() == static_cast<std::size_t>(size)) {
            std::vector<Object> chosen;
            for (const std::size_t place : places) chosen.push_back(items[place]);
            yield(call, list(call, std::move(chosen)));
            next = all;
        }
        while (next < all && used[next]) ++next;
        if (next < all) {
            places.push_back(next);
            used[next] = true;
            next = 0;
            continue;
        }
        if (places.empty()) return call.self;
        next = places.back();
        used[next] = false;
        places.pop_back();
        ++next;
    }
}

constexpr Method array_table[] = {
    {"*", 1, 1, array_times},
    {"<=>", 1, 1, array_compare},
    {"==", 1, 1, array_equal},
    {"any?", 0, 1, array_any},
    {"combination", 1, 1, array_combination},
    {"each", 0, 0, array_each, false, true},
    {"each_index", 0, 0, array_each_index, false, true},
    {"empty?", 0, 0, [](const Call& call) { return Object(call.self.array().items.empty()); }},
    {"join", 0, 1, array_join},
    {"length", 0, 0, array_length},
    {"permutation", 0, 1, array_permutation},
    {"reverse_each", 0, 0, array_reverse_each},
    {"size", 0, 0, array_length},
    {"to_a", 0, 0, array_itself},
    {"to_ary", 0, 0, array_itself},
};

}  // namespace

Table array_methods() { return array_table; }

}  // namespace volley::ruby::methods
