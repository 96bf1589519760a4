#include "apply/agent/machine/own_program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>
#include <fstream>

#include "apply/agent/machine/files.hpp"

using namespace volley::agent;

TEST_CASE("a program has a stamp when neither it nor its folder has changed for a while", "[agent]") {
    std::string folder = "/tmp/agent_program.XXXXXX";
    REQUIRE(::mkdtemp(folder.data()) != nullptr);
    const std::string file = folder + "/program";
    std::ofstream(file) << "x";
    const std::time_t now = std::time(nullptr);
    CHECK(program_stamp(file, now).empty());
    CHECK(program_stamp(file, now - 100).empty());  // a clock that was set back
    const std::string later = program_stamp(file, now + 10);
    CHECK(std::count(later.begin(), later.end(), '\n') == 1);
    CHECK(program_stamp(file, now + 20) == later);
    std::ofstream(file) << "xy";
    CHECK(program_stamp(file, now + 10) != later);
    CHECK(program_stamp("program", now + 10).empty());
    CHECK(program_stamp(file + "/none", now + 10).empty());
    CHECK(own_program().ends_with("agent_tests"));
    remove_tree(folder);
}
