#include "support/text_hash.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <unordered_set>

using volley::text_hash;

TEST_CASE("every byte of a text and its length count in its hash") {
    for (std::size_t size = 0; size < 40; ++size) {
        const std::string text(size, 'x');
        CHECK(text_hash(text) == text_hash(std::string(text)));
        CHECK(text_hash(text) != text_hash(text + "x"));
        CHECK(text_hash(text) != text_hash(text + '\0'));
        for (std::size_t i = 0; i < size; ++i) {
            std::string other = text;
            other[i] = 'y';
            INFO("byte " << i << " of " << size);
            CHECK(text_hash(text) != text_hash(other));
        }
    }
}

TEST_CASE("names that count up spread over a table, also by the low bits of their hashes") {
    std::unordered_set<std::size_t> places;
    for (int i = 0; i < 4096; ++i) places.insert(text_hash("/srv/www/file" + std::to_string(i)) % 8192);
    CHECK(places.size() > 3000);  // 3,223 at random
}
