#include "support/files/file_cache.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace volley;

namespace {

/// A file that never was on a disk, and how often it was read and worked on.
struct CachedFile {
    std::string text = "one";
    FileStamp stamp = [] {
        FileStamp first;
        first.size = 3;
        return first;
    }();
    int reads = 0;
    int made = 0;

    /// As if it had been written a moment later.
    void write(std::string content) {
        text = std::move(content);
        ++stamp.changed.tv_sec;
    }
    std::string get(FileCache<std::string>& cache, const std::string& key = "file") {
        return *cache.get(
            key, stamp,
            [this] {
                ++reads;
                return text;
            },
            [this](std::string content) {
                ++made;
                if (content == "wrong") throw std::runtime_error("wrong");
                return std::make_shared<const std::string>(content + "!");
            });
    }
};

}  // namespace

TEST_CASE("a file that stays as it is is read once", "[cache]") {
    FileCache<std::string> cache;
    CachedFile file;
    CHECK(file.get(cache) == "one!");
    CHECK(file.get(cache) == "one!");
    CHECK(file.reads == 1);
    CHECK(file.made == 1);
}

TEST_CASE("a file that changed is read again", "[cache]") {
    FileCache<std::string> cache;
    CachedFile file;
    file.get(cache);
    file.write("two");
    CHECK(file.get(cache) == "two!");
    CHECK(file.reads == 2);
}

TEST_CASE("a file that was written a moment ago is read again, and worked on when its text differs",
          "[cache]") {
    FileCache<std::string> cache;
    CachedFile file;
    file.stamp.settled = false;
    file.get(cache);
    CHECK(file.get(cache) == "one!");
    CHECK(file.reads == 2);
    CHECK(file.made == 1);
    file.text = "two";  // within the same tick of the file system's clock
    CHECK(file.get(cache) == "two!");
    CHECK(file.made == 2);
}

TEST_CASE("a result that something besides the file has made invalid is made again", "[cache]") {
    FileCache<std::string> cache;
    const FileStamp stamp{.size = 3};
    bool valid = true;
    int made = 0;
    const auto get = [&] {
        return *cache.get(
            "file", stamp, [] { return std::string("one"); },
            [&made](const std::string& text) {
                return std::make_shared<const std::string>(text + std::to_string(++made));
            },
            [&valid](const std::string&) { return valid; });
    };
    CHECK(get() == "one1");
    CHECK(get() == "one1");
    valid = false;
    CHECK(get() == "one2");
    valid = true;
    CHECK(get() == "one2");
}

TEST_CASE("what is made with other settings is kept beside", "[cache]") {
    FileCache<std::string> cache;
    CachedFile file;
    file.get(cache, "file strict");
    file.get(cache, "file lenient");
    CHECK(file.made == 2);
    CHECK(cache.size() == 2);
}

TEST_CASE("a mistake is thrown each time, and the old result is gone", "[cache]") {
    FileCache<std::string> cache;
    CachedFile file;
    file.get(cache);
    file.write("wrong");
    CHECK_THROWS_WITH(file.get(cache), "wrong");
    CHECK_THROWS_WITH(file.get(cache), "wrong");
    file.write("right");
    CHECK(file.get(cache) == "right!");
}

TEST_CASE("the cache is bounded by files and by bytes, and keeps what is used", "[cache]") {
    CachedFile file;
    SECTION("files") {
        FileCache<std::string> cache({.files = 10});
        for (int i = 0; i < 1000; ++i) file.get(cache, std::to_string(i));
        CHECK(cache.size() <= 10);
    }
    SECTION("bytes") {
        FileCache<std::string> cache({.bytes = 10'000});
        file.text = std::string(1000, 'x');
        for (int i = 0; i < 1000; ++i) file.get(cache, std::to_string(i));
        CHECK(cache.size() <= 11);
    }
    SECTION("in use") {
        FileCache<std::string> cache({.files = 2});
        const auto make = [](std::string text) {
            return std::make_shared<const std::string>(std::move(text));
        };
        std::vector<std::shared_ptr<const std::string>> used;
        for (int i = 0; i < 100; ++i)
            used.push_back(cache.get(
                std::to_string(i), file.stamp, [&] { return file.text; }, make));
        CHECK(cache.get(
                  "0", file.stamp, [&] { return file.text; }, make) == used[0]);
        CHECK(cache.size() == 100);
    }
}

TEST_CASE("CODE-2.8 a file is found as quickly when very many are in use", "[cache]") {
    FileCache<std::string> cache({.files = 10});
    CachedFile file;
    const auto get = [&](int number) {
        return cache.get(
            std::to_string(number), file.stamp, [&] { return file.text; },
            [](std::string text) { return std::make_shared<const std::string>(std::move(text)); });
    };
    std::vector<std::shared_ptr<const std::string>> used;
    for (int i = 0; i < 1000; ++i) used.push_back(get(i));
    CHECK(cache.sweeps() == 7);  // with 10 entries, and each time that they have doubled
    for (int i = 0; i < 1000; ++i) CHECK(get(i) == used[static_cast<std::size_t>(i)]);
    CHECK(cache.sweeps() == 7);
}

TEST_CASE("threads that ask for the same file wait for one reading", "[cache]") {
    FileCache<int> cache;
    FileStamp stamp;
    stamp.size = 1;
    std::atomic<int> reads = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            for (int round = 0; round < 100; ++round) {
                cache.get(
                    "file", stamp,
                    [&] {
                        ++reads;
                        return std::string("text");
                    },
                    [](const std::string&) { return std::make_shared<const int>(1); });
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(reads == 1);
}
