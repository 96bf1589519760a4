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
#include "tests/transports/shell/lab.hpp"
#include "transports/errors.hpp"
#include "transports/shell/receive.hpp"

namespace volley::transports {

using testing::ShellLab;
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
void only_tools(ShellLab& lab, const TemporaryFolder& bin, const std::vector<std::string>& tools) {
    for (const std::string& tool : tools) fs::create_symlink("/bin/" + tool, bin / tool);
    lab.connection.environment = {{"PATH", bin.path().string()}};
}

// A tree with all that is awkward about trees.
fs::path make_tree(const ShellLab& lab) {
    lab.local.write("tree/a file", "one");
    lab.local.write("tree/run.sh", "#!/bin/sh\n", 0755);
    lab.local.write("tree/empty", "");
    lab.local.write("tree/deep/er/private", std::string(200'000, 'p'), 0600);
    lab.local.write("elsewhere", "linked");
    fs::create_symlink(lab.local / "elsewhere", lab.local / "tree/link");
    fs::create_directory(lab.local / "tree/hollow");
    lab.local.write("tree/" + std::string(120, 'n') + "/" + std::string(120, 'm'), "long name");
    return lab.local / "tree";
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
    ShellLab lab;
    CopyProgram program;
    lab.connection.set_copier(&program);
    lab.remote.write("folder/old", "old");
    lab.upload(lab.local.write("f", "new"), (lab.remote / "folder").string());
    lab.upload(lab.local / "f", (lab.remote / "folder/old").string());
    CHECK(content(lab.remote / "folder/f") == "new");
    CHECK(content(lab.remote / "folder/old") == "new");
    CHECK(lab.download((lab.remote / "folder").string(), lab.local / "d") == lab.local / "d/folder");
    CHECK(content(lab.local / "d/folder/f") == "new");
    CHECK(error_of([&] { lab.download("/no/such", lab.local / "d"); }).info().issue_code() == "COPY_ERROR");
    program.breaks = true;
    CHECK_THAT(error_of([&] { lab.upload(lab.local / "f", (lab.remote / "folder").string() + "/g"); }).what(),
               Catch::Contains("broken off"));
    CHECK(program.copies == 3);
    CHECK(std::distance(fs::directory_iterator(lab.local / "d"), {}) == 1);
    CHECK(std::distance(fs::directory_iterator(lab.remote / "folder"), {}) == 2);
}

TEST_CASE("SH-022 a file is uploaded whole, with its mode, under every login shell", "[shell][files]") {
    for (const char* words : {"/bin/sh", "/bin/bash", "/bin/tcsh", "/usr/bin/fish"}) {
        if (!fs::exists(words)) continue;
        DYNAMIC_SECTION(words) {
            ShellLab lab({words});
            std::string bytes;
            for (int i = 0; i < 300'000; ++i) bytes.push_back(static_cast<char>(i * 31 % 251));
            const fs::path to = lab.remote / "it's new";
            lab.upload(lab.local.write("data", bytes, 0750), to.string());
            CHECK(content(to) == bytes);
            CHECK(mode_of(to) == 0750);
            CHECK(lab.connection.lines.size() == 1);
        }
    }
}

TEST_CASE("SH-022 an existing file is replaced, an existing directory gets the file inside",
          "[shell][files]") {
    ShellLab lab;
    lab.remote.write("old", "old content");
    lab.upload(lab.local.write("new", "new"), (lab.remote / "old").string());
    CHECK(content(lab.remote / "old") == "new");
    fs::create_directory(lab.remote / "folder");
    lab.upload(lab.local / "new", (lab.remote / "folder").string());
    lab.upload(lab.local.write("empty", ""), (lab.remote / "folder/").string());
    CHECK(content(lab.remote / "folder/new") == "new");
    CHECK(content(lab.remote / "folder/empty").empty());
}

TEST_CASE("a relative destination lies below the login folder", "[shell][files]") {
    ShellLab lab;
    lab.connection.directory = lab.remote.path();
    lab.upload(lab.local.write("f", "x"), "-odd name");
    CHECK(content(lab.remote / "-odd name") == "x");
}

TEST_CASE("SH-022 a directory is uploaded with modes, links followed", "[shell][files]") {
    ShellLab lab;
    const fs::path tree = make_tree(lab);
    lab.upload(tree, (lab.remote / "copy").string());
    check_tree(lab.remote / "copy");
    fs::create_directory(lab.remote / "there");
    lab.upload(tree, (lab.remote / "there").string());
    check_tree(lab.remote / "there/tree");
    CHECK(lab.connection.lines.size() == 2);
}

TEST_CASE("a target without tar gets a directory all the same", "[shell][files]") {
    ShellLab lab;
    const TemporaryFolder bin;
    only_tools(lab, bin, {"sh", "mkdir", "cat", "wc", "chmod", "rm", "tail", "head", "mv"});
    lab.upload(make_tree(lab), (lab.remote / "copy").string());
    check_tree(lab.remote / "copy");
    CHECK(lab.connection.lines.size() == 2);
}

TEST_CASE("SH-023 from a target without tar a directory arrives all the same", "[shell][files]") {
    ShellLab lab;
    const TemporaryFolder bin;
    only_tools(lab, bin, {"sh", "cat", "wc", "ls"});
    const fs::path tree = make_tree(lab);
    fs::create_directory(tree / ".hidden");
    lab.local.write("tree/.hidden/..odd", "dots");
    for (const char* name : {"a", "ab", "abc", "abcd"}) lab.local.write(std::string("tree/") + name, name);
    lab.download(tree.string(), lab.remote.path());
    check_tree(lab.remote / "tree");
    CHECK(content(lab.remote / "tree/.hidden/..odd") == "dots");
    CHECK(content(lab.remote / "tree/abc") == "abc");
    CHECK(mode_of(lab.remote / "tree/run.sh") == 0755);
    lab.download(tree.string(), lab.remote / "again");
    CHECK(lab.connection.lines.size() == 3);  // it is asked for tar once
}

TEST_CASE("SH-022 a directory that exists is not overwritten", "[shell][files]") {
    ShellLab lab;
    lab.remote.write("there/tree/precious", "keep");
    lab.local.write("tree/x", "x");
    const TransportError error =
        error_of([&] { lab.upload(lab.local / "tree", (lab.remote / "there").string()); });
    CHECK(error.info().issue_code() == "MV_ERROR");
    CHECK(content(lab.remote / "there/tree/precious") == "keep");
}

TEST_CASE("an upload that fails says what, where and why, and leaves nothing", "[shell][files]") {
    ShellLab lab;
    const fs::path file = lab.local.write("f", "x");
    const TransportError missing = error_of([&] { lab.upload(file, "/no/such/folder/f"); });
    CHECK(missing.info().kind() == "puppetlabs.tasks/task_file_error");
    CHECK(missing.info().issue_code() == "WRITE_ERROR");
    CHECK_THAT(missing.what(),
               Catch::EndsWith("f' to '/no/such/folder/f' on lab: ls: cannot access '/no/such/folder/': "
                                "No such file or directory"));
    const TransportError local = error_of([&] { lab.upload(lab.local / "absent", "/tmp/x"); });
    CHECK_THAT(local.what(), Catch::Contains("absent") && Catch::Contains("No such file"));
    fs::create_symlink(lab.local.path(), lab.local / "loop");
    const TransportError loop = error_of([&] { lab.upload(lab.local.path(), (lab.remote / "x").string()); });
    CHECK_THAT(loop.what(), Catch::Contains("leads back"));
    CHECK(lab.remote.empty());
}

TEST_CASE("a full disk is told in the target's words and leaves nothing", "[shell][files]") {
    if (::geteuid() != 0) {
        WARN("skipped: needs root to mount a file system");
        return;
    }
    ShellLab lab;
    const std::string mount = "mount -t tmpfs -o size=64k tmpfs " + shell_quote(lab.remote.path().string());
    if (std::system((mount + " 2>/dev/null").c_str()) != 0) {
        WARN("skipped: this machine does not permit mounting");
        return;
    }
    const std::string big(300'000, 'x');
    const TransportError upload =
        error_of([&] { lab.upload(lab.local.write("f", big), (lab.remote / "f").string()); });
    const TransportError script = error_of([&] { lab.script(lab.local.write("s", "#!/bin/sh\n#" + big)); });
    std::ofstream(lab.remote / "filler") << std::string(100'000, 'x');
    const TransportError small =
        error_of([&] { lab.script(lab.local.write("t", "#!/bin/sh\n#" + big.substr(0, 7000))); });
    fs::remove(lab.remote / "filler");
    const bool empty = lab.remote.empty();
    CHECK(std::system(("umount " + shell_quote(lab.remote.path().string())).c_str()) == 0);
    CHECK(upload.info().issue_code() == "WRITE_ERROR");
    CHECK_THAT(upload.what(), Catch::Contains("No space left on device"));
    CHECK(script.info().issue_code() == "WRITE_ERROR");
    CHECK_THAT(script.what(), Catch::Contains("No space left on device"));
    CHECK_THAT(script.what(), Catch::Contains(lab.remote.path().string()));
    CHECK(small.info().issue_code() == "WRITE_ERROR");
    CHECK_THAT(small.what(), Catch::Contains("No space left on device"));
    CHECK(empty);
}

TEST_CASE("SH-021 a noexec tmpdir is recognised", "[shell]") {
    if (::geteuid() != 0) {
        WARN("skipped: needs root to mount a file system");
        return;
    }
    ShellLab lab;
    const std::string mount = "mount -t tmpfs -o noexec tmpfs " + shell_quote(lab.remote.path().string());
    if (std::system((mount + " 2>/dev/null").c_str()) != 0) {
        WARN("skipped: this machine does not permit mounting");
        return;
    }
    const fs::path file = lab.local.write("s", "#!/bin/sh\necho ran\n");
    const Output output = lab.script(file);
    const Output interpreted = lab.script(file, {}, {"/bin/sh"});
    const bool empty = lab.remote.empty();
    CHECK(std::system(("umount " + shell_quote(lab.remote.path().string())).c_str()) == 0);
    CHECK(output.status.code == 126);
    CHECK_THAT(testing::err(output),
               Catch::Contains("is mounted with 'noexec'") && Catch::Contains("--tmpdir"));
    CHECK(testing::out(interpreted) == "ran\n");
    CHECK(empty);
}

TEST_CASE("a cancelled upload leaves nothing", "[shell][files]") {
    ShellLab lab;
    const TemporaryFolder bin;
    only_tools(lab, bin, {"sh", "rm", "wc", "mv", "chmod"});
    bin.write("cat", "#!/bin/sh\necho >" + (bin / "began").string() + "\nexec /bin/sleep 300\n", 0755);
    auto job = lab.shell().upload(lab.local.write("f", "x"), (lab.remote / "f").string(), {});
    const auto started = [&] { return testing::has_line(bin / "began"); };
    CHECK_THROWS_AS(testing::finish_cancelled_when(lab.runtime.loop(), started, std::move(job)),
                    boost::system::system_error);
    CHECK(lab.remote.empty());
}

TEST_CASE("SH-023 a file is downloaded into the directory, with its mode", "[shell][files]") {
    for (const char* words : {"/bin/sh", "/bin/bash", "/bin/tcsh", "/usr/bin/fish"}) {
        if (!fs::exists(words)) continue;
        DYNAMIC_SECTION(words) {
            ShellLab lab({words});
            std::string bytes;
            for (int i = 0; i < 300'000; ++i) bytes.push_back(static_cast<char>(i * 31 % 251));
            const fs::path from = lab.remote.write("it's here", bytes, 0640);
            const fs::path got = lab.download(from.string(), lab.local / "new/folder");
            CHECK(got == lab.local / "new/folder/it's here");
            CHECK(content(got) == bytes);
            CHECK(mode_of(got) == 0640);
            CHECK(lab.download(from.string(), lab.local / "new/folder") == got);
            CHECK(lab.connection.lines.size() == 2);
        }
    }
}

TEST_CASE("SH-023 an empty file and a file of /proc are downloaded", "[shell][files]") {
    ShellLab lab;
    CHECK(content(lab.download(lab.remote.write("e", "").string(), lab.local.path())).empty());
    CHECK_FALSE(content(lab.download("/proc/version", lab.local.path())).empty());
}

TEST_CASE("SH-023 a directory is downloaded, links followed, over what is there", "[shell][files]") {
    ShellLab lab;
    const fs::path tree = make_tree(lab);
    const TemporaryFolder here;
    const fs::path got = lab.download(tree.string() + "/", here.path());
    CHECK(got == here / "tree");
    check_tree(got);
    here.write("tree/mine", "stays");
    here.write("tree/a file", "replaced");
    lab.download(tree.string(), here.path());
    check_tree(got);
    CHECK(content(here / "tree/mine") == "stays");
    CHECK(std::distance(fs::directory_iterator(here.path()), {}) == 1);
}

TEST_CASE("SH-023 hard links in a directory arrive as files", "[shell][files]") {
    ShellLab lab;
    lab.remote.write("d/one", "same");
    fs::create_hard_link(lab.remote / "d/one", lab.remote / "d/two");
    const fs::path got = lab.download((lab.remote / "d").string(), lab.local.path());
    CHECK(content(got / "one") == "same");
    CHECK(content(got / "two") == "same");
}

TEST_CASE("a download that fails says why and leaves nothing", "[shell][files]") {
    ShellLab lab;
    const TransportError missing = error_of([&] { lab.download("/no/such/file", lab.local / "d"); });
    CHECK(missing.info().issue_code() == "DOWNLOAD_ERROR");
    CHECK_THAT(missing.what(),
               Catch::Contains("'/no/such/file' from lab") && Catch::Contains("No such file"));
    CHECK_FALSE(fs::exists(lab.local / "d"));
    CHECK(error_of([&] { lab.download("/", lab.local / "d"); }).info().issue_code() == "COPY_ERROR");
    CHECK(error_of([&] { lab.download("/tmp/..", lab.local / "d"); }).info().issue_code() == "COPY_ERROR");
    // A tree of which a part cannot be read is not half taken.
    lab.remote.write("d/x", "x");
    fs::create_symlink("/no/such/target", lab.remote / "d/dangling");
    const TransportError partial =
        error_of([&] { lab.download((lab.remote / "d").string(), lab.local / "d"); });
    CHECK(partial.info().issue_code() == "DOWNLOAD_ERROR");
    CHECK_FALSE(fs::exists(lab.local / "d/d"));
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
