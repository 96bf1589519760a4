#include "support/archive/libarchive.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace volley {
namespace {

la_ssize_t keep(archive*, void* into, const void* bytes, std::size_t length) {
    static_cast<std::string*>(into)->append(static_cast<const char*>(bytes), length);
    return static_cast<la_ssize_t>(length);
}

la_ssize_t hand_over(archive*, void* from, const void** bytes) {
    auto& left = *static_cast<std::string_view*>(from);
    *bytes = left.data();
    return static_cast<la_ssize_t>(std::exchange(left, {}).size());
}

/// A tar.gz with one file.
std::string packed(const std::string& name, const std::string& content) {
    const Libarchive& library = libarchive();
    std::string bytes;
    const ArchivePointer writer(library.archive_write_new());
    REQUIRE(library.archive_write_set_format_gnutar(writer.get()) == ARCHIVE_OK);
    REQUIRE(library.archive_write_add_filter_gzip(writer.get()) == ARCHIVE_OK);
    REQUIRE(library.archive_write_open(writer.get(), &bytes, nullptr, keep, nullptr) == ARCHIVE_OK);
    const ArchiveEntryPointer entry(library.archive_entry_new());
    library.archive_entry_set_pathname(entry.get(), name.c_str());
    library.archive_entry_set_filetype(entry.get(), AE_IFREG);
    library.archive_entry_set_perm(entry.get(), 0640);
    library.archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
    REQUIRE(library.archive_write_header(writer.get(), entry.get()) == ARCHIVE_OK);
    REQUIRE(library.archive_write_data(writer.get(), content.data(), content.size()) ==
            static_cast<la_ssize_t>(content.size()));
    REQUIRE(library.archive_write_close(writer.get()) == ARCHIVE_OK);
    return bytes;
}

}  // namespace

TEST_CASE("libarchive is loaded once, by whichever thread needs it first", "[support]") {
    std::vector<const Libarchive*> found(8);
    std::vector<std::thread> threads;
    for (const Libarchive*& one : found) threads.emplace_back([&one] { one = &libarchive(); });
    for (std::thread& thread : threads) thread.join();
    for (const Libarchive* one : found) CHECK(one == &libarchive());
}

TEST_CASE("every function of libarchive in the table is there", "[support]") {
    const Libarchive& library = libarchive();
#define VOLLEY_IS_THERE(name)           \
    {                                   \
        INFO(#name);                    \
        CHECK(library.name != nullptr); \
    }
    VOLLEY_LIBARCHIVE(VOLLEY_IS_THERE)
#undef VOLLEY_IS_THERE
}

TEST_CASE("the functions of libarchive read what they wrote", "[support]") {
    const Libarchive& library = libarchive();
    const std::string bytes = packed("folder/file", "content");
    std::string_view left = bytes;
    const ArchivePointer reader(library.archive_read_new());
    REQUIRE(library.archive_read_support_filter_gzip(reader.get()) == ARCHIVE_OK);
    REQUIRE(library.archive_read_support_format_tar(reader.get()) == ARCHIVE_OK);
    REQUIRE(library.archive_read_open(reader.get(), &left, nullptr, hand_over, nullptr) == ARCHIVE_OK);
    archive_entry* entry = nullptr;
    REQUIRE(library.archive_read_next_header(reader.get(), &entry) == ARCHIVE_OK);
    CHECK(library.archive_entry_pathname(entry) == std::string("folder/file"));
    CHECK(library.archive_entry_filetype(entry) == AE_IFREG);
    CHECK(library.archive_entry_perm(entry) == 0640);
    std::array<char, 100> content{};
    CHECK(library.archive_read_data(reader.get(), content.data(), content.size()) == 7);
    CHECK(content.data() == std::string("content"));
    CHECK(library.archive_read_next_header(reader.get(), &entry) == ARCHIVE_EOF);
}

}  // namespace volley
