#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/walk.hpp"

/// Hash: hashes made of some of its entries, or of what a block makes of them.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

template <class Take>
Object hash_from_entries(const Call& call, Take take) {
    const Object made = call.machine.heap().hash();
    Hash& from = call.self.hash();
    const HashWalk walking(from);
    for (std::size_t at = 0; at < from.entries.size(); ++at) {
        call.machine.step();
        const Hash::Entry entry = from.entries[at];
        take(made.hash(), entry);
    }
    return made;
}

template <bool wanted>
Object hash_select(const Call& call) {
    if (!call.block) return enumerator(call, wanted ? "select" : "reject");
    return hash_from_entries(call, [&](Hash& made, const Hash::Entry& entry) {
        if (yield(call, entry.key, entry.value).truthy() == wanted) made.set(entry.key, entry.value);
    });
}

Object hash_compact(const Call& call) {
    return hash_from_entries(call, [&](Hash& made, const Hash::Entry& entry) {
        if (!entry.value.is_nil()) made.set(entry.key, entry.value);
    });
}

Object hash_slice(const Call& call) {
    const Object made = call.machine.heap().hash();
    for (const Object& key : call.arguments) {
        if (const Object* const found = call.self.hash().find(key)) made.hash().set(key, *found);
    }
    return made;
}

Object hash_except(const Call& call) {
    const Object unwanted = call.machine.heap().hash();
    for (const Object& key : call.arguments) unwanted.hash().set(key, Object());
    return hash_from_entries(call, [&](Hash& made, const Hash::Entry& entry) {
        if (!unwanted.hash().find(entry.key)) made.set(entry.key, entry.value);
    });
}

Object hash_transform_values(const Call& call) {
    if (!call.block) return enumerator(call, "transform_values");
    return hash_from_entries(
        call, [&](Hash& made, const Hash::Entry& entry) { made.set(entry.key, yield(call, entry.value)); });
}

Object hash_transform_keys(const Call& call) {
    Hash* const names = call.arguments.empty() ? nullptr : &to_hash(call.arguments[0]);
    if (!names && !call.block) return enumerator(call, "transform_keys");
    return hash_from_entries(call, [&](Hash& made, const Hash::Entry& entry) {
        const Object* const renamed = names ? names->find(entry.key) : nullptr;
        if (renamed)
            made.set(*renamed, entry.value);
        else
            made.set(call.block ? yield(call, entry.key) : entry.key, entry.value);
    });
}

constexpr Method hash_choose_table[] = {
    {"compact", 0, 0, hash_compact},
    {"except", 0, Method::any, hash_except},
    {"filter", 0, 0, hash_select<true>},
    {"reject", 0, 0, hash_select<false>},
    {"select", 0, 0, hash_select<true>},
    {"slice", 0, Method::any, hash_slice},
    {"transform_keys", 0, 1, hash_transform_keys},
    {"transform_values", 0, 0, hash_transform_values},
};

}  // namespace

Table hash_choose_methods() { return hash_choose_table; }

}  // namespace volley::ruby::methods
