#include "support/block_cache.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <malloc.h>

#include <cstring>
#include <vector>

using volley::BlockCache;

namespace {

void* make_block(std::size_t bytes) { return std::malloc(BlockCache::class_bytes(bytes)); }

/// Empties the cache at the end of a test.
struct OpenCache {
    explicit OpenCache(std::size_t bytes = BlockCache::most) { blocks.open(bytes); }
    ~OpenCache() { blocks.clear(); }
    BlockCache blocks;
};

}  // namespace

TEST_CASE("a block that was given back serves the next request of its size") {
    OpenCache cache;
    for (std::size_t bytes = 0; bytes <= BlockCache::largest; ++bytes) {
        INFO(bytes << " bytes");
        void* const block = make_block(bytes);
        REQUIRE(cache.blocks.keep(block, bytes));
        REQUIRE(cache.blocks.take(bytes) == block);
        std::memset(block, 0xA5, bytes);  // the sanitizers' builds see whether so much is there
        // malloc may have made it larger than was asked for; it then serves the class that it is large enough for.
        const std::size_t usable = ::malloc_usable_size(block);
        const std::size_t served = std::min(usable, BlockCache::largest);
        REQUIRE(cache.blocks.keep_of_size(block, usable));
        REQUIRE(cache.blocks.take(served) == block);
        REQUIRE(cache.blocks.take(bytes) == nullptr);
        std::free(block);
    }
}

TEST_CASE("a block serves the largest request of its class, and no larger one") {
    OpenCache cache;
    REQUIRE(cache.blocks.keep(make_block(25), 25));
    CHECK(cache.blocks.take(41) == nullptr);
    CHECK(cache.blocks.take(24) == nullptr);
    void* const block = cache.blocks.take(40);
    REQUIRE(block != nullptr);
    CHECK(::malloc_usable_size(block) >= 40);
    std::free(block);
}

TEST_CASE("large blocks, and more than the cache may hold, stay the caller's") {
    OpenCache cache(64);
    void* const large = make_block(BlockCache::largest + 1);
    CHECK_FALSE(cache.blocks.keep(large, BlockCache::largest + 1));
    CHECK_FALSE(cache.blocks.keep_of_size(large, BlockCache::largest + 16));
    CHECK(cache.blocks.take(BlockCache::largest + 1) == nullptr);
    std::free(large);

    void* const first = make_block(40);
    void* const second = make_block(40);
    CHECK(cache.blocks.keep(first, 40));
    CHECK_FALSE(cache.blocks.keep(second, 40));
    CHECK(cache.blocks.take(40) == first);
    CHECK(cache.blocks.keep(second, 40));  // there is room again
    std::free(first);
}

TEST_CASE("a cache that was not opened, or was cleared, keeps nothing") {
    BlockCache cache;
    void* const block = make_block(40);
    CHECK_FALSE(cache.keep(block, 40));
    cache.open(BlockCache::most);
    CHECK(cache.keep(block, 40));
    cache.clear();  // frees it
    CHECK(cache.take(40) == nullptr);
    void* const late = make_block(40);
    CHECK_FALSE(cache.keep(late, 40));
    std::free(late);
}
