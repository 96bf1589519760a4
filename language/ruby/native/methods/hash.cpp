#include <algorithm>

#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/walk.hpp"

/// Hash: reading it and walking over it.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

Hash& read_hash(const Call& call) { return call.self.hash(); }

Object hash_at(const Call& call) {
    Hash& hash = read_hash(call);
    if (const Object* const found = hash.find(call.arguments[0])) return *found;
    if (!hash.fallback_block) return hash.fallback;
    const Object arguments[] = {call.self, call.arguments[0]};
    return call.machine.yield(*hash.fallback_block, arguments);
}

Object hash_fetch(const Call& call) {
    if (const Object* const found = read_hash(call).find(call.arguments[0])) return *found;
    if (call.block) return yield(call, call.arguments[0]);
    if (call.arguments.size() > 1) return call.arguments[1];
    // Ruby may go on with "Did you mean?" and a key that looks alike.
    if (!read_hash(call).entries.empty()) not_native("Hash#fetch of a missing key");
    throw Raised{"KeyError", "key not found: " + inspect(call.arguments[0])};
}

Object hash_has_key(const Call& call) { return Object(read_hash(call).find(call.arguments[0]) != nullptr); }

Object hash_has_value(const Call& call) {
    for (const Hash::Entry& entry : read_hash(call).entries) {
        call.machine.step();
        if (equal_objects(call, entry.value, call.arguments[0])) return Object(true);
    }
    return Object(false);
}

Object hash_key(const Call& call) {
    for (const Hash::Entry& entry : read_hash(call).entries) {
        call.machine.step();
        if (equal_objects(call, entry.value, call.arguments[0])) return entry.key;
    }
    return {};
}

Object hash_keys(const Call& call) {
    std::vector<Object> keys;
    for (const Hash::Entry& entry : read_hash(call).entries) keys.push_back(entry.key);
    return list(call, std::move(keys));
}

Object hash_values(const Call& call) {
    std::vector<Object> values;
    for (const Hash::Entry& entry : read_hash(call).entries) values.push_back(entry.value);
    return list(call, std::move(values));
}

Object value_or_default(const Call& call, const Object& key) {
    return hash_at({call.machine, call.self, std::span(&key, 1), nullptr});
}

Object hash_values_at(const Call& call) {
    std::vector<Object> values;
    for (const Object& key : call.arguments) values.push_back(value_or_default(call, key));
    return list(call, std::move(values));
}

Object hash_fetch_values(const Call& call) {
    std::vector<Object> values;
    for (const Object& key : call.arguments)
        values.push_back(hash_fetch({call.machine, call.self, std::span(&key, 1), call.block}));
    return list(call, std::move(values));
}

Object hash_dig(const Call& call) {
    const Object found = value_or_default(call, call.arguments[0]);
    if (call.arguments.size() == 1 || found.is_nil()) return found;
    if (!found.is(Kind::Array) && !found.is(Kind::Hash)) {
        if (found.is(Kind::Host) || found.is(Kind::Foreign)) not_native("dig into an object of Puppet");
        raise_type(std::string(class_name(found)) + " does not have #dig method");
    }
    return call.machine.send(found, "dig", call.arguments.subspan(1));
}

Object hash_length(const Call& call) { return size_object(read_hash(call).entries.size()); }

/// Calls `take` with each entry; nobody may add a key meanwhile.
template <class Take>
void walk_entries(const Call& call, Take take) {
    Hash& hash = read_hash(call);
    const HashWalk walking(hash);
    for (std::size_t at = 0; at < hash.entries.size(); ++at) {
        call.machine.step();
        const Hash::Entry entry = hash.entries[at];
        take(entry);
    }
}

Object hash_each(const Call& call) {
    if (!call.block) return enumerator(call, "each");
    walk_entries(call, [&](const Hash::Entry& entry) { yield(call, pair(call, entry.key, entry.value)); });
    return call.self;
}

Object hash_each_key(const Call& call) {
    if (!call.block) return enumerator(call, "each_key");
    walk_entries(call, [&](const Hash::Entry& entry) { yield(call, entry.key); });
    return call.self;
}

Object hash_each_value(const Call& call) {
    if (!call.block) return enumerator(call, "each_value");
    walk_entries(call, [&](const Hash::Entry& entry) { yield(call, entry.value); });
    return call.self;
}

Object hash_any(const Call& call) {
    if (call.arguments.empty() && !call.block) return Object(!read_hash(call).entries.empty());
    bool any = false;
    walk(call, call.self, [&](const Object& item) {
        any = call.arguments.empty() ? yield(call, item).truthy()
                                     : case_equal(call.machine, call.arguments[0], item);
        return !any;
    });
    return Object(any);
}

