#include "cli/outputters/fold_names.hpp"

#include <catch2/catch.hpp>

#include "cli/outputters/result_groups.hpp"

namespace volley::cli {
namespace {

using Names = std::vector<std::string>;

TEST_CASE("USER-B4 names that differ in a number are folded", "[cli]") {
    struct Row {
        Names names;
        std::string want;
    };
    const Row rows[] = {
        {{"node001", "node002", "node003", "node007"}, "node[001-003,007]"},
        {{"web2", "web1", "db", "web10", "web9"}, "web[1-2,9-10],db"},
        {{"node098", "node099", "node100"}, "node[098-100]"},
        {{"n9", "n09", "n10"}, "n[9,09-10]"},
        {{"web1.example.com", "web2.example.com"}, "web[1-2].example.com"},
        {{"127.0.16.9", "127.0.16.10", "127.0.17.1"}, "127.0.16.[9-10],127.0.17.1"},
        {{"root@10.0.0.1:22", "root@10.0.0.2:22"}, "root@10.0.0.[1-2]:22"},
        {{"rack1-n1", "rack1-n2", "rack2-n1", "rack2-n2"}, "rack1-n[1-2],rack2-n[1-2]"},
        {{"a", "b"}, "a,b"},
        {{"x99999999999999999999", "x99999999999999999998"}, "x99999999999999999999,x99999999999999999998"},
        {{"solo7"}, "solo7"},
        {{"t1", "t1"}, "t[1]"},
        {{}, ""},
    };
    for (const Row& row : rows) CHECK(fold_names(row.names) == row.want);
    CHECK(name_list({"a1", "a2"}) == "a1,a2");
    Names many;
    for (int i = 1; i <= 11; ++i) many.push_back("a" + std::to_string(i));
    CHECK(name_list(many) == "a[1-11]");
}

planner::Result said(const std::string& target, const std::string& out, const std::string& err, int code) {
    transports::Output output;
    output.captured.append(transports::Stream::Out, out);
    output.captured.append(transports::Stream::Err, err);
    output.status.code = code;
    return planner::Result::of_command(target, "command", "true", std::move(output));
}

planner::Result refused(const std::string& target, const std::string& msg) {
    return planner::Result::of_error(target, "command", ErrorInfo("puppetlabs.tasks/connect-error", msg));
}

TEST_CASE("USER-B4 failures that say the same are one group, whatever differs in numbers and names",
          "[cli]") {
    const planner::ResultSet results({
        said("n1", "checking\n", "E: disk full on /var\n", 2),
        said("n2", "checking\n", "E: disk full on /var\n", 2),
        said("n3", "", "E: no such package\n", 2),
        said("n4", "", "E: no such package\n", 3),
        refused("n5", "Failed to connect to n5: Connection refused (127.0.16.10 port 1)"),
        refused("n6", "Failed to connect to n6: Connection refused (127.0.16.8 port 1)"),
        refused("n7", "Failed to connect to n7: Connection refused (127.0.16.9 port 1)"),
        said("n8", "fine", "", 0),
        said("n9", "only stdout\n", " \n", 4),
    });
    const auto groups = failure_groups(results, [](std::string_view name) { return std::string(name); });
    std::vector<std::string> texts;
    for (const ResultGroup& group : groups) texts.push_back(group.text + " @ " + fold_names(group.names));
    CHECK(texts.at(0) == "Failed to connect to <target>: Connection refused (127.0.16.* port 1) @ n[5-7]");
    CHECK(texts.at(1) == "The command failed with exit code 2\nE: disk full on /var @ n[1-2]");
    std::sort(texts.begin() + 2, texts.end());
    CHECK(Names(texts.begin() + 2, texts.end()) ==
          Names{"The command failed with exit code 2\nE: no such package @ n3",
                "The command failed with exit code 3\nE: no such package @ n4",
                "The command failed with exit code 4\nonly stdout @ n9"});
}

TEST_CASE("USER-B4 a target's name within a word is part of that word", "[cli]") {
    const planner::ResultSet results({said("web", "", "web: no webserver at web.example.com\n", 1)});
    const auto groups = failure_groups(results, [](std::string_view name) { return std::string(name); });
    CHECK(groups.at(0).text ==
          "The command failed with exit code 1\n<target>: no webserver at <target>.example.com");
}

TEST_CASE("USER-F1 all results are grouped, the smallest group first", "[cli]") {
    std::string large(100'000, 'x');
    const planner::ResultSet results({
        said("alpha.example.com", "I am alpha, at 10.0.0.1\n", "", 0),
        said("beta.example.com", "I am beta, at 10.0.0.27\n", "", 0),
        said("gamma.example.com", "I am gamma, at 10.0.1.3\n", "", 0),
        said("x1", large + "a", "", 0),
        said("x2", large + "a", "", 0),
        said("x3", large + "b", "", 0),
        planner::Result::not_started("y1", "command", ErrorInfo("volley/not-started", "Not started: enough")),
        planner::Result::not_started("y2", "command", ErrorInfo("volley/not-started", "Not started: enough")),
        planner::Result::not_started("y3", "command", ErrorInfo("volley/not-started", "Not started: enough")),
        planner::Result::not_started("y4", "command", ErrorInfo("volley/not-started", "Not started: enough")),
    });
    const auto groups = result_groups(results, [](std::string_view name) { return std::string(name); });
    REQUIRE(groups.size() == 4);
    CHECK(groups[0].names == Names{"x3"});
    CHECK(groups[0].left_out == 100'001 - 64 * 1024);
    CHECK(groups[1].names == Names{"x1", "x2"});
    CHECK(groups[2].text == "I am <target>, at 10.0.*.*");
    CHECK(groups[2].names.size() == 3);
    CHECK(groups[3].status == planner::Status::NotStarted);
    CHECK(groups[3].text == "Not started: enough");
    CHECK(failure_groups(results, [](std::string_view name) { return std::string(name); }).empty());
}

}  // namespace
}  // namespace volley::cli
