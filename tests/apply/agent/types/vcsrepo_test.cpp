#include <catch2/catch.hpp>

#include "apply/agent/types/vcsrepo/git_repository.hpp"

using namespace volley::agent;

TEST_CASE("the branch that is checked out has a star", "[agent][vcsrepo]") {
    CHECK(starred_branch("  main\n* side\n  remotes/origin/main\n") == "side");
    CHECK_FALSE(starred_branch("* (HEAD detached at 61c97fd)\n  main\n").has_value());
    CHECK_FALSE(starred_branch("* (no branch, rebasing x)\n").has_value());
    CHECK_FALSE(starred_branch("").has_value());
}

TEST_CASE("versions of git are read", "[agent][vcsrepo]") {
    CHECK(git_version_in("git version 2.39.5\n") == std::pair(2, 39));
    CHECK(git_version_in("git version 1.8.3.1 (Apple)") == std::pair(1, 8));
    CHECK(git_version_in("nothing") == std::pair(0, 0));
}
