#include "planner/record/stored_result.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "journal/frame.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t plenty = 1024 * 1024;

std::string recorded(const Result& result, const KnownSecrets& secrets = {}) {
    RecordedResult record(result, plenty);
    record.mask(secrets);
    std::string content;
    record.append_content(content);
    return content;
}

std::string stored(const Result& result) { return journal::content_text(*stored_value(result)); }

}  // namespace

TEST_CASE("a value is recorded as it is stored, copied or not", "[planner]") {
    const Json value = {{"report", {{"status", "unchanged"}, {"count", 3}}}, {"_output", "line\nline"}};
    Json with_catalog = value;
    with_catalog["_sensitive"] = {{"catalog", {{"resources", {"File[/secret]"}}}}};
    for (const std::optional<std::string>& object : {std::optional<std::string>(), {"a \"task\""}}) {
        for (const Json& one : {value, with_catalog}) {
            const Result result = Result::of_value("node", "apply", object, one);
            INFO(one);
            CHECK(recorded(result) == stored(result));
            CHECK(recorded(result).find("/secret") == std::string::npos);
            KnownSecrets others;
            others.add(std::string("nowhere in it"));
            CHECK(recorded(result, others) == stored(result));
        }
    }
}

TEST_CASE("a value with a secret or a long text is recorded without them", "[planner]") {
    const Result result =
        Result::of_value("node", "apply", std::nullopt,
                         Json{{"text", "the password is hunter2"}, {"long", std::string(5000, 'x')}});
    KnownSecrets secrets;
    secrets.add(std::string("hunter2"));
    RecordedResult record(result, plenty);
    record.mask(secrets);
    CHECK_FALSE(record.whole());
    std::string content;
    record.append_content(content);
    CHECK(content.find("hunter2") == std::string::npos);
    CHECK(content.find("xxxx") == std::string::npos);
    REQUIRE(record.output().size() == 1);
    CHECK(record.output().front() == std::string(5000, 'x'));
}

TEST_CASE("what is sensitive in a value is there for plans only", "[planner]") {
    const Result result =
        Result::of_value("node", "task", "a_task", Json{{"_sensitive", {{"pin", 1234}}}, {"plain", true}});
    CHECK(result.value() == Json{{"_sensitive", "Sensitive [value redacted]"}, {"plain", true}});
    CHECK(result.full_value() == Json{{"_sensitive", {{"pin", 1234}}}, {"plain", true}});
    REQUIRE(result.sensitive() != nullptr);
    CHECK(*result.sensitive() == Json{{"pin", 1234}});
    CHECK_FALSE(stored_value(result).has_value());
}

}  // namespace volley::planner
