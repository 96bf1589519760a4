#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace volley {

struct Resource;

/// Resources of one type by title and alias. Open addressing, because a catalog looks up and adds more names
/// than anything else, and each in cold memory.
class NameTable {
public:
    /// Who has the name: `resource`, unless it was taken. The text must stay where it is as long as the
    /// table.
    Resource* add(std::string_view name, Resource& resource);
    /// nullptr when nobody has the name.
    Resource* find(std::string_view name) const;

private:
    struct Slot {
        std::string_view name;
        Resource* resource = nullptr;  // null: free
        std::size_t hash = 0;
    };
    /// The slot of the name, or the free one where it belongs.
    std::size_t place_of(std::string_view name, std::size_t hash) const;
    void grow();

    std::vector<Slot> slots_;  // a power of two of them, or none
    std::size_t used_ = 0;
};

}  // namespace volley
