#include "planner/record/record_sink.hpp"

#include <catch2/catch.hpp>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

using volley::planner::RecordSink;

namespace {

/// A record on a disk that is full, or that takes nothing at all.
class FailingSink final : public RecordSink {
public:
    int append_problem = 0, mark_problem = 0;
    int marks = 0;
    std::vector<std::string> written;
    mutable std::vector<int> warnings;
    mutable std::vector<std::pair<int, int>> intents;

private:
    int append(std::string_view content, std::span<const std::string_view>) override {
        if (append_problem == 0) written.emplace_back(content);
        return append_problem;
    }
    int mark_incomplete() override {
        ++marks;
        return mark_problem;
    }
    void warn(int reason) const override { warnings.push_back(reason); }
    void warn_of_intent(int reason, int problem) const override { intents.emplace_back(reason, problem); }
};

using Importance = RecordSink::Importance;
using Intents = std::vector<std::pair<int, int>>;

}  // namespace

TEST_CASE("USER-F5 an action whose beginning is not recorded makes the record incomplete", "[record]") {
    FailingSink sink;
    CHECK(sink.write("before", Importance::Other) == 0);
    sink.append_problem = ENOSPC;
    CHECK(sink.write("an outcome", Importance::Other) == ENOSPC);
    CHECK(sink.marks == 0);
    CHECK(sink.warnings == std::vector{ENOSPC});
    CHECK(sink.write("a beginning", Importance::Intent) == ENOSPC);
    CHECK(sink.write("another", Importance::Intent) == ENOSPC);
    CHECK(sink.marks == 1);
    CHECK(sink.intents == Intents{{ENOSPC, 0}});
    CHECK(sink.written == std::vector<std::string>{"before"});
}

TEST_CASE("USER-F5 a record that cannot even be marked is marked as soon as it can", "[record]") {
    FailingSink sink;
    sink.append_problem = EROFS;
    sink.mark_problem = EIO;
    sink.write("a beginning", Importance::Intent);
    sink.write("another", Importance::Intent);
    CHECK(sink.marks == 2);
    CHECK(sink.intents == Intents{{EROFS, EIO}, {EROFS, EIO}});
    sink.mark_problem = 0;
    sink.write("a third", Importance::Intent);
    sink.write("a fourth", Importance::Intent);
    CHECK(sink.marks == 3);
    CHECK(sink.intents.back() == std::pair{EROFS, 0});
}

TEST_CASE("USER-F5 what a step is stands before what happened in it, whenever it can be written",
          "[record]") {
    FailingSink sink;
    sink.append_problem = ENOSPC;
    sink.write("a step", Importance::Step);
    sink.write("its beginning", Importance::Intent);
    sink.append_problem = 0;
    CHECK(sink.write("its outcome", Importance::Other) == 0);
    CHECK(sink.written == std::vector<std::string>{"a step", "its outcome"});
}
