#include "apply/agent/machine/files.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "apply/agent/machine/process.hpp"
#include "apply/agent/machine/unfinished_files.hpp"
#include "apply/agent/values/errors.hpp"

using namespace volley::agent;

namespace {

struct Folder {
    std::string path = "/tmp/agent_files.XXXXXX";
    Folder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
    ~Folder() { remove_tree(path); }
};

int syncs = 0;

}  // namespace

/// In place of the C library's.
extern "C" int fsync(int) {
    ++syncs;
    return 0;
}

TEST_CASE("a file that is not put into place leaves the old one and nothing beside it", "[agent][files]") {
    const Folder folder;
    const std::string path = folder.path + "/f";
    replace_content(path, "old", 0600);
    {
        ReplacedFile file(path, "", 0644);
        file.write("new");
        CHECK(file_stat(file.temporary_path(), false)->mode ==
              0600);  // nobody else reads it before it is complete
        file.complete();
    }
    CHECK(read_whole(path) == "old");
    CHECK(names_in(folder.path).size() == 1);
}

TEST_CASE("a file that is replaced keeps its mode, and a new one has the given one", "[agent][files]") {
    const Folder folder;
    const std::string path = folder.path + "/f";
    replace_content(path, "one", 0640);
    replace_content(path, "two", 0777);
    CHECK(file_stat(path, false)->mode == 0640);
    CHECK(read_whole(path) == "two");
}

TEST_CASE("only what can lose earlier content waits for the disk", "[agent][files]") {
    const Folder folder;
    const std::string path = folder.path + "/a";
    const auto syncs_of = [&](std::string_view content, ReplacedFile::Waits waits) {
        const int before = syncs;
        ReplacedFile file(path, "", 0644);
        file.write(content);
        file.complete(waits);
        file.put_into_place();
        CHECK(read_whole(path) == content);
        return syncs - before;
    };
    using Waits = ReplacedFile::Waits;
    CHECK(syncs_of("new", Waits::WhenItReplaces) == 0);
    CHECK(syncs_of("another", Waits::WhenItReplaces) == 1);
    CHECK(syncs_of("of no account", Waits::Never) == 0);
    remove_file(path);
    CHECK(syncs_of("the only copy", Waits::Always) == 1);
}

TEST_CASE("removing a folder does not follow links out of it", "[agent][files]") {
    const Folder folder;
    ::mkdir((folder.path + "/keep").c_str(), 0755);
    replace_content(folder.path + "/keep/file", "x", 0644);
    ::mkdir((folder.path + "/gone").c_str(), 0755);
    REQUIRE(::symlink("../keep", (folder.path + "/gone/link").c_str()) == 0);
    remove_tree(folder.path + "/gone");
    CHECK_FALSE(file_stat(folder.path + "/gone", false));
    CHECK(file_exists(folder.path + "/keep/file"));
    CHECK_NOTHROW(remove_tree(folder.path + "/gone"));
}

TEST_CASE("paths are made plain", "[agent][files]") {
    CHECK(plain_path("//a//b/./c/../d/") == "/a/b/d");
    CHECK(plain_path("/..") == "/");
    CHECK(parent_of("/a") == "/");
    CHECK(parent_of("/a/b") == "/a");
}

