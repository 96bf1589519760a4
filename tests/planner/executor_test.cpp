#include "planner/executor.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "inventory/config/config.hpp"
#include "planner/interrupt.hpp"
#include "planner/job.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;
using inventory::Target;
using inventory::TargetSyntax;

/// Notes every event as a short text.
class EventRecorder final : public EventListener {
public:
    void on_event(const Event& event) override {
        std::visit([this](const auto& what) { note(what); }, event);
    }
    std::vector<std::string> lines;
    std::vector<std::string> running;
    std::size_t at_once = 0;
    std::size_t most_at_once = 0;

private:
    void note(const ActionStarted& event) {
        lines.push_back("begin " + std::string(event.description) + " on " + std::to_string(event.targets));
    }
    void note(const TargetStarted& event) {
        most_at_once = std::max(most_at_once, ++at_once);
        lines.push_back("start " + std::string(event.target));
    }
    void note(const TargetOutput& event) { lines.push_back("output " + std::string(event.bytes)); }
    void note(const TargetFinished& event) {
        --at_once;
        lines.push_back("finish " + event.result.target());
    }
    void note(const ActionFinished& event) { lines.push_back("end " + std::to_string(event.results.size())); }
    void note(const ActionTaken&) {}
    void note(const Interrupted& event) { running = event.running; }
    void note(const PlanStarted&) {}
    void note(const PlanFinished&) {}
    void note(const BranchStarted&) {}
    void note(const BranchFinished&) {}
    void note(const Message&) {}
    void note(const OutputSwitched&) {}
    void note(const ContainerStarted&) {}
    void note(const ContainerFinished&) {}
};

/// A project in a folder of its own, with targets on this machine.
class World {
public:
    explicit World(const std::string& inventory_yaml, ExecutorSettings wanted = {}) : settings(wanted) {
        fs::create_directories(root / "project");
        write_file_atomically(root / "project/bolt-project.yaml", "name: demo\n");
        write_file_atomically(root / "project/inventory.yaml", inventory_yaml);
        inventory::ProcessContext here;
        here.working_directory = root / "project";
        here.home = root;
        here.system_config = root / "none";
        here.environment = [](std::string_view) { return std::optional<std::string>(); };
        config = inventory::load_config(here, {});
        inventory = inventory::Inventory::load(here, config, inventory::make_builtin_plugins(here));
        library.emplace(config, std::vector<fs::path>());
    }
    ~World() { fs::remove_all(root); }
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    void put(const std::string& file, std::string_view content) const {
        fs::create_directories((root / "project" / file).parent_path());
        write_file_atomically(root / "project" / file, content);
    }
    ResultSet run(decltype(Action::what) what, const std::string& targets = "all") {
        Action action;
        action.what = std::move(what);
        transports::Runtime runtime;
        Executor executor(runtime, *inventory, *library, settings);
        executor.add_listener(recorder);
        if (before_run) before_run(runtime, executor);
        ResultSet results =
            executor.run_blocking(action, inventory->resolve(targets, TargetSyntax::CommandLine));
        interrupted = executor.interrupted();
        return results;
    }
    TaskAction task(const std::string& name) { return TaskAction{library->find_task(name), {}, false}; }

    fs::path root = fs::temp_directory_path() / ("volley-test-" + random_uuid());
    ExecutorSettings settings;
    inventory::Config config;
    std::unique_ptr<inventory::Inventory> inventory;
    std::optional<tasks::Library> library;
    EventRecorder recorder;
    std::function<void(transports::Runtime&, Executor&)> before_run;
    bool interrupted = false;
};

std::string local_targets(int count) {
    std::string yaml = "config: {transport: local}\ntargets:\n";
    for (int i = 0; i < count; ++i) yaml += "  - t" + std::to_string(i) + "\n";
    return yaml;
}