Object hash_to_h(const Call& call) {
    if (!call.block) {
        if (read_hash(call).fallback_block) not_native("to_h of a hash with a default");
        return call.self;
    }
    const Object made = call.machine.heap().hash();
    walk_entries(call, [&](const Hash::Entry& entry) {
        const Object answer = yield(call, entry.key, entry.value);
        if (!answer.is(Kind::Array))
            raise_type("wrong element type " + conversion_name(answer) + " (expected array)");
        const auto& items = answer.array().items;
        if (items.size() != 2)
            raise_argument("element has wrong array length (expected 2, was " + std::to_string(items.size()) +
                           ")");
        made.hash().set(items[0], items[1]);
    });
    return made;
}

Object hash_assoc(const Call& call) {
    // Compatibility: keys are compared with ==, so that 0.0 finds 0, and one that has changed is found, too.
    for (const Hash::Entry& entry : read_hash(call).entries) {
        if (equal_objects(call, entry.key, call.arguments[0])) return pair(call, entry.key, entry.value);
    }
    return {};
}

Object hash_rassoc(const Call& call) {
    for (const Hash::Entry& entry : read_hash(call).entries) {
        if (equal_objects(call, entry.value, call.arguments[0])) return pair(call, entry.key, entry.value);
    }
    return {};
}

Object hash_invert(const Call& call) {
    const Object made = call.machine.heap().hash();
    for (const Hash::Entry& entry : read_hash(call).entries) made.hash().set(entry.value, entry.key);
    return made;
}

bool is_subset(const Hash& small, const Hash& large) {
    return std::all_of(small.entries.begin(), small.entries.end(), [&](const Hash::Entry& entry) {
        const Object* const found = large.find(entry.key);
        return found && equal(entry.value, *found);
    });
}

template <bool reversed, bool strict>
Object hash_subset(const Call& call) {
    const Hash& other = to_hash(call.arguments[0]);
    const Hash& small = reversed ? other : read_hash(call);
    const Hash& large = reversed ? read_hash(call) : other;
    const bool sized =
        strict ? small.entries.size() < large.entries.size() : small.entries.size() <= large.entries.size();
    return Object(sized && is_subset(small, large));
}

Object hash_default(const Call& call) {
    if (read_hash(call).fallback_block && !call.arguments.empty()) not_native("Hash#default with a key");
    return read_hash(call).fallback_block ? Object() : read_hash(call).fallback;
}

Object hash_itself(const Call& call) { return call.self; }

Object hash_default_block(const Call& call) {
    return read_hash(call).fallback_block ? Object(*read_hash(call).fallback_block) : Object();
}

constexpr Method hash_table[] = {
    {"<", 1, 1, hash_subset<false, true>},
    {"<=", 1, 1, hash_subset<false, false>},
    {">", 1, 1, hash_subset<true, true>},
    {">=", 1, 1, hash_subset<true, false>},
    {"[]", 1, 1, hash_at},
    {"any?", 0, 1, hash_any},
    {"assoc", 1, 1, hash_assoc},
    {"default", 0, 1, hash_default},
    {"default_proc", 0, 0, hash_default_block},
    {"dig", 1, Method::any, hash_dig},
    {"each", 0, 0, hash_each, false, true},
    {"each_key", 0, 0, hash_each_key, false, true},
    {"each_pair", 0, 0, hash_each, false, true},
    {"each_value", 0, 0, hash_each_value, false, true},
    {"empty?", 0, 0, [](const Call& call) { return Object(read_hash(call).entries.empty()); }},
    {"fetch", 1, 2, hash_fetch, false, true},
    {"fetch_values", 0, Method::any, hash_fetch_values},
    {"has_key?", 1, 1, hash_has_key},
    {"has_value?", 1, 1, hash_has_value},
    {"include?", 1, 1, hash_has_key},
    {"invert", 0, 0, hash_invert},
    {"key", 1, 1, hash_key},
    {"key?", 1, 1, hash_has_key},
    {"keys", 0, 0, hash_keys},
    {"length", 0, 0, hash_length},
    {"member?", 1, 1, hash_has_key},
    {"rassoc", 1, 1, hash_rassoc},
    {"size", 0, 0, hash_length},
    {"to_h", 0, 0, hash_to_h},
    {"to_hash", 0, 0, hash_itself},
    {"value?", 1, 1, hash_has_value},
    {"values", 0, 0, hash_values},
    {"values_at", 0, Method::any, hash_values_at},
};

}  // namespace

Table hash_methods() { return hash_table; }

}  // namespace volley::ruby::methods
