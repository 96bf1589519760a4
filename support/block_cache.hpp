#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace volley {

/// Small blocks of memory that one thread has given back, by size, for its next requests: taking one is a few instructions,
/// where malloc() and free() together are two hundred once more than a handful come back at a time. Constant
/// initialised and without a destructor, as a variable of a thread has to be that memory is freed into until the very end;
/// clear() gives the blocks back. Used by one thread.
class BlockCache {
public:
    /// Blocks for larger requests are not kept, bytes.
    static constexpr std::size_t largest = 1032;
    /// What is kept at most, bytes.
    static constexpr std::size_t most = std::size_t{4} << 20;

    /// How much to allocate for a request, so that the block can serve all requests of its class.
    static constexpr std::size_t class_bytes(std::size_t bytes) noexcept {
        return bytes > largest ? bytes : bytes_of(class_for(bytes));
    }

    /// A block of at least `bytes` bytes; nullptr when none is kept.
    void* take(std::size_t bytes) noexcept {
        if (bytes > largest) return nullptr;
        const std::size_t place = class_for(bytes);
        Free* const block = free_[place];
        if (!block) return nullptr;
        free_[place] = block->next;
        room_ += bytes_of(place);
        return block;
    }

    /// Keeps a block that malloc() has made for class_bytes(bytes). False: it is not kept, and the caller's as before.
    bool keep(void* block, std::size_t bytes) noexcept {
        return bytes <= largest && keep_in(class_for(bytes), block);
    }

    /// The same for a block of which only the size is known, that of malloc_usable_size().
    bool keep_of_size(void* block, std::size_t usable) noexcept {
        return usable >= smallest && usable < largest + step && keep_in((usable - smallest) / step, block);
    }

    /// Lets the cache hold so many bytes, 0 at first.
    void open(std::size_t bytes) noexcept { room_ = bytes; }

    /// Frees every block; from now on none is kept.
    void clear() noexcept {
        for (Free*& first : free_) {
            while (first) {
                Free* const block = first;
                first = block->next;
                std::free(block);
            }
        }
        room_ = 0;
    }

private:
    struct Free {
        Free* next;
    };
    // The sizes of glibc's blocks: 24, 40, 56 and so on; nothing is lost when a request grows to its class.
    static constexpr std::size_t smallest = 24;
    static constexpr std::size_t step = 16;
    static constexpr std::size_t class_for(std::size_t bytes) noexcept {
        return bytes <= smallest ? 0 : (bytes - smallest + step - 1) / step;
    }
    static constexpr std::size_t bytes_of(std::size_t place) noexcept { return smallest + place * step; }

    bool keep_in(std::size_t place, void* block) noexcept {
        if (room_ < bytes_of(place)) return false;
        room_ -= bytes_of(place);
        free_[place] = ::new (block) Free{free_[place]};
        return true;
    }

    static constexpr std::size_t classes = (largest - smallest) / step + 1;
    std::array<Free*, classes> free_{};
    std::size_t room_ = 0;
};

}  // namespace volley