/// Until so many have left their marks in the folder.
transports::Task<void> wait_until_asleep(fs::path folder, std::ptrdiff_t count) {
    boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
    while (std::distance(fs::directory_iterator(folder), fs::directory_iterator()) < count) {
        timer.expires_after(std::chrono::milliseconds(10));
        co_await timer.async_wait(boost::asio::use_awaitable);
    }
}

/// SIGTERM for this process when they are asleep.
transports::Task<void> raise_when_asleep(fs::path folder, std::ptrdiff_t count) {
    co_await wait_until_asleep(folder, count);
    ::raise(SIGTERM);
}

/// Stops t0, t1 ... one after the other, each when it is asleep.
transports::Task<void> stop_each(Executor& executor, fs::path folder, int count) {
    for (int i = 0; i < count; ++i) {
        co_await wait_until_asleep(folder, i + 1);
        CHECK(executor.stop(1, "t" + std::to_string(i)));
    }
}

std::string kind(const Result& result) { return result.error().value("kind", ""); }

}  // namespace

TEST_CASE("RES-005 a command runs on every target and its results come in order") {
    World world(local_targets(5));
    const ResultSet results = world.run(CommandAction{"echo $X; echo bad >&2", {{"X", "y"}}});
    REQUIRE(results.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
        const Result& result = results.results()[i];
        CHECK(result.target() == "t" + std::to_string(i));
        CHECK(result.ok());
        CHECK(result.value()["stdout"] == "y\n");
        CHECK(result.value()["stderr"] == "bad\n");
    }
    CHECK(world.recorder.lines.front() == "begin command 'echo $X; echo bad >&2' on 5");
    CHECK(world.recorder.lines.back() == "end 5");
    CHECK_FALSE(world.interrupted);
}

TEST_CASE("CFG-024 no more targets than the concurrency run at once") {
    ExecutorSettings settings;
    settings.concurrency = 3;
    World world(local_targets(10), settings);
    CHECK(world.run(CommandAction{"sleep 0.02", {}}).ok());
    CHECK(world.recorder.most_at_once == 3);
}

TEST_CASE("RES-018 RES-020 results are grouped by transport and a target that fails stops nobody") {
    World world(R"(
targets:
  - {name: a, config: {transport: local}}
  - {name: r, config: {transport: remote}}
  - {name: b, config: {transport: local}}
)");
    const ResultSet results = world.run(CommandAction{"true", {}});
    REQUIRE(results.size() == 3);
    CHECK(results.results()[0].target() == "a");
    CHECK(results.results()[1].target() == "b");
    CHECK(results.results()[2].target() == "r");
    CHECK(results.results()[0].ok());
    CHECK(results.results()[1].ok());
    CHECK_FALSE(results.results()[2].object());
}

TEST_CASE("REM-004 only tasks run on remote targets") {
    World world("targets: [{name: r, config: {transport: remote}}]\n");
    world.put("x.sh", "true\n");
    const fs::path file = world.root / "project/x.sh";
    for (const Action& action :
         {Action{CommandAction{"true", {}}, {}, {}}, Action{ScriptAction{file, {}, {}}, {}, {}},
          Action{UploadAction{file, "/nowhere"}, {}, {}}}) {
        const ResultSet results = world.run(action.what);
        REQUIRE(results.size() == 1);
        CHECK(kind(results.results()[0]) == "puppetlabs.tasks/exception-error");
        CHECK(results.results()[0].action() == action_name(action));
    }
}

TEST_CASE("REM-001 TSK-025 a remote target's task runs on its run-on target and gets it") {
    World world(R"(
targets:
  - {name: here, config: {transport: local}}
  - name: switch1
    uri: remote://admin@switch.example:99
    config: {transport: remote, remote: {run-on: here, colour: blue}}
)");
    world.put("tasks/look.sh", "#!/bin/sh\ncat\n");
    world.put("tasks/look.json", R"({"remote": true, "input_method": "stdin"})");
    const ResultSet results = world.run(world.task("demo::look"), "switch1");
    REQUIRE(results.size() == 1);
    INFO(results.results()[0].to_json_text());
    const Json value = results.results()[0].value();
    CHECK(results.results()[0].target() == "switch1");
    CHECK(value["_task"] == "demo::look");
    CHECK(value["_target"]["name"] == "switch1");
    CHECK(value["_target"]["host"] == "switch.example");
    CHECK(value["_target"]["colour"] == "blue");
}

