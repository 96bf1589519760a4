#include "support/files/temporary_folder.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "support/error.hpp"

using namespace volley;
namespace fs = std::filesystem;

TEST_CASE("a temporary folder is private and goes away with what is in it", "[temporary]") {
    fs::path path;
    {
        const TemporaryFolder folder("volley-support-test-");
        path = folder.path();
        struct stat found {};
        REQUIRE(::stat(path.c_str(), &found) == 0);
        CHECK((found.st_mode & 07777U) == 0700U);
        CHECK(path.filename().string().starts_with("volley-support-test-"));
        fs::create_directories(path / "a/b");
        std::ofstream(path / "a/b/file") << "content";
        const TemporaryFolder inside("x-", path / "a");
        CHECK(inside.path().parent_path() == path / "a");
    }
    CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a temporary folder in no folder is an error that names it", "[temporary]") {
    try {
        const TemporaryFolder folder("x-", "/nonexistent-volley");
        FAIL("made");
    } catch (const Error& error) {
        CHECK(error.info().kind() == "bolt/file-error");
        CHECK(error.info().msg() ==
              "Cannot make a temporary folder in /nonexistent-volley: No such file or directory");
    }
}

TEST_CASE("a signal that ends the process removes the folder first", "[temporary]") {
    const TemporaryFolder outer("volley-support-test-");
    const pid_t child = ::fork();
    if (child == 0) {
        const TemporaryFolder folder("x-", outer.path());
        const RemovedBySignals removed(folder.path());
        std::ofstream(folder.path() / "file") << "content";
        ::kill(::getpid(), SIGTERM);
        ::pause();
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGTERM);
    CHECK(fs::is_empty(outer.path()));
}
