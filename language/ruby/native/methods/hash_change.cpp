#include <algorithm>

#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/walk.hpp"

/// Hash: what changes it, and merging.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

Hash& own_hash(const Call& call) { return call.self.hash(); }

Object hash_set(const Call& call) {
    own_hash(call).set(call.arguments[0], call.arguments[1]);
    return call.arguments[1];
}

Object hash_delete(const Call& call) {
    Hash& hash = own_hash(call);
    const Object* const found = hash.find(call.arguments[0]);
    if (!found) return call.block ? yield(call, call.arguments[0]) : Object();
    const Object value = *found;
    call.machine.step(1 + hash.entries.size() / 16);
    hash.remove(call.arguments[0]);
    return value;
}

void merge_into(const Call& call, Hash& into) {
    for (const Object& argument : call.arguments) {
        const std::vector<Hash::Entry> entries = to_hash(argument).entries;
        for (const Hash::Entry& entry : entries) {
            call.machine.step();
            const Object* const known = call.block ? into.find(entry.key) : nullptr;
            if (!known) {
                into.set(entry.key, entry.value);
                continue;
            }
            const Object arguments[] = {entry.key, *known, entry.value};
            into.set(entry.key, call.machine.yield(*call.block, arguments));
        }
    }
}

Object copy_of_hash(const Call& call) {
    const Object made = call.machine.heap().hash();
    const Hash& from = own_hash(call);
    call.machine.heap().grown(from.entries.size() * sizeof(Hash::Entry) * 2);
    made.hash().replace(from.entries);
    made.hash().fallback = from.fallback;
    made.hash().fallback_block = from.fallback_block;
    return made;
}

Object hash_merge(const Call& call) {
    const Object made = copy_of_hash(call);
    merge_into(call, made.hash());
    return made;
}

Object hash_update(const Call& call) {
    merge_into(call, own_hash(call));
    return call.self;
}

Object hash_replace(const Call& call) {
    const Hash& with = to_hash(call.arguments[0]);
    if (with.fallback_block || !with.fallback.is_nil()) not_native("Hash#replace with a default");
    if (own_hash(call).fallback_block || !own_hash(call).fallback.is_nil())
        not_native("Hash#replace with a default");
    own_hash(call).replace(std::vector<Hash::Entry>(with.entries));
    return call.self;
}

Object hash_clear(const Call& call) {
    own_hash(call).clear();
    return call.self;
}

Object hash_shift(const Call& call) {
    Hash& hash = own_hash(call);
    if (hash.entries.empty()) {
        if (hash.fallback_block || !hash.fallback.is_nil()) not_native("Hash#shift with a default");
        return {};
    }
    const Hash::Entry first = hash.entries.front();
    call.machine.step(1 + hash.entries.size() / 16);
    hash.remove(first.key);
    return pair(call, first.key, first.value);
}

/// Beyond so many entries the worker's Ruby does it: each entry that goes moves those after it.
constexpr std::size_t most_filtered = 4096;

/// Keeps the entries for which the block answers `kept`. As in Ruby each goes at once, which the block can
/// see and which stays so should it leave early.
template <bool kept, bool nil_when_same>
Object hash_filter_bang(const Call& call) {
    need_block(call, "select! and others");
    Hash& hash = own_hash(call);
    if (hash.iterating > 0) not_native("delete_if and others inside of each");
    const std::vector<Hash::Entry> before = hash.entries;
    if (before.size() > most_filtered) not_native("delete_if and others of a large hash");
    for (const Hash::Entry& entry : before) {
        call.machine.step(1 + before.size() / 16);
        bool keep = false;
        {
            const HashWalk walking(hash);
            keep = yield(call, entry.key, *hash.find(entry.key)).truthy() == kept;
        }
        if (!keep) hash.remove(entry.key);
    }
    return hash.entries.size() != before.size() || !nil_when_same ? call.self : Object();
}

Object hash_compact_bang(const Call& call) {
    std::vector<Hash::Entry> rest = own_hash(call).entries;
    std::erase_if(rest, [](const Hash::Entry& entry) { return entry.value.is_nil(); });
    if (rest.size() == own_hash(call).entries.size()) return {};
    own_hash(call).replace(std::move(rest));
    return call.self;
}

Object hash_transform_values_bang(const Call& call) {
    need_block(call, "transform_values!");
    Hash& hash = own_hash(call);
    const HashWalk walking(hash);
    for (std::size_t at = 0; at < hash.entries.size(); ++at) {
        call.machine.step();
        const Object value = hash.entries[at].value;
        const Object made = yield(call, value);
        hash.entries[at].value = made;
    }
    return call.self;
}

/// As Ruby does it, entry by entry, because the block may look at the hash or leave early.
Object hash_transform_keys_bang(const Call& call) {
    const Hash* const names = call.arguments.empty() ? nullptr : &to_hash(call.arguments[0]);
    if (!names && !call.block) not_native("transform_keys! without a block");
    Hash& hash = own_hash(call);
    if (hash.iterating > 0) not_native("transform_keys! inside of each");
    const std::vector<Hash::Entry> before = hash.entries;
    if (before.size() > most_filtered) not_native("transform_keys! of a large hash");
    const Object made = call.machine.heap().hash();
    for (const Hash::Entry& entry : before) {
        call.machine.step(1 + before.size() / 16);
        const Object* const renamed = names ? names->find(entry.key) : nullptr;
        const Object key = renamed ? *renamed : call.block ? yield(call, entry.key) : entry.key;
        if (!made.hash().find(entry.key)) hash.remove(entry.key);
        hash.set(key, entry.value);
        made.hash().set(key, Object());
    }
    return call.self;
}

Object hash_set_default(const Call& call) {
    own_hash(call).fallback = call.arguments[0];
    own_hash(call).fallback_block = nullptr;
    return call.arguments[0];
}

constexpr Method hash_change_table[] = {
    {"[]=", 2, 2, hash_set, true},
    {"clear", 0, 0, hash_clear, true},
    {"compact!", 0, 0, hash_compact_bang, true},
    {"default=", 1, 1, hash_set_default, true},
    {"delete", 1, 1, hash_delete, true},
    {"delete_if", 0, 0, hash_filter_bang<false, false>, true},
    {"filter!", 0, 0, hash_filter_bang<true, true>, true},
    {"keep_if", 0, 0, hash_filter_bang<true, false>, true},
    {"merge", 0, Method::any, hash_merge},
    {"merge!", 0, Method::any, hash_update, true},
    {"reject!", 0, 0, hash_filter_bang<false, true>, true},
    {"replace", 1, 1, hash_replace, true},
    {"select!", 0, 0, hash_filter_bang<true, true>, true},
    {"shift", 0, 0, hash_shift, true},
    {"store", 2, 2, hash_set, true},
    {"transform_keys!", 0, 1, hash_transform_keys_bang, true},
    {"transform_values!", 0, 0, hash_transform_values_bang, true},
    {"update", 0, Method::any, hash_update, true},
};

}  // namespace

Table hash_change_methods() { return hash_change_table; }

}  // namespace volley::ruby::methods
