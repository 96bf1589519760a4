#include "apply/compiler/name_table.hpp"

#include "support/text_hash.hpp"

namespace volley {

std::size_t NameTable::place_of(std::string_view name, std::size_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].resource && (slots_[at].hash != hash || slots_[at].name != name)) at = (at + 1) & mask;
    return at;
}

void NameTable::grow() {
    const std::vector<Slot> old = std::move(slots_);
    slots_ = std::vector<Slot>(old.empty() ? 16 : old.size() * 2);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (!slot.resource) continue;
        std::size_t at = slot.hash & mask;
        while (slots_[at].resource) at = (at + 1) & mask;
        slots_[at] = slot;
    }
}

Resource* NameTable::add(std::string_view name, Resource& resource) {
    if ((used_ + 1) * 3 > slots_.size() * 2) grow();
    const std::size_t hash = text_hash(name);
    Slot& slot = slots_[place_of(name, hash)];
    if (!slot.resource) {
        slot = {name, &resource, hash};
        ++used_;
    }
    return slot.resource;
}

Resource* NameTable::find(std::string_view name) const {
    if (slots_.empty()) return nullptr;
    return slots_[place_of(name, text_hash(name))].resource;
}

}  // namespace volley
