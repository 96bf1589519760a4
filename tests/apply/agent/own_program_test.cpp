#include "apply/agent/machine/own_program.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>

using namespace volley;
using namespace volley::agent;

TEST_CASE("a program has a stamp when neither it nor its folder has changed for a while", "[agent]") {
    FileStamp folder;
    folder.device = 7;
    folder.inode = 11;
    folder.size = 4096;
    folder.touched = {1700000000, 5};
    FileStamp program = folder;
    program.inode = 12;
    program.size = 3;
    CHECK(program_stamp(folder, program) == "7:11:1700000000:4096\n7:12:1700000000:3");
    FileStamp changed = program;
    changed.touched.tv_sec += 1;
    CHECK(program_stamp(folder, changed) != program_stamp(folder, program));
    program.settled = false;
    CHECK(program_stamp(folder, program).empty());
    CHECK(program_stamp(program, folder).empty());
    CHECK(program_stamp(folder, FileStamp()).empty());
    CHECK(own_program().ends_with("agent_tests"));
}