TEST_CASE("REM-002 ERR-041 a remote target cannot run on a remote one") {
    World world(R"(
targets:
  - {name: r1, config: {transport: remote}}
  - {name: r2, config: {transport: remote, remote: {run-on: r1}}}
)");
    world.put("tasks/look.sh", "#!/bin/sh\ncat\n");
    world.put("tasks/look.json", R"({"remote": true})");
    const ResultSet results = world.run(world.task("demo::look"), "r2");
    REQUIRE(results.size() == 1);
    CHECK(kind(results.results()[0]) == "bolt/invalid-remote-target");
    CHECK(results.results()[0].error()["msg"] ==
          "r1 is not a valid run-on target for r2 since is also remote.");
}

TEST_CASE("TSK-021 ERR-021 a task without an implementation for a target is that target's error") {
    World world(local_targets(1));
    world.put("tasks/win_ps1.ps1", "exit\n");
    world.put("tasks/win.json",
              R"({"implementations": [{"name": "win_ps1.ps1", "requirements": ["powershell"]}]})");
    const ResultSet results = world.run(world.task("demo::win"));
    CHECK(kind(results.results().at(0)) == "bolt/no-implementation");
    CHECK(results.results().at(0).error()["msg"] == "No suitable implementation of demo::win for t0");
}

TEST_CASE("RES-009 TSK-028 a task runs with its files beside it, and its failure is a result") {
    World world(local_targets(1));
    world.put("files/lib.sh", "answer=42\n");
    world.put("tasks/t.sh",
              "#!/bin/sh\n. \"$PT__installdir/demo/files/lib.sh\"\n"
              "printf '{\"answer\": %s}' $answer\nexit 3\n");
    world.put("tasks/t.json", R"({"files": ["demo/files/lib.sh"]})");
    const ResultSet results = world.run(world.task("demo::t"));
    REQUIRE(results.size() == 1);
    INFO(results.results()[0].to_json_text());
    CHECK(results.results()[0].value()["answer"] == 42);
    CHECK(kind(results.results()[0]) == "puppetlabs.tasks/task-error");
}

TEST_CASE("RES-015 RES-016 SH-023 files go up, and come down into a folder of the target's own") {
    World world("targets: [{name: 'a b/c', config: {transport: local}}]\n");
    world.put("x.txt", "hello");
    const fs::path file = world.root / "project/x.txt";
    const fs::path up = world.root / "up.txt";
    const Action upload{UploadAction{file, up.string()}, {}, {}};
    const std::vector<Target> targets{world.inventory->target("a b/c")};
    transports::Runtime runtime;
    Executor executor(runtime, *world.inventory, *world.library, {});
    const ResultSet uploaded = executor.run_blocking(upload, targets);
    INFO(uploaded.results().at(0).to_json_text());
    CHECK(read_file(up, "file") == "hello");
    CHECK_THAT(uploaded.results().at(0).value()["_output"].get<std::string>(),
               Catch::StartsWith("Uploaded '" + file.string() + "' to '") &&
                   Catch::EndsWith(":" + up.string() + "'"));

    const fs::path down = world.root / "down";
    const Action download{DownloadAction{up.string(), down}, {}, {}};
    const ResultSet downloaded = executor.run_blocking(download, targets);
    const fs::path local = down / "a%20b%2Fc" / "up.txt";
    CHECK(downloaded.results().at(0).value()["path"] == local.string());
    CHECK(read_file(local, "file") == "hello");

    const Action bad{DownloadAction{up.string(), file}, {}, {}};
    CHECK_THROWS_WITH(executor.run_blocking(bad, targets),
                      Catch::Contains("Unable to create destination directory"));
}

