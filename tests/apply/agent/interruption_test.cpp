#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "apply/agent/transaction/next_in_line.hpp"
#include "apply/agent/transaction/transaction.hpp"

using namespace volley::agent;

namespace {

/// Wants the run to end after the first resource, which has brought about others with it.
class StopsAtOnce final : public Listener {
public:
    explicit StopsAtOnce(std::set<std::string> done_with_first)
        : done_with_first_(std::move(done_with_first)) {}
    void watch(Run& run) { run_ = &run; }
    bool stop_wanted() override { return !finished_.empty(); }
    void finished(const Resource& resource, const Status& status) override {
        if (finished_.empty()) {
            for (const auto& one : run_->catalog.resources()) {
                if (done_with_first_.contains(one->title))
                    run_->shared<NextInLine>().done_ahead.insert(one.get());
            }
        }
        if (!status.skipped) finished_.insert(resource.title);
    }
    const std::set<std::string>& all() const noexcept { return finished_; }

private:
    std::set<std::string> done_with_first_, finished_;
    Run* run_ = nullptr;
};

/// Of five notifies those that are looked at before the run ends, and its report.
std::pair<std::set<std::string>, volley::Json> run_and_stop(std::set<std::string> done_with_first) {
    StopsAtOnce listener(std::move(done_with_first));
    Settings settings;
    settings.all_default_resources = false;
    Run run{Catalog(), settings, nullptr, &listener};
    listener.watch(run);
    for (const char* title : {"1", "2", "3", "4", "5"}) run.catalog.add(found_resource("notify", title));
    Transaction transaction(run);
    transaction.apply();
    return {listener.all(), transaction.report()};
}

}  // namespace

TEST_CASE("a run that is to end skips what is left, as its report shows", "[agent][transaction]") {
    const auto [looked_at, report] = run_and_stop({});
    CHECK(looked_at == std::set<std::string>{"1"});
    CHECK(report["transaction_completed"] == false);
    CHECK(report["status"] == "failed");
    CHECK(report["resource_statuses"]["Notify[1]"]["changed"] == true);
    for (const char* later : {"Notify[2]", "Notify[5]"})
        CHECK(report["resource_statuses"][later]["skipped"] == true);
}

TEST_CASE("what was done together is reported together", "[agent][transaction]") {
    const auto [looked_at, report] = run_and_stop({"2", "3"});
    CHECK(looked_at == std::set<std::string>{"1", "2", "3"});
    CHECK(report["resource_statuses"]["Notify[3]"]["changed"] == true);
    CHECK(report["resource_statuses"]["Notify[4]"]["skipped"] == true);
}
