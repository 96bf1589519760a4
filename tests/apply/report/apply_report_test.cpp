#include "apply/report/apply_report.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace volley {
namespace {

Json report_of(const std::string& status) {
    return Json::parse(R"({"status": ")" + status + R"(", "resource_statuses": {
        "File[/a]": {"failed": false, "events": [{"status": "success", "message": "made"}]},
        "Exec[b]": {"failed": true, "events": [{"status": "failure", "message": "returned 1"}]}},
        "metrics": {"resources": {"values": [["total", "Total", 7], ["changed", "Changed", 2], ["failed", "Failed", 1],
            ["skipped", "Skipped", 1], ["out_of_sync", "Out of sync", 4]]}},
        "logs": [{"level": "notice", "source": "/Stage[main]/File[/a]/ensure", "message": "made"},
                 {"level": "info", "source": "x", "message": "little"},
                 {"level": "err", "source": "Puppet", "message": "not of a resource"},
                 {"level": "notice", "source": "Puppet", "message": "Applied catalog in 0.01 seconds"},
                 {"level": "err", "source": "Facter", "message": "noise"}, 5]})");
}

}  // namespace

TEST_CASE("RES-021 an ApplyResult has report, _error and _output in this order", "[apply]") {
    const Json good = apply_result_value(report_of("changed"), "web");
    CHECK(good.size() == 2);
    CHECK(good["report"]["status"] == "changed");
    const Json bad = apply_result_value(report_of("failed"), "web");
    std::vector<std::string> keys;
    for (const auto& [key, value] : bad.items()) keys.push_back(key);
    CHECK(keys == std::vector<std::string>{"report", "_error", "_output"});
    CHECK(bad["_error"]["kind"] == "bolt/resource-failure");
    CHECK(bad["_error"]["msg"] == "Resources failed to apply for web\n  Exec[b]: returned 1");
}

TEST_CASE("APL-018 the metrics line counts resources", "[apply]") {
    CHECK(report_metrics(report_of("changed")) == "changed: 2, failed: 1, unchanged: 3 skipped: 1, noop: 1");
    const Json twice = Json::parse(R"({"resource_statuses": {
        "Package[a]": {"failed": true, "skipped": true, "out_of_sync": true},
        "File[/b]": {"changed": true, "failed": true, "out_of_sync": true}, "Exec[c]": {"failed": true},
        "File[/d]": {"out_of_sync": true}, "File[/e]": {"out_of_sync": false}},
        "metrics": {"resources": {"values": [["total", "Total", 5], ["changed", "Changed", 1], ["failed", "Failed", 3],
            ["skipped", "Skipped", 1], ["out_of_sync", "Out of sync", 3]]}}})");
    CHECK(report_metrics(twice) == "changed: 1, failed: 3, unchanged: 2 skipped: 1, noop: 1");
    CHECK_FALSE(report_metrics(Json::object()));
    CHECK_FALSE(report_metrics(Json{{"metrics", 5}}));
    CHECK_FALSE(report_metrics(Json()));
}

TEST_CASE("APL-017 what is not a report becomes an error of its kind", "[apply]") {
    const auto failed = [](int code) {
        return Json{
            {"_error",
             {{"kind", "puppetlabs.tasks/task-error"}, {"msg", "x"}, {"details", {{"exit_code", code}}}}}};
    };
    CHECK(apply_result_value(failed(127), "t")["_error"]["kind"] == "bolt/apply-error");
    CHECK(apply_result_value(failed(126), "t")["_error"]["msg"] ==
          "Puppet is not installed on the target, please install it to enable 'apply', for example with the "
          "task "
          "openvox_bootstrap::install");
    CHECK(apply_result_value(failed(1), "t")["_error"]["kind"] == "puppetlabs.tasks/task-error");
    const Json lacking = apply_result_value(Json{{"status", "changed"}}, "t");
    CHECK(lacking["_error"]["kind"] == "bolt/invalid-report");
    CHECK(lacking["_error"]["msg"] ==
          "Report did not contain all expected keys missing: metrics, resource_statuses");
    const Json noise = apply_result_value(Json{{"_output", "hello"}}, "t");
    CHECK(noise["_error"]["msg"].get<std::string>().find("extraneous output to stdout: hello") !=
          std::string::npos);
    CHECK(noise["report"].empty());
}

TEST_CASE("OUT-009 APL-032 people see the lines about resources", "[apply]") {
    const auto logs = report_logs(report_of("changed"));
    REQUIRE(logs.size() == 3);
    CHECK(logs[0].source == "/Stage[main]/File[/a]/ensure");
    CHECK(logs[1].message == "not of a resource");  // such as a dependency cycle
    CHECK(logs[2].source == "Facter");
    CHECK(report_logs(Json()).empty());
    CHECK(report_logs(Json{{"logs", 3}}).empty());
}

}  // namespace volley
