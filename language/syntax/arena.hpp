#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace volley {

/// Memory for the nodes of one program: handed out in order, given back all at once, so that a tree of any
/// depth is destroyed without recursion.
class Arena {
public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    template <class T, class... Args>
    T* make(Args&&... args) {
        static_assert(std::is_trivially_destructible_v<T>, "the arena never runs destructors");
        return new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
    }
    template <class T>
    std::span<T> copy(const std::vector<T>& items) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (items.empty()) return {};
        T* memory = static_cast<T*>(allocate(sizeof(T) * items.size(), alignof(T)));
        std::memcpy(memory, items.data(), sizeof(T) * items.size());
        return {memory, items.size()};
    }
    std::string_view copy(std::string_view text) {
        if (text.empty()) return {};
        char* memory = static_cast<char*>(allocate(text.size(), 1));
        std::memcpy(memory, text.data(), text.size());
        return {memory, text.size()};
    }

private:
    void* allocate(std::size_t size, std::size_t alignment) {
        std::size_t at = (used_ + alignment - 1) & ~(alignment - 1);
        if (blocks_.empty() || at + size > capacity_) {
            capacity_ = size > block_size ? size : block_size;
            blocks_.push_back(std::make_unique<std::byte[]>(capacity_));
            at = 0;
        }
        used_ = at + size;
        return blocks_.back().get() + at;
    }

    static constexpr std::size_t block_size = 16 * 1024;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::size_t used_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace volley
