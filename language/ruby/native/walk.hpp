#pragma once

#include <utility>

#include "language/ruby/native/arguments.hpp"

/// Walks over what Ruby's Enumerable works on: lists, hashes (as pairs), ranges, and what an Enumerator
/// holds.
namespace volley::ruby {

/// While one lives nobody may add a key to the hash.
class HashWalk {
public:
    explicit HashWalk(Hash& hash) : hash_(hash) { ++hash_.iterating; }
    ~HashWalk() { --hash_.iterating; }
    HashWalk(const HashWalk&) = delete;
    HashWalk& operator=(const HashWalk&) = delete;

private:
    Hash& hash_;
};

/// The items that the call would have passed to a block; several values at once become a list.
std::vector<Object> enumerator_items(const Call& call, const Enumerator& enumerator);

/// Calls the block with an item as map, count and some others do: what came as several values goes on as
/// several, where select and most others make a list of them.
Object yield_item(const Call& call, const Object& item);

/// The next text as String#succ makes it.
std::string successor(const std::string& text);

/// Both ends of a range of Integers, the last one included. Raises TypeError when it cannot be walked.
struct IntegerRange {
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool endless = false;
};
std::optional<IntegerRange> integer_range(const Range& range);

std::vector<Object> range_texts(const Call& call, const std::string& first, const std::string& last,
                                bool exclusive);

template <class Take>
void walk_range(const Call& call, const Range& range, Take take) {
    if (const auto numbers = integer_range(range)) {
        for (std::int64_t at = numbers->first; numbers->endless || at <= numbers->last; ++at) {
            call.machine.step();
            if (!take(Object(at)) || at == std::numeric_limits<std::int64_t>::max()) return;
        }
        return;
    }
    if (!range.first.is(Object::Kind::String) || !range.last.is(Object::Kind::String)) {
        if (range.first.is(Object::Kind::String) || range.first.is(Object::Kind::Symbol) ||
            range.first.is(Object::Kind::Foreign) || range.first.is(Object::Kind::Host))
            not_native("a range of such objects");
        raise_type("can't iterate from " + std::string(class_name(range.first)));
    }
    for (const Object& item :
         range_texts(call, range.first.string().text, range.last.string().text, range.exclusive)) {
        if (!take(item)) return;
    }
}

/// Calls `take` with each item until it answers false. A list may change meanwhile, as in Ruby.
template <class Take>
void walk(const Call& call, const Object& self, Take take) {
    switch (self.kind()) {
        case Object::Kind::Array: {
            const Array& array = self.array();
            for (std::size_t at = 0; at < array.items.size(); ++at) {
                call.machine.step();
                const Object item = array.items[at];
                if (!take(item)) return;
            }
            return;
        }
        case Object::Kind::Hash: {
            Hash& hash = self.hash();
            const HashWalk walking(hash);
            for (std::size_t at = 0; at < hash.entries.size(); ++at) {
                call.machine.step();
                const Hash::Entry entry = hash.entries[at];
                if (!take(pair(call, entry.key, entry.value))) return;
            }
            return;
        }
        case Object::Kind::Range:
            return walk_range(call, self.range(), std::move(take));
        case Object::Kind::Enumerator:
            for (const Object& item : enumerator_items(call, self.enumerator())) {
                if (!take(item)) return;
            }
            return;
        default:
            not_native("a walk over such an object");
    }
}

/// All items at once.
std::vector<Object> items_of(const Call& call, const Object& self);

/// Sorts as Ruby does on this platform (a merge sort of its C library): `before(a, b)` is the order of a and
/// b, asked for the same pairs in the same turn, which shows in what it raises.
template <class T, class Order>
void merge_sort(std::vector<T>& items, Order order_of) {
    if (items.size() < 2) return;
    const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
    std::vector<T> left(items.begin(), middle);
    std::vector<T> right(middle, items.end());
    merge_sort(left, order_of);
    merge_sort(right, order_of);
    std::size_t l = 0;
    std::size_t r = 0;
    std::size_t at = 0;
    while (l < left.size() && r < right.size()) {
        if (order_of(left[l], right[r]) <= 0)
            items[at++] = left[l++];
        else
            items[at++] = right[r++];
    }
    while (l < left.size()) items[at++] = left[l++];
    while (r < right.size()) items[at++] = right[r++];
}

}  // namespace volley::ruby
