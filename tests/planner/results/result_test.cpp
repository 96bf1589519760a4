#include "planner/results/result.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace volley::planner {
namespace {

using transports::Output;
using transports::Stream;

Output output(std::initializer_list<std::pair<Stream, std::string_view>> pieces, int code) {
    Output made;
    for (const auto& [stream, bytes] : pieces) made.captured.append(stream, bytes);
    made.status.code = code;
    return made;
}

}  // namespace

TEST_CASE("RES-001 RES-005 a command's result has Bolt's keys in Bolt's order") {
    const Result result =
        Result::of_command("web1", "command", "uptime",
                           output({{Stream::Out, "a\n"}, {Stream::Err, "b\n"}, {Stream::Out, "c\n"}}, 0));
    CHECK(result.to_json().dump() ==
          R"({"target":"web1","action":"command","object":"uptime","status":"success",)"
          R"("value":{"stdout":"a\nc\n","stderr":"b\n","merged_output":"a\nb\nc\n","exit_code":0}})");
}

TEST_CASE("RES-006 ERR-047 a command that fails says its exit code") {
    const Result result = Result::of_command("web1", "script", "/x.sh", output({}, 12));
    CHECK_FALSE(result.ok());
    CHECK(result.error().dump() ==
          R"({"kind":"puppetlabs.tasks/command-error","issue_code":"COMMAND_ERROR",)"
          R"("msg":"The command failed with exit code 12","details":{"exit_code":12}})");
    CHECK(result.value()["_error"] == result.error());
}

TEST_CASE("RES-019 the compact text equals the JSON value, whatever the bytes") {
    const std::string all = [] {
        std::string bytes;
        for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
        return bytes;
    }();
    const std::string_view rows[] = {"", "plain", "caf\xC3\xA9 \xE2\x82\xAC", "\xFF\xFE bad", "cut \xE2\x82",
                                     all};
    for (const std::string_view row : rows) {
        for (const int code : {0, 3}) {
            const Result result = Result::of_command("t", "command", std::string(row),
                                                     output({{Stream::Out, row}, {Stream::Err, row}}, code));
            CHECK(result.to_json_text() == result.to_json().dump());
        }
    }
    const Result bad = Result::of_command("t", "command", "x", output({{Stream::Out, "\xDE\xFE"}}, 0));
    CHECK(bad.value()["stdout"] == "\\xDE\\xFE");
}

TEST_CASE("RES-019 large output is written in bounded pieces, and no character is cut") {
    std::string large;
    while (large.size() < 300'000) large += "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\n";
    transports::Output made;
    // Every run of the stream ends somewhere inside a character; the other stream comes in between.
    for (std::size_t at = 0; at < large.size(); at += 1001) {
        made.captured.append(Stream::Out, std::string_view(large).substr(at, 1001));
        made.captured.append(Stream::Err, "|");
    }
    const Result result = Result::of_command("t", "command", "x", std::move(made));
    std::string whole;
    std::size_t longest = 0;
    result.write_json([&](std::string_view piece) {
        whole += piece;
        longest = std::max(longest, piece.size());
    });
    CHECK(longest < 200'000);
    CHECK(whole == result.to_json().dump());
    CHECK(result.value()["stdout"] == large);
}

TEST_CASE("RES-002 RES-011 a value with an _error is a failure") {
    CHECK(Result::of_value("t", "task", "x", Json{{"a", 1}}).ok());
    const Result failed = Result::of_value("t", "task", "x", Json{{"_error", Json{{"msg", "no"}}}});
    CHECK_FALSE(failed.ok());
    CHECK(failed.to_json()["status"] == "failure");
}

TEST_CASE("RES-014 _sensitive is redacted wherever a result is turned into data") {
    const Result result =
        Result::of_value("t", "task", "x", Json{{"_sensitive", Json{{"password", "hunter2"}}}});
    CHECK(result.value()["_sensitive"] == "Sensitive [value redacted]");
    CHECK(result.to_json_text().find("hunter2") == std::string::npos);
}

TEST_CASE("RES-004 RES-018 an error on the way has no object, and its details come first") {
    const ErrorInfo error("puppetlabs.tasks/connect-error", "Failed to connect", Json(), "CONNECT_ERROR");
    const Result result = Result::of_error("t", "command", error);
    CHECK(
        result.to_json_text() ==
        R"({"target":"t","action":"command","object":null,"status":"failure","value":{"_error":{"details":{},)"
        R"("kind":"puppetlabs.tasks/connect-error","msg":"Failed to connect","issue_code":"CONNECT_ERROR"}}})");
}

TEST_CASE("RES-018 ERR-049 an unexpected exception starts with its kind") {
    const ErrorInfo error("puppetlabs.tasks/exception-error", "boom", Json{{"class", "x"}}, "EXCEPTION");
    CHECK(
        Result::of_error("t", "task", error).error().dump() ==
        R"({"kind":"puppetlabs.tasks/exception-error","issue_code":"EXCEPTION","msg":"boom","details":{"class":"x"}})");
}

TEST_CASE("a result set is well when every result is") {
    const Result good = Result::of_value("a", "task", "x", Json::object());
    const Result bad = Result::of_error("b", "task", ErrorInfo("k", "m"));
    CHECK(ResultSet{}.ok());
    CHECK(ResultSet({good}).ok());
    CHECK_FALSE(ResultSet({good, bad}).ok());
}

}  // namespace volley::planner
