#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/large_text.hpp"
#include "tests/transports/shell/shell_harness.hpp"
#include "transports/errors.hpp"
#include "transports/shell/files/receiver.hpp"

namespace volley::transports {

using testing::ShellHarness;
using testing::TemporaryFolder;

namespace fs = std::filesystem;

namespace {

unsigned mode_of(const fs::path& path) {
    return static_cast<unsigned>(fs::status(path).permissions()) & 0777;
}

std::string content(const fs::path& path) { return read_file(path, "test file"); }

TransportError error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const TransportError& error) {
        return error;
    }
    return connect_error("no error", "NONE");
}

// A tool folder without some programs, for a target that lacks them.
void only_tools(ShellHarness& harness, const TemporaryFolder& bin, const std::vector<std::string>& tools) {
    for (const std::string& tool : tools) fs::create_symlink("/bin/" + tool, bin / tool);
    harness.connection.environment = {{"PATH", bin.path().string()}};
}

// A tree with all that is awkward about trees.
fs::path make_tree(const ShellHarness& harness) {
    harness.local.write("tree/a file", "one");
    harness.local.write("tree/run.sh", "#!/bin/sh\n", 0755);
    harness.local.write("tree/empty", "");
    harness.local.write("tree/deep/er/private", std::string(200'000, 'p'), 0600);
    harness.local.write("elsewhere", "linked");
    fs::create_symlink(harness.local / "elsewhere", harness.local / "tree/link");
    fs::create_directory(harness.local / "tree/hollow");
    harness.local.write("tree/" + std::string(120, 'n') + "/" + std::string(120, 'm'), "long name");
    return harness.local / "tree";
}

void check_tree(const fs::path& root) {
    CHECK(content(root / "a file") == "one");
    CHECK(mode_of(root / "run.sh") == 0755);
    CHECK(content(root / "empty").empty());
    CHECK(volley::testing::difference(content(root / "deep/er/private"), std::string(200'000, 'p')) == "");
    CHECK(mode_of(root / "deep/er/private") == 0600);
    CHECK(content(root / "link") == "linked");
    CHECK(fs::is_regular_file(fs::symlink_status(root / "link")));
    CHECK(fs::is_directory(root / "hollow"));
    CHECK(content(root / std::string(120, 'n') / std::string(120, 'm')) == "long name");
}

// A tar archive with one entry of this kind.
fs::path archive_with(const TemporaryFolder& folder, const std::string& name, unsigned type,
                      const std::string& link) {
    const fs::path path = folder / "hostile.tar";
    archive* out = ::archive_write_new();
    ::archive_write_set_format_gnutar(out);
    REQUIRE(::archive_write_open_filename(out, path.c_str()) == ARCHIVE_OK);
    archive_entry* entry = ::archive_entry_new();
    ::archive_entry_set_pathname(entry, name.c_str());
    ::archive_entry_set_filetype(entry, type);
    ::archive_entry_set_perm(entry, 0644);
    ::archive_entry_set_size(entry, 0);
    if (!link.empty() && type == AE_IFLNK) ::archive_entry_set_symlink(entry, link.c_str());
    if (!link.empty() && type == AE_IFREG) ::archive_entry_set_hardlink(entry, link.c_str());
    REQUIRE(::archive_write_header(out, entry) == ARCHIVE_OK);
    ::archive_entry_free(entry);
    ::archive_write_free(out);
    return path;
}

// A copy program, as scp is one for native-ssh.
class CopyProgram final : public FileCopier {
public:
    Task<void> upload(fs::path local, std::string remote) override {
        fs::copy(local, remote, fs::copy_options::recursive);
        if (breaks) throw file_error("broken off", "COPY_ERROR");
        ++copies;
        co_return;
    }
    Task<void> download(std::string remote, fs::path directory) override {
        if (!fs::exists(remote)) throw file_error("no such file", "COPY_ERROR");
        fs::copy(remote, directory / fs::path(remote).filename(), fs::copy_options::recursive);
        ++copies;
        co_return;
    }
    int copies = 0;
    bool breaks = false;
};

}  // namespace

TEST_CASE("SSH-020 a connection's own copy program is used, with the same rules", "[shell][files]") {
    ShellHarness harness;
    CopyProgram program;
    harness.connection.set_copier(&program);
    harness.remote.write("folder/old", "old");
    harness.upload(harness.local.write("f", "new"), (harness.remote / "folder").string());
    harness.upload(harness.local / "f", (harness.remote / "folder/old").string());
    CHECK(content(harness.remote / "folder/f") == "new");
    CHECK(content(harness.remote / "folder/old") == "new");
    CHECK(harness.download((harness.remote / "folder").string(), harness.local / "d") ==
          harness.local / "d/folder");
    CHECK(content(harness.local / "d/folder/f") == "new");
    CHECK(error_of([&] { harness.download("/no/such", harness.local / "d"); }).info().issue_code() ==
          "COPY_ERROR");
    program.breaks = true;
    CHECK_THAT(error_of([&] {
                   harness.upload(harness.local / "f", (harness.remote / "folder").string() + "/g");
               }).what(),
               Catch::Contains("broken off"));
    CHECK(program.copies == 3);
    CHECK(std::distance(fs::directory_iterator(harness.local / "d"), {}) == 1);
    CHECK(std::distance(fs::directory_iterator(harness.remote / "folder"), {}) == 2);
}

TEST_CASE("SH-022 a file is uploaded whole, with its mode, under every login shell", "[shell][files]") {
    for (const char* words : {"/bin/sh", "/bin/bash", "/bin/tcsh", "/usr/bin/fish"}) {
        if (!fs::exists(words)) continue;
        DYNAMIC_SECTION(words) {
            ShellHarness harness({words});
            std::string bytes;
            for (int i = 0; i < 300'000; ++i) bytes.push_back(static_cast<char>(i * 31 % 251));
            const fs::path to = harness.remote / "it's new";
            harness.upload(harness.local.write("data", bytes, 0750), to.string());
            CHECK(content(to) == bytes);
            CHECK(mode_of(to) == 0750);
            CHECK(harness.connection.lines.size() == 1);
        }
    }
}

TEST_CASE("SH-022 an existing file is replaced, an existing directory gets the file inside",
          "[shell][files]") {
    ShellHarness harness;
    harness.remote.write("old", "old content");
    harness.upload(harness.local.write("new", "new"), (harness.remote / "old").string());
    CHECK(content(harness.remote / "old") == "new");
    fs::create_directory(harness.remote / "folder");
    harness.upload(harness.local / "new", (harness.remote / "folder").string());
    harness.upload(harness.local.write("empty", ""), (harness.remote / "folder/").string());
    CHECK(content(harness.remote / "folder/new") == "new");
    CHECK(content(harness.remote / "folder/empty").empty());
}

TEST_CASE("a relative destination lies below the login folder", "[shell][files]") {
    ShellHarness harness;
    harness.connection.directory = harness.remote.path();
    harness.upload(harness.local.write("f", "x"), "-odd name");
    CHECK(content(harness.remote / "-odd name") == "x");
}

TEST_CASE("SH-022 a directory is uploaded with modes, links followed", "[shell][files]") {
    ShellHarness harness;
    const fs::path tree = make_tree(harness);
    harness.upload(tree, (harness.remote / "copy").string());
    check_tree(harness.remote / "copy");
    fs::create_directory(harness.remote / "there");
    harness.upload(tree, (harness.remote / "there").string());
    check_tree(harness.remote / "there/tree");
    CHECK(harness.connection.lines.size() == 2);
}

TEST_CASE("a target without tar gets a directory all the same", "[shell][files]") {
    ShellHarness harness;
    const TemporaryFolder bin;
    only_tools(harness, bin, {"sh", "mkdir", "cat", "wc", "chmod", "rm", "tail", "head", "mv"});
    harness.upload(make_tree(harness), (harness.remote / "copy").string());
    check_tree(harness.remote / "copy");
    CHECK(harness.connection.lines.size() == 2);
}

TEST_CASE("SH-023 from a target without tar a directory arrives all the same", "[shell][files]") {
    ShellHarness harness;
    const TemporaryFolder bin;
    only_tools(harness, bin, {"sh", "cat", "wc", "ls"});
    const fs::path tree = make_tree(harness);
    fs::create_directory(tree / ".hidden");
    harness.local.write("tree/.hidden/..odd", "dots");
    for (const char* name : {"a", "ab", "abc", "abcd"})
        harness.local.write(std::string("tree/") + name, name);
    harness.download(tree.string(), harness.remote.path());
    check_tree(harness.remote / "tree");
    CHECK(content(harness.remote / "tree/.hidden/..odd") == "dots");
    CHECK(content(harness.remote / "tree/abc") == "abc");
    CHECK(mode_of(harness.remote / "tree/run.sh") == 0755);
    harness.download(tree.string(), harness.remote / "again");
    CHECK(harness.connection.lines.size() == 3);  // it is asked for tar once
}

TEST_CASE("SH-022 a directory that exists is not overwritten", "[shell][files]") {
    ShellHarness harness;
    harness.remote.write("there/tree/precious", "keep");
    harness.local.write("tree/x", "x");
    const TransportError error =
        error_of([&] { harness.upload(harness.local / "tree", (harness.remote / "there").string()); });
    CHECK(error.info().issue_code() == "MV_ERROR");
    CHECK(content(harness.remote / "there/tree/precious") == "keep");
}

TEST_CASE("an upload that fails says what, where and why, and leaves nothing", "[shell][files]") {
    ShellHarness harness;
    const fs::path file = harness.local.write("f", "x");
    const TransportError missing = error_of([&] { harness.upload(file, "/no/such/folder/f"); });
    CHECK(missing.info().kind() == "puppetlabs.tasks/task_file_error");
    CHECK(missing.info().issue_code() == "WRITE_ERROR");
    CHECK_THAT(missing.what(),
               Catch::EndsWith("f' to '/no/such/folder/f' on harness: ls: cannot access '/no/such/folder/': "
                               "No such file or directory"));
    const TransportError local = error_of([&] { harness.upload(harness.local / "absent", "/tmp/x"); });
    CHECK_THAT(local.what(), Catch::Contains("absent") && Catch::Contains("No such file"));
    fs::create_symlink(harness.local.path(), harness.local / "loop");
    const TransportError loop =
        error_of([&] { harness.upload(harness.local.path(), (harness.remote / "x").string()); });
    CHECK_THAT(loop.what(), Catch::Contains("leads back"));
    CHECK(harness.remote.empty());
}

TEST_CASE("a full disk is reported in the target's words and leaves nothing", "[shell][files]") {
    if (::geteuid() != 0) {
        WARN("skipped: needs root to mount a file system");
        return;
    }
    ShellHarness harness;
    const std::string mount =
        "mount -t tmpfs -o size=64k tmpfs " + shell_quote(harness.remote.path().string());
    if (std::system((mount + " 2>/dev/null").c_str()) != 0) {
        WARN("skipped: this machine does not permit mounting");
        return;
    }
    const std::string big(300'000, 'x');
    const TransportError upload =
        error_of([&] { harness.upload(harness.local.write("f", big), (harness.remote / "f").string()); });
    const TransportError script =
        error_of([&] { harness.script(harness.local.write("s", "#!/bin/sh\n#" + big)); });
    std::ofstream(harness.remote / "filler") << std::string(100'000, 'x');
    const TransportError small =
        error_of([&] { harness.script(harness.local.write("t", "#!/bin/sh\n#" + big.substr(0, 7000))); });
    fs::remove(harness.remote / "filler");
    const bool empty = harness.remote.empty();
    CHECK(std::system(("umount " + shell_quote(harness.remote.path().string())).c_str()) == 0);
    CHECK(upload.info().issue_code() == "WRITE_ERROR");
    CHECK_THAT(upload.what(), Catch::Contains("No space left on device"));
    CHECK(script.info().issue_code() == "WRITE_ERROR");
    CHECK_THAT(script.what(), Catch::Contains("No space left on device"));
    CHECK_THAT(script.what(), Catch::Contains(harness.remote.path().string()));
    CHECK(small.info().issue_code() == "WRITE_ERROR");
    CHECK_THAT(small.what(), Catch::Contains("No space left on device"));
    CHECK(empty);
}

TEST_CASE("SH-021 a noexec tmpdir is recognised", "[shell]") {
    if (::geteuid() != 0) {
        WARN("skipped: needs root to mount a file system");
        return;
    }
    ShellHarness harness;
    const std::string mount = "mount -t tmpfs -o noexec tmpfs " + shell_quote(harness.remote.path().string());
    if (std::system((mount + " 2>/dev/null").c_str()) != 0) {
        WARN("skipped: this machine does not permit mounting");
        return;
    }
    const fs::path file = harness.local.write("s", "#!/bin/sh\necho ran\n");
    const Output output = harness.script(file);
    const Output interpreted = harness.script(file, {}, {"/bin/sh"});
    const bool empty = harness.remote.empty();
    CHECK(std::system(("umount " + shell_quote(harness.remote.path().string())).c_str()) == 0);
    CHECK(output.status.code == 126);
    CHECK_THAT(testing::err(output),
               Catch::Contains("is mounted with 'noexec'") && Catch::Contains("--tmpdir"));
    CHECK(testing::out(interpreted) == "ran\n");
    CHECK(empty);
}

TEST_CASE("a cancelled upload leaves nothing", "[shell][files]") {
    ShellHarness harness;
    const TemporaryFolder bin;
    only_tools(harness, bin, {"sh", "rm", "wc", "mv", "chmod"});
    bin.write("cat", "#!/bin/sh\necho >" + (bin / "began").string() + "\nexec /bin/sleep 300\n", 0755);
    auto job = harness.shell().upload(harness.local.write("f", "x"), (harness.remote / "f").string(), {});
    const auto started = [&] { return testing::has_line(bin / "began"); };
    CHECK_THROWS_AS(testing::finish_cancelled_when(harness.runtime.loop(), started, std::move(job)),
                    boost::system::system_error);
    CHECK(harness.remote.empty());
}

TEST_CASE("SH-023 a file is downloaded into the directory, with its mode", "[shell][files]") {
    for (const char* words : {"/bin/sh", "/bin/bash", "/bin/tcsh", "/usr/bin/fish"}) {
        if (!fs::exists(words)) continue;
        DYNAMIC_SECTION(words) {
            ShellHarness harness({words});
            std::string bytes;
            for (int i = 0; i < 300'000; ++i) bytes.push_back(static_cast<char>(i * 31 % 251));
            const fs::path from = harness.remote.write("it's here", bytes, 0640);
            const fs::path got = harness.download(from.string(), harness.local / "new/folder");
            CHECK(got == harness.local / "new/folder/it's here");
            CHECK(content(got) == bytes);
            CHECK(mode_of(got) == 0640);
            CHECK(harness.download(from.string(), harness.local / "new/folder") == got);
            CHECK(harness.connection.lines.size() == 2);
        }
    }
}

TEST_CASE("SH-023 an empty file and a file of /proc are downloaded", "[shell][files]") {
    ShellHarness harness;
    CHECK(content(harness.download(harness.remote.write("e", "").string(), harness.local.path())).empty());
    CHECK_FALSE(content(harness.download("/proc/version", harness.local.path())).empty());
}

TEST_CASE("SH-023 a directory is downloaded, links followed, over what is there", "[shell][files]") {
    ShellHarness harness;
    const fs::path tree = make_tree(harness);
    const TemporaryFolder here;
    const fs::path got = harness.download(tree.string() + "/", here.path());
    CHECK(got == here / "tree");
    check_tree(got);
    here.write("tree/mine", "stays");
    here.write("tree/a file", "replaced");
    harness.download(tree.string(), here.path());
    check_tree(got);
    CHECK(content(here / "tree/mine") == "stays");
    CHECK(std::distance(fs::directory_iterator(here.path()), {}) == 1);
}

TEST_CASE("SH-023 hard links in a directory arrive as files", "[shell][files]") {
    ShellHarness harness;
    harness.remote.write("d/one", "same");
    fs::create_hard_link(harness.remote / "d/one", harness.remote / "d/two");
    const fs::path got = harness.download((harness.remote / "d").string(), harness.local.path());
    CHECK(content(got / "one") == "same");
    CHECK(content(got / "two") == "same");
}

TEST_CASE("a download that fails says why and leaves nothing", "[shell][files]") {
    ShellHarness harness;
    const TransportError missing = error_of([&] { harness.download("/no/such/file", harness.local / "d"); });
    CHECK(missing.info().issue_code() == "DOWNLOAD_ERROR");
    CHECK_THAT(missing.what(),
               Catch::Contains("'/no/such/file' from harness") && Catch::Contains("No such file"));
    CHECK_FALSE(fs::exists(harness.local / "d"));
    CHECK(error_of([&] { harness.download("/", harness.local / "d"); }).info().issue_code() == "COPY_ERROR");
    CHECK(error_of([&] { harness.download("/tmp/..", harness.local / "d"); }).info().issue_code() ==
          "COPY_ERROR");
    // A tree of which a part cannot be read is not half taken.
    harness.remote.write("d/x", "x");
    fs::create_symlink("/no/such/target", harness.remote / "d/dangling");
    const TransportError partial =
        error_of([&] { harness.download((harness.remote / "d").string(), harness.local / "d"); });
    CHECK(partial.info().issue_code() == "DOWNLOAD_ERROR");
    CHECK_FALSE(fs::exists(harness.local / "d/d"));
}

TEST_CASE("an archive from a hostile target is refused", "[shell][files]") {
    struct Row {
        std::string_view what, name;
        unsigned type;
        std::string_view link;
    };
    static constexpr Row rows[] = {
        {"a path with ..", "../escape", AE_IFREG, ""},
        {"an absolute path", "/tmp/volley-escape", AE_IFREG, ""},
        {"a symbolic link", "link", AE_IFLNK, "/etc"},
        {"a hard link outside", "hard", AE_IFREG, "/etc/passwd"},
        {"a hard link upwards", "hard", AE_IFREG, "../../x"},
        {"a device", "device", AE_IFCHR, ""},
        {"a pipe", "pipe", AE_IFIFO, ""},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.what) {
            const TemporaryFolder folder;
            const TemporaryFolder root;
            const fs::path path =
                archive_with(folder, std::string(row.name), row.type, std::string(row.link));
            const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
            CHECK(error_of([&] { unpack_tar(fd.get(), root.path()); }).info().issue_code() ==
                  "DOWNLOAD_ERROR");
            CHECK(root.empty());
        }
    }
}

TEST_CASE("the modes that ls shows", "[shell][files]") {
    CHECK(parse_mode_text("-rw-r--r--") == 0644);
    CHECK(parse_mode_text("drwxr-x---") == 0750);
    CHECK(parse_mode_text("-rwsr-xr-t.") == 0755);
    CHECK(parse_mode_text("-rwSr--r-T") == 0644);
    CHECK(parse_mode_text("odd") == 0644);
}

}  // namespace volley::transports
