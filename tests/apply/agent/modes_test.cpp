#include "apply/agent/machine/modes.hpp"

#include <catch2/catch.hpp>
#include <string_view>

using namespace volley::agent;

TEST_CASE("symbolic modes change what is there", "[agent][modes]") {
    struct Row {
        std::string_view change;
        unsigned before;
        bool directory;
        unsigned after;
    };
    // The right column is what Puppet::Util::SymbolicFileMode of Puppet 7.23 answers.
    static constexpr Row rows[] = {
        {"0755", 0644, false, 0755},
        {"u=rw,g=r,o=", 0777, false, 0640},
        {"a+x", 0644, false, 0755},
        {"+x", 0644, false, 0755},
        {"g=u", 0740, false, 0770},
        {"o=g-w", 0664, false, 0664},
        {"+X", 0644, false, 0644},
        {"+X", 0744, false, 0755},
        {"+X", 0644, true, 0755},
        {"u+s", 0755, false, 04755},
        {"g+s", 0755, false, 02755},
        {"+t", 0777, true, 01777},
        {"u=,g=,o=", 0777, false, 0},
        {"-w", 0666, false, 0444},
        {"u=rwx,go-rwx", 0755, false, 0700},
        {"ug=rw,o=", 04755, false, 04660},
        {"u-x+w", 0555, false, 0655},
    };
    for (const Row& row : rows) {
        CAPTURE(row.change, row.before, row.directory);
        CHECK(octal(changed_mode(row.change, row.before, row.directory)) == octal(row.after));
    }
}

TEST_CASE("what is not a mode is recognised", "[agent][modes]") {
    for (const char* good :
         {"0", "644", "0644", "01777", "04755", "u=rw", "a+x,g-w", "=r", "u+rwxXst", "g=o"})
        CHECK(is_mode(good));
    for (const char* bad : {"", "8", "0999", "017777", "u", "rw", "u=rw,", "z+x", "u=rw, g=r", "u=q"})
        CHECK_FALSE(is_mode(bad));
}

TEST_CASE("a mode is shown with four digits", "[agent][modes]") {
    CHECK(shown_mode("7") == "0007");
    CHECK(shown_mode("1777") == "1777");
    CHECK(shown_mode("u+x") == "u+x");
    CHECK(normal_mode("0644") == "644");
}
