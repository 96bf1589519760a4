#include <catch2/catch.hpp>
#include <string>

#include "apply/agent/types/tables/alias_line.hpp"

using namespace volley::agent;

TEST_CASE("lines of mail aliases are written as by Puppet", "[agent][tables]") {
    struct Row {
        const char *line, *written;
    };
    static constexpr Row rows[] = {
        {"# a: b", "# a: b"},
        {"", ""},
        {"  b, c", "  b, c"},
        {"a :b ,  \"c d\",'e'", "a: b,\"c d\",e"},
        {"a: |\"/bin/x -y\"", "a: \"|\"/bin/x -y\""},
        {"list: :include: /etc/list", "list: :include: /etc/list"},
        {"a:", "a: "},
        {"a: b@c.d,,", "a: b@c.d"},
        {"a: \"|/bin/x b, c\" , d", "a: \"|/bin/x b, c\",d"},
        {"a: b\",c", "a: b,c"},
        {"a: b,\"c,d", "a: \"b,\"c\",d"},
    };
    for (const Row& row : rows) {
        INFO(row.line);
        CHECK(alias_line(row.line).line() == row.written);
    }
    CHECK(alias_line("list: :include: /etc/list").file == "/etc/list");
    CHECK_FALSE(alias_line("  b, c").is_entry());
    CHECK(alias_line("a: b,c").recipients->size() == 2);
}