TEST_CASE("SH-023 a target's name can never be a way out of the download folder") {
    CHECK(download_folder("web-1.example_x~") == "web-1.example_x~");
    CHECK(download_folder("user@host:22") == "user%40host%3A22");
    CHECK(download_folder("..") == "%2E%2E");
    CHECK(download_folder("a/../b") == "a%2F..%2Fb");
}

TEST_CASE("output is published as it comes only when asked for") {
    ExecutorSettings settings;
    settings.stream = true;
    World streaming(local_targets(1), settings);
    streaming.run(CommandAction{"echo hi", {}});
    CHECK(std::count(streaming.recorder.lines.begin(), streaming.recorder.lines.end(), "output hi\n") == 1);
    World quiet(local_targets(1));
    quiet.run(CommandAction{"echo hi", {}});
    CHECK(std::count(quiet.recorder.lines.begin(), quiet.recorder.lines.end(), "output hi\n") == 0);
}

TEST_CASE("a signal stops what runs, keeps what is done, and names what ran") {
    ExecutorSettings settings;
    settings.concurrency = 2;
    World world("config: {transport: local}\ntargets: [quick, slow, later, last]\n", settings);
    // The first target of the two lanes is quick; the next two leave a mark and sleep.
    const fs::path mark = world.root / "mark", asleep = world.root / "asleep";
    fs::create_directories(asleep);
    const std::string command =
        "mkdir " + mark.string() + " 2>/dev/null && exit 0; touch " + asleep.string() + "/$$; sleep 300";
    world.before_run = [&](transports::Runtime& runtime, Executor&) {
        boost::asio::co_spawn(runtime.loop(), raise_when_asleep(asleep, 2), boost::asio::detached);
    };
    const ResultSet results = world.run(CommandAction{command, {}});
    CHECK(world.interrupted);
    InterruptHandler::forget();
    REQUIRE(results.size() == 4);
    CHECK(std::count_if(results.results().begin(), results.results().end(),
                        [](const Result& r) { return r.ok(); }) == 1);
    std::size_t while_running = 0;
    for (const Result& result : results.results()) {
        if (result.ok()) continue;
        CHECK(kind(result) == "volley/interrupted");
        const auto msg = result.error()["msg"].get<std::string>();
        while_running += msg.find("Interrupted while running") == 0 ? 1 : 0;
    }
    CHECK(while_running == 2);
    REQUIRE(world.recorder.running.size() == 2);
    CHECK_THAT(world.recorder.running[0], Catch::EndsWith(" (running)"));
    CHECK(std::count_if(world.recorder.lines.begin(), world.recorder.lines.end(),
                        [](const std::string& line) { return line.find("finish ") == 0; }) == 4);
}

TEST_CASE("USER-F4 one target is stopped, and the others go on") {
    ExecutorSettings settings;
    settings.concurrency = 1;  // the same worker has them all
    World world(local_targets(4), settings);
    const fs::path asleep = world.root / "asleep";
    fs::create_directories(asleep);
    world.before_run = [&](transports::Runtime& runtime, Executor& executor) {
        CHECK_FALSE(executor.stop(1, "t0"));  // nothing runs yet
        boost::asio::co_spawn(runtime.loop(), stop_each(executor, asleep, 3), boost::asio::detached);
    };
    const ResultSet results = world.run(CommandAction{
        "touch " + asleep.string() + "/$$; [ $(ls " + asleep.string() + " | wc -l) = 4 ] || sleep 300", {}});
    REQUIRE(results.size() == 4);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(kind(results.results()[i]) == "volley/stopped");
        CHECK(results.results()[i].error()["msg"] == "Stopped by the user while running");
    }
    CHECK(results.results()[3].ok());
    CHECK_FALSE(world.interrupted);
}

}  // namespace volley::planner
