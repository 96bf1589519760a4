#include "support/log.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace volley {
namespace {

/// The log of one test: records are kept until listen() is called.
class TestLog {
public:
    TestLog() { log_to({}, LogLevel::Trace); }
    ~TestLog() { log_to({}, LogLevel::Trace); }
    TestLog(const TestLog&) = delete;
    TestLog& operator=(const TestLog&) = delete;

    void listen() {
        log_to([this](const LogRecord& record) { messages.emplace_back(record.message); }, LogLevel::Info);
    }

    std::vector<std::string> messages;
};

using Messages = std::vector<std::string>;

}  // namespace

TEST_CASE("LOG-007 what is logged before somebody listens is delivered then") {
    TestLog test_log;
    log(LogLevel::Info, "component", "early");
    log(LogLevel::Debug, "component", "not wanted");
    test_log.listen();
    log(LogLevel::Warn, "component", "late");
    CHECK(test_log.messages == Messages{"early", "late"});
}

TEST_CASE("LOG-008 a disabled warning is silent, also when it was raised before it was disabled") {
    TestLog test_log;
    log_warning("unwanted", "component", "early");
    log_warning("wanted", "component", "early");
    disable_warning("unwanted");
    test_log.listen();
    log_warning("unwanted", "component", "late");
    log_warning("wanted", "component", "late");
    CHECK(test_log.messages == Messages{"early [ID: wanted]", "late [ID: wanted]"});
}

TEST_CASE("LOG-008 a warning that is said once is said once") {
    TestLog test_log;
    log_warning_once("again", "component", "first");
    test_log.listen();
    log_warning_once("again", "component", "second");
    CHECK(test_log.messages == Messages{"first [ID: again]"});
}

}  // namespace volley
