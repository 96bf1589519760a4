#include "planner/module_install/sources/unpack.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <memory>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/files/temporary_folder.hpp"

namespace volley::modules {
namespace {

namespace fs = std::filesystem;

struct TarEntry {
    std::string path;
    std::string content = {};
    mode_t type = AE_IFREG;
    std::string link = {};  // symbolic for AE_IFLNK, else a hard link
    mode_t mode = 0644;
};

/// A tar.gz of these entries, as they are.
std::string tar_of(const std::vector<TarEntry>& entries) {
    std::string bytes(8UL << 20, '\0');
    std::size_t used = 0;
    struct archive* writer = ::archive_write_new();
    ::archive_write_add_filter_gzip(writer);
    ::archive_write_set_format_pax_restricted(writer);
    REQUIRE(::archive_write_open_memory(writer, bytes.data(), bytes.size(), &used) == ARCHIVE_OK);
    for (const TarEntry& one : entries) {
        struct archive_entry* entry = ::archive_entry_new();
        ::archive_entry_set_pathname(entry, one.path.c_str());
        ::archive_entry_set_filetype(entry, one.type);
        ::archive_entry_set_perm(entry, one.mode);
        ::archive_entry_set_size(entry, static_cast<la_int64_t>(one.content.size()));
        if (one.type == AE_IFLNK) ::archive_entry_set_symlink(entry, one.link.c_str());
        if (one.type == AE_IFREG && !one.link.empty()) ::archive_entry_set_hardlink(entry, one.link.c_str());
        REQUIRE(::archive_write_header(writer, entry) == ARCHIVE_OK);
        ::archive_write_data(writer, one.content.data(), one.content.size());
        ::archive_entry_free(entry);
    }
    ::archive_write_close(writer);
    ::archive_write_free(writer);
    bytes.resize(used);
    return bytes;
}

/// A goal inside of a folder in which nothing else must appear.
struct UnpackWorld {
    TemporaryFolder outside{"volley-unpack-test-"};
    fs::path goal = outside.path() / "goal";
    UnpackWorld() { fs::create_directory(goal); }
    std::string unpack(const std::string& bytes, UnpackLimits limits = {}) {
        try {
            unpack_archive(bytes, goal, {.what = "a/b 1.0.0", .one_top_folder = true, .limits = limits});
        } catch (const Error& error) {
            CHECK(error.info().kind() == "bolt/module-archive-error");
            return error.what();
        }
        return "fine";
    }
    std::size_t entries_outside() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(outside.path()), fs::directory_iterator()));
    }
};

}  // namespace

TEST_CASE("MGT-010 an archive is unpacked without its top folder", "[modules]") {
    UnpackWorld world;
    const std::string bytes = tar_of({{"a-b-1.0.0", "", AE_IFDIR, "", 0755},
                                      {"a-b-1.0.0/metadata.json", "{}"},
                                      {"./a-b-1.0.0/tasks/x.sh", "#!/bin/sh\n", AE_IFREG, "", 06755},
                                      {"a-b-1.0.0/tasks/same.sh", "", AE_IFREG, "a-b-1.0.0/tasks/x.sh"},
                                      {"a-b-1.0.0/files/deep/link", "", AE_IFLNK, "../../tasks/x.sh"}});
    CHECK(world.unpack(bytes) == "fine");
    CHECK(read_file(world.goal / "metadata.json", "test") == "{}");
    struct stat info {};
    REQUIRE(::stat((world.goal / "tasks/x.sh").c_str(), &info) == 0);
    CHECK((info.st_mode & 07777) == (0755 & ~::umask(022) & 07777));
    CHECK(read_file(world.goal / "tasks/same.sh", "test") == "#!/bin/sh\n");
    CHECK(info.st_nlink == 1);
    CHECK(read_file(world.goal / "files/deep/link", "test") == "#!/bin/sh\n");
    CHECK(file_in_archive(bytes, "metadata.json", "a/b") == "{}");
    CHECK(file_in_archive(bytes, "x.sh", "a/b").empty());
}

TEST_CASE("MGT-010 nothing of an archive leaves the module's folder", "[modules]") {
    struct Row {
        std::string name, problem;
        std::vector<TarEntry> entries;
    };
    const Row rows[] = {
        {"absolute", "outside of the module", {{"/etc/evil", "x"}}},
        {"above", "outside of the module", {{"m/../../evil", "x"}}},
        {"above at once", "outside of the module", {{"../evil", "x"}}},
        {"two tops", "does not lie in the folder 'm'", {{"m/a", "x"}, {"n/b", "x"}}},
        {"a file as top", "the top is not a folder", {{"m", "x"}}},
        {"absolute link", "link leads out", {{"m/l", "", AE_IFLNK, "/etc/passwd"}}},
        {"link above", "link leads out", {{"m/l", "", AE_IFLNK, "../evil"}}},
        {"link to the top's parent", "link leads out", {{"m/a/l", "", AE_IFLNK, "../.."}}},
        {"'..' after a name", "link leads out", {{"m/a/l", "", AE_IFLNK, "b/../../x"}}},
        {"the top as link", "link leads out", {{"m", "", AE_IFLNK, "x"}}},
        {"hard link to outside", "outside of the module", {{"m/h", "", AE_IFREG, "m/../../evil"}}},
        {"hard link to nothing", "not a file of the archive", {{"m/h", "", AE_IFREG, "m/none"}}},
        {"a file through a link",
         "File exists",
         {{"m/l", "", AE_IFLNK, "d"}, {"m/d/x", "x"}, {"m/l/evil", "x"}}},
        {"a link through a link",
         "File exists",
         {{"m/p/q/l", "", AE_IFLNK, "../.."}, {"m/p/q/l/x", "", AE_IFLNK, "../../.."}}},
        {"device", "neither a file nor a folder", {{"m/null", "", AE_IFCHR}}},
        {"pipe", "neither a file nor a folder", {{"m/pipe", "", AE_IFIFO}}},
        {"empty", "", {}},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            UnpackWorld world;
            const std::string said = world.unpack(tar_of(row.entries));
            CHECK_THAT(said, Catch::Contains(row.problem));
            CHECK(said != "fine");
            CHECK(world.entries_outside() == 1);
        }
    }
}

TEST_CASE("MGT-010 archives without measure, and what is none, are refused", "[modules]") {
    const std::string zeros(4UL << 20, '\0');
    CHECK_THAT(UnpackWorld().unpack(tar_of({{"m/a", zeros}}), {.bytes = 1UL << 20}),
               Catch::Contains("larger than 1 MiB"));
    std::vector<TarEntry> many;
    for (int i = 0; i < 30; ++i) many.push_back({"m/" + std::to_string(i), "x"});
    CHECK_THAT(UnpackWorld().unpack(tar_of(many), {.entries = 20}), Catch::Contains("more than 20 entries"));
    std::string deep = "m";
    for (int i = 0; i < 150; ++i) deep += "/d";
    CHECK_THAT(UnpackWorld().unpack(tar_of({{deep, "x"}})), Catch::Contains("too deep"));
    CHECK(UnpackWorld().unpack("<html>not found</html>") != "fine");
    CHECK(UnpackWorld().unpack("") != "fine");
    const std::string whole = tar_of({{"m/a", std::string(100000, 'x')}});
    CHECK(UnpackWorld().unpack(whole.substr(0, whole.size() / 2)) != "fine");
}

}  // namespace volley::modules
