// The program's memory: compiling a catalog makes and drops some fifty thousand small objects, strings and lists most of
// them. The library functions for memory spend a quarter of the whole on those, so each thread keeps what it gives back.
// Sanitizers have functions of their own, which must see every block.

#include <malloc.h>

#include <cstdlib>
#include <new>

#include "support/block_cache.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define VOLLEY_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VOLLEY_SANITIZED
#endif

#ifndef VOLLEY_SANITIZED

namespace volley::cli {
namespace {

constinit thread_local BlockCache kept_blocks;

/// Opens the thread's cache and, at the end of the thread, empties it. Blocks that later destructors free are not kept.
struct KeptBlocksOwner {
    KeptBlocksOwner() noexcept { kept_blocks.open(BlockCache::most); }
    ~KeptBlocksOwner() { kept_blocks.clear(); }
    KeptBlocksOwner(const KeptBlocksOwner&) = delete;
    KeptBlocksOwner& operator=(const KeptBlocksOwner&) = delete;
};

[[gnu::noinline]] void* allocate_block(std::size_t bytes) {
    static thread_local KeptBlocksOwner owner;  // here, because fast paths ask for no more than they need
    for (;;) {
        if (void* const block = std::malloc(BlockCache::class_bytes(bytes))) return block;
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

}  // namespace
}  // namespace volley::cli

// The other forms of new and delete, but for those of aligned memory, call these.
void* operator new(std::size_t bytes) {
    if (void* const block = volley::cli::kept_blocks.take(bytes)) return block;
    return volley::cli::allocate_block(bytes);
}

void operator delete(void* block) noexcept {
    if (block && !volley::cli::kept_blocks.keep_of_size(block, ::malloc_usable_size(block))) std::free(block);
}

void operator delete(void* block, std::size_t bytes) noexcept {
    if (block && !volley::cli::kept_blocks.keep(block, bytes)) std::free(block);
}

#endif
