#include <catch2/catch.hpp>
#include <string>

#include "apply/agent/types/archive/extraction.hpp"
#include "apply/agent/values/errors.hpp"

using namespace volley::agent;

namespace {

Value text(const char* words) { return Value(std::string(words)); }

}  // namespace

TEST_CASE("an archive is unpacked by what its name ends in", "[agent][archive]") {
    struct Row {
        const char *file, *line;
    };
    static constexpr Row rows[] = {
        {"/a/b.tar", "tar xf /a/b.tar"},
        {"/a/b.tgz", "tar xzf /a/b.tgz"},
        {"/a/b.tar.gz", "tar xzf /a/b.tar.gz"},
        {"/a/b.tar.bz2", "tar xjf /a/b.tar.bz2"},
        {"/a/b.tar.xz", "unxz -dc /a/b.tar.xz | tar xf -"},
        {"/a/b.tar.Z", "uncompress -c /a/b.tar.Z | tar xf -"},
        {"/a/b.gz", "gunzip -d /a/b.gz"},
        {"/a/b.bz2", "bunzip2 -d /a/b.bz2"},
        {"/a/b.jar", "unzip -o /a/b.jar"},
        {"/a/b c$.zip", "unzip -o /a/b\\ c\\$.zip"},
    };
    for (const Row& row : rows) CHECK(extraction_line(row.file, {}) == row.line);
    CHECK_THROWS_WITH(extraction_line("/a/b.any", {}), "Unknown filetype: /a/b.any");
}

TEST_CASE("commands and flags of an archive take the place of the usual ones", "[agent][archive]") {
    Extraction wanted;
    wanted.flags = text("-xz");
    CHECK(extraction_line("/a.tgz", wanted) == "tar -xz /a.tgz");
    wanted.flags = Value(Value::Pairs{{text("tar"), text("-x")}, {text("unxz"), text("-d")}});
    CHECK(extraction_line("/a.txz", wanted) == "unxz -d /a.txz | tar -x -");
    CHECK(extraction_line("/a.gz", wanted) == "gunzip  /a.gz");
    wanted.flags = Value(Value::Items{text("x")});
    CHECK_THROWS_WITH(extraction_line("/a.tar", wanted), "Invalid options for command tar: [\"x\"]");
    CHECK(extraction_line("/a.any", {"x %s 100%% %f %d", {}}) == "x /a.any 100% %f %d");
    CHECK(extraction_line("/a.any", {"untar", {}}) == "untar /a.any");
}

TEST_CASE("a checksum stands alone in a text", "[agent][archive]") {
    const std::string sum(32, 'A');
    CHECK(checksum_in("sum of x: " + sum + " x") == sum);
    CHECK_FALSE(checksum_in(sum + "g").has_value());
    CHECK_FALSE(checksum_in(std::string(129, 'a')).has_value());
    CHECK_FALSE(checksum_in("").has_value());
    CHECK(holds_checksum("x abc12"));
    CHECK_FALSE(holds_checksum("xyz ABC12 abc1"));
}
