// yumrepo: files of repositories.
#include <stdlib.h>

#include <catch2/catch.hpp>
#include <string>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/yumrepo/repo_files.hpp"
#include "apply/agent/values/errors.hpp"

using namespace volley::agent;

namespace {

/// A folder that is taken for the root of a machine until the test ends.
class RepoRoot {
public:
    RepoRoot() { REQUIRE(::mkdtemp(path_.data()) != nullptr); }
    ~RepoRoot() { remove_tree(path_); }
    RepoRoot(const RepoRoot&) = delete;
    RepoRoot& operator=(const RepoRoot&) = delete;

    const std::string& path() const { return path_; }
    std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_ = "/tmp/volley-repositories-XXXXXX";
};

}  // namespace

TEST_CASE("files of repositories keep what they do not understand", "[agent][yumrepo]") {
    const std::string text =
        "# head\n\n[one]\nname = One\n; a comment\nbaseurl= http://a/\n  http://b/\n\n[two]\nenabled=1\n";
    RepoFile file("/x.repo", text);
    REQUIRE(file.find("one") != nullptr);
    CHECK(*file.find("one")->find("baseurl") == "http://a/\n  http://b/");
    CHECK(file.find("one")->find("enabled") == nullptr);
    CHECK(file.find("three") == nullptr);
    file.find("two")->set("enabled", "0");
    file.find("two")->set("gpgcheck", "1");
    file.find("one")->set("name", std::nullopt);
    CHECK(file.text() ==
          "# head\n\n[one]\n; a comment\nbaseurl=http://a/\n  http://b/\n\n[two]\nenabled=0\ngpgcheck=1\n");
    CHECK_THROWS_AS(RepoFile("/x", "[a]\nnonsense\n"), ApplyError);
    CHECK_THROWS_AS(RepoFile("/x", "a=1\n"), ApplyError);
    CHECK_THROWS_AS(RepoFile("/x", "[a]\n[a]\n"), ApplyError);
    CHECK(RepoFile("/x", "").text().empty());
}

TEST_CASE("a repository goes into its file and out of it", "[agent][yumrepo]") {
    const RepoRoot root;
    const std::string folder = root.file("etc/yum.repos.d");
    make_folders(folder, 0755);
    replace_content(folder + "/a.repo", "[a]\nname=A\n", 0644);
    replace_content(folder + "/empty.repo", "# nothing\n", 0644);
    replace_content(folder + "/ignored.txt", "no settings\n", 0644);
    {
        RepoFiles files(root.path());
        CHECK(files.place_of("b", "") == "/etc/yum.repos.d/b.repo");
        CHECK(files.place_of("b", "c") == "/etc/yum.repos.d/c.repo");
        CHECK(files.place_of("b", "/elsewhere/c.repo") == "/etc/yum.repos.d/c.repo");
        CHECK(files.place_of("b", "/etc/yum.repos.d/c") == "/etc/yum.repos.d/c.repo");
        files.put("b", "/etc/yum.repos.d/b.repo").set("name", "B");
        files.put("a", "/etc/yum.repos.d/b.repo").set("enabled", "1");
        files.save();
    }
    CHECK(read_whole(folder + "/b.repo") == "[b]\nname=B\n[a]\nname=A\nenabled=1\n");
    CHECK_FALSE(file_exists(folder + "/a.repo"));
    CHECK(file_exists(folder + "/empty.repo"));
    RepoFiles again(root.path());
    CHECK(again.find("a").first->path() == "/etc/yum.repos.d/b.repo");
    again.remove("a");
    again.remove("b");
    again.save();
    CHECK_FALSE(file_exists(folder + "/b.repo"));
}

TEST_CASE("repositories are looked for where yum.conf says", "[agent][yumrepo]") {
    const RepoRoot root;
    for (const char* folder : {"etc", "repos", "more"}) make_folders(root.file(folder), 0755);
    replace_content(root.file("etc/yum.conf"), "[main]\nreposdir=/repos, /more\n [c]\n", 0644);
    replace_content(root.file("repos/a.repo"), "[a]\n", 0644);
    RepoFiles files(root.path());
    CHECK(files.place_of("b", "") == "/more/b.repo");
    CHECK(files.find("a").first->path() == "/repos/a.repo");
    replace_content(root.file("more/a.repo"), "[a]\n", 0644);
    CHECK_THROWS_AS(RepoFiles(root.path()), ApplyError);
    const RepoRoot bare;
    CHECK(RepoFiles(bare.path()).place_of("a", "x.repo") == "/etc/yum.conf");
}
