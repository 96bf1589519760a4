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
    int marks = 0, appends = 0;
    std::size_t space = 1'000'000;  // bytes that it still takes
    std::vector<std::string> written;
    mutable std::vector<int> warnings;
    mutable std::vector<std::pair<int, int>> intents;

private:
    int append(std::span<const volley::journal::FrameParts> frames) override {
        ++appends;
        std::size_t size = 0;
        for (const auto& frame : frames) size += frame.content.size() + frame.output_size();
        if (append_problem == 0 && size > space) return ENOSPC;
        if (append_problem != 0) return append_problem;
        space -= size;
        for (const auto& frame : frames) {
            std::string text(frame.content);
            for (const std::string_view piece : frame.output) text += piece;
            written.push_back(std::move(text));
        }
        return 0;
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
    CHECK(sink.write({"before"}, Importance::Other) == 0);
    sink.append_problem = ENOSPC;
    CHECK(sink.write({"an outcome"}, Importance::Other) == ENOSPC);
    CHECK(sink.marks == 0);
    CHECK(sink.warnings == std::vector{ENOSPC});
    CHECK(sink.write({"a beginning"}, Importance::Intent) == ENOSPC);
    CHECK(sink.write({"another"}, Importance::Intent) == ENOSPC);
    CHECK(sink.marks == 1);
    CHECK(sink.intents == Intents{{ENOSPC, 0}});
    CHECK(sink.written == std::vector<std::string>{"before"});
}

TEST_CASE("USER-F5 a record that cannot even be marked is marked as soon as it can", "[record]") {
    FailingSink sink;
    sink.append_problem = EROFS;
    sink.mark_problem = EIO;
    sink.write({"a beginning"}, Importance::Intent);
    sink.write({"another"}, Importance::Intent);
    CHECK(sink.marks == 2);
    CHECK(sink.intents == Intents{{EROFS, EIO}, {EROFS, EIO}});
    sink.mark_problem = 0;
    sink.write({"a third"}, Importance::Intent);
    sink.write({"a fourth"}, Importance::Intent);
    CHECK(sink.marks == 3);
    CHECK(sink.intents.back() == std::pair{EROFS, 0});
}

TEST_CASE("USER-F5 what a step is stands before what happened in it, whenever it can be written",
          "[record]") {
    FailingSink sink;
    sink.append_problem = ENOSPC;
    sink.write({"a step"}, Importance::Step);
    sink.write({"its beginning"}, Importance::Intent);
    sink.append_problem = 0;
    CHECK(sink.write({"its outcome"}, Importance::Other) == 0);
    CHECK(sink.written == std::vector<std::string>{"a step", "its outcome"});
}

TEST_CASE("frames that wait are written with the next one, in their order", "[record]") {
    FailingSink sink;
    const std::string_view output = " prints";
    sink.defer("a step", Importance::Step);
    sink.defer("its beginning", Importance::Intent);
    sink.defer("an outcome", Importance::Other, {&output, 1});
    CHECK(sink.written.empty());
    sink.write({"the end"}, Importance::Other);
    CHECK(sink.written ==
          std::vector<std::string>{"a step", "its beginning", "an outcome prints", "the end"});
    sink.defer("another", Importance::Intent);
    sink.flush();
    sink.flush();
    CHECK(sink.written.back() == "another");
    CHECK(sink.appends == 2);
}

TEST_CASE("what is long does not wait, nor does too much", "[record]") {
    FailingSink sink;
    const std::string_view short_output = "short";
    const std::string long_output(5000, 'x');
    const std::string_view output = long_output;
    sink.defer("first", Importance::Other, {&short_output, 1});
    sink.defer("second", Importance::Other, {&output, 1});
    CHECK(sink.written == std::vector<std::string>{"firstshort", "second" + long_output});
    const std::string frame(1000, 'y');
    for (int i = 0; i < 1000; ++i) sink.defer(frame, Importance::Other);
    CHECK(sink.written.size() > 700);
    CHECK(sink.appends < 10);
}

TEST_CASE("USER-F5 frames that wait and do not all fit are written one by one where they fit", "[record]") {
    FailingSink sink;
    sink.space = 20;
    sink.defer("first", Importance::Other);
    sink.defer("a long one that has no space", Importance::Other);
    sink.defer("third", Importance::Other);
    sink.flush();
    CHECK(sink.written == std::vector<std::string>{"first", "third"});
    CHECK(sink.warnings == std::vector{ENOSPC});
    CHECK(sink.marks == 0);
    sink.defer("a beginning", Importance::Intent);
    sink.defer("a step of which more is to come", Importance::Step);
    CHECK(sink.write({"end"}, Importance::Other) == ENOSPC);  // the step comes before what happened in it
    CHECK(sink.marks == 1);
    CHECK(sink.intents == Intents{{ENOSPC, 0}});
    sink.space = 100;
    sink.defer("its outcome", Importance::Other);
    sink.flush();
    CHECK(sink.written ==
          std::vector<std::string>{"first", "third", "a step of which more is to come", "its outcome"});
    CHECK(sink.marks == 1);
}
