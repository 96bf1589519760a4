#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "planner/module_install/sources/forge.hpp"
#include "planner/module_install/sources/git_repository.hpp"
#include "support/error.hpp"

namespace volley::modules {

TEST_CASE("MGT-003 URLs of repositories are shown without passwords", "[modules]") {
    CHECK(shown_git_url("https://me:s3cret@example.com/a.git") == "https://me@example.com/a.git");
    CHECK(shown_git_url("https://me:p@ss@example.com/a@b.git") == "https://me@example.com/a@b.git");
    CHECK(shown_git_url("https://example.com:8443/a@b.git") == "https://example.com:8443/a@b.git");
    CHECK(shown_git_url("ssh://git@example.com/a.git") == "ssh://git@example.com/a.git");
    CHECK(shown_git_url("git@example.com:a/b.git") == "git@example.com:a/b.git");
}

TEST_CASE("MGT-003 only whole ids name a commit for ever", "[modules]") {
    CHECK(is_commit_id("0123456789abcdef0123456789abcdef01234567"));
    CHECK(is_commit_id(std::string(64, 'a')));
    CHECK_FALSE(is_commit_id("0123456"));
    CHECK_FALSE(is_commit_id("0123456789ABCDEF0123456789ABCDEF01234567"));
}

TEST_CASE("MGT-010 an archive has to have the checksum that was published", "[modules]") {
    Release release{.name = *ModuleName::parse("a/b"), .version = *parse_version("1.0.0")};
    CHECK_NOTHROW(check_archive(release, "hello"));
    release.md5 = "5D41402ABC4B2A76B9719D911017C592";
    CHECK_NOTHROW(check_archive(release, "hello"));
    CHECK_THROWS_WITH(check_archive(release, "hallo"),
                      Catch::Contains("a/b 1.0.0") && Catch::Contains("MD5"));
    release.sha256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    release.md5 = "wrong, but the stronger one counts";
    CHECK_NOTHROW(check_archive(release, "hello"));
    CHECK_THROWS_WITH(check_archive(release, ""), Catch::Contains("SHA-256"));
}

TEST_CASE("MGT-010 the configuration says where modules come from", "[modules]") {
    CHECK(SourceSettings::read({}).forge == "https://forgeapi.puppet.com");
    const auto settings = SourceSettings::read(
        {{"proxy", "http://p"},
         {"forge", {{"baseurl", "https://x/prefix//"}, {"authorization_token", std::string(64, 'a')}}}});
    CHECK(settings.forge == "https://x/prefix");
    CHECK(settings.forge_proxy == "http://p");
    CHECK(settings.git_proxy == "http://p");
    CHECK(settings.authorization == "Bearer " + std::string(64, 'a'));
    CHECK(SourceSettings::read({{"proxy", "http://p"}, {"forge", {{"proxy", "http://q"}}}}).forge_proxy ==
          "http://q");
    CHECK_THROWS_AS(SourceSettings::read({{"forge", {{"baseurl", "ftp://x"}}}}), Error);
    CHECK_THROWS_AS(SourceSettings::read({{"forge", {{"baseurl", "file://relative"}}}}), Error);
    CHECK_THROWS_AS(SourceSettings::read({{"forge", {{"authorization_token", "x"}}}}), Error);
}

}  // namespace volley::modules