TEST_CASE("a command that takes too long is ended with what it started", "[agent][process]") {
    const Folder folder;
    Command command(
        {"/bin/sh", "-c", "(trap '' TERM; sleep 300) & echo $! > " + folder.path + "/pid; echo out; wait"});
    command.timeout = 0.5;
    const Finished done = run(command);
    CHECK(done.timed_out);
    CHECK(done.output == "out\n");
    const int child = std::atoi(read_whole(folder.path + "/pid").c_str());
    REQUIRE(child > 1);
    // It was killed as a member of the group; the kernel may still have to take it away.
    for (int i = 0; i < 500 && ::kill(child, 0) == 0; ++i) {
        const std::string state = file_exists("/proc/" + std::to_string(child) + "/stat")
                                      ? read_whole("/proc/" + std::to_string(child) + "/stat")
                                      : std::string(") Z");
        if (state.find(") Z") != std::string::npos) break;
        ::usleep(10'000);
    }
    const bool gone = ::kill(child, 0) != 0 ||
                      read_whole("/proc/" + std::to_string(child) + "/stat").find(") Z") != std::string::npos;
    CHECK(gone);
}

TEST_CASE("what stays in the background does not hold up its parent's end", "[agent][process]") {
    Command command({"/bin/sh", "-c", "sleep 30 & echo done"});
    command.timeout = 20;
    const Finished done = run(command);
    CHECK_FALSE(done.timed_out);
    CHECK(done.exit_code == 0);
    CHECK(done.output == "done\n");
}

TEST_CASE("a large input and a large output do not wait for each other", "[agent][process]") {
    Command command(std::vector<std::string>{"/bin/cat"});
    command.input = std::string(1 << 20, 'x');
    command.timeout = 60;
    CHECK(run(command).output == command.input);
}

TEST_CASE("a command line is read as Ruby's exec reads it", "[agent][process]") {
    using Words = std::vector<std::string>;
    CHECK(command_words("/bin/echo  a\tb") == Words{"/bin/echo", "a", "b"});
    CHECK(command_words("/bin/env A=b") == Words{"/bin/env", "A=b"});
    for (const char* line : {"A=b /bin/true", "echo $x", "a; b", "a|b", "exit 3", "a 'b'", "a #b", "a\nb"})
        CHECK(command_words(line) == Words{"/bin/sh", "-c", line});
}

namespace {

/// As when the agent is killed while it replaces the file: the path of what it leaves.
std::string killed_while_replacing(const std::string& state, const std::string& target) {
    const pid_t child = ::fork();
    if (child == 0) {
        UnfinishedFiles files(state);
        ReplacedFile file(target, "", 0644);
        file.write("half");
        replace_content(state + "/left", file.temporary_path(), 0600);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return read_whole(state + "/left");
}

}  // namespace

TEST_CASE("a temporary file is noted until it is in its place", "[agent][files]") {
    const Folder folder;
    const std::string notes = folder.path + "/unfinished";
    UnfinishedFiles files(folder.path);
    {
        ReplacedFile file(folder.path + "/a", "", 0644);
        CHECK(read_whole(notes).find(file.temporary_path() + std::string(1, '\0')) != std::string::npos);
        ReplacedFile other(folder.path + "/b", "", 0644);
        file.complete();
        file.put_into_place();
        CHECK(read_whole(notes).find(other.temporary_path()) != std::string::npos);
    }
    CHECK(read_whole(notes).empty());
    CHECK(files.remove_leftovers().empty());
    CHECK(file_exists(folder.path + "/a"));
}

TEST_CASE("what a killed run left is removed, and nothing that took its place", "[agent][files]") {
    const Folder folder;
    make_folders(folder.path + "/state", 0700);
    make_folders(folder.path + "/d", 0755);
    const std::string state = folder.path + "/state", target = folder.path + "/d/a";
    const auto leftovers = [&] { return UnfinishedFiles(state).remove_leftovers(); };
    std::string left = killed_while_replacing(state, target);
    REQUIRE(file_exists(left));
    CHECK(leftovers() == std::vector<std::string>{left});
    CHECK_FALSE(file_exists(left));
    CHECK(leftovers().empty());

    left = killed_while_replacing(state, target);
    remove_file(left);
    REQUIRE(::symlink("/etc/passwd", left.c_str()) == 0);
    CHECK(leftovers().empty());
    CHECK(file_stat(left, false)->kind == FileKind::Link);

    left = killed_while_replacing(state, target);
    REQUIRE(::rename((folder.path + "/d").c_str(), (folder.path + "/moved").c_str()) == 0);
    make_folders(folder.path + "/d", 0755);
    replace_content(left, "of somebody else", 0644);
    CHECK(leftovers().empty());
    CHECK(read_whole(left) == "of somebody else");
}

TEST_CASE("notes that nobody wrote like this are ignored", "[agent][files]") {
    const Folder folder;
    const std::string victim = folder.path + "/.plain";
    replace_content(victim, "x", 0644);
    const auto zero = std::string(1, '\0');
    for (const std::string& note :
         {"0 0 " + victim + zero, "x" + zero, zero, "1 2" + zero, "18446744073709551616 1 /.a.abcdef" + zero,
          std::string("1 2 relative/.a.abcdef") + zero, "1 2 " + victim}) {
        replace_content(folder.path + "/unfinished", note, 0600);
        CHECK(UnfinishedFiles(folder.path).remove_leftovers().empty());
    }
    CHECK(file_exists(victim));
}
