// kept_sessions INVENTORY_JSON COMMANDS: what live sessions cost. Opens a session to every target of the file
// (a list of {host, port, options}), all at once, runs one command on each, and then COMMANDS more on the
// sessions it kept. Prints one JSON object; times are CPU of this process, without the servers'.
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "transports/connection.hpp"
#include "transports/runtime.hpp"
#include "transports/transport.hpp"

namespace {

using namespace volley;
using transports::Connection;
using transports::TargetConfig;

struct CountedOutput final : transports::OutputSink {
    std::size_t bytes = 0;
    void on_output(transports::Stream, std::string_view text) override { bytes += text.size(); }
};

double cpu_milliseconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
    };
    return of(usage.ru_utime) + of(usage.ru_stime);
}

double resident_kib() {
    std::size_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1024;
}

std::vector<TargetConfig> read_targets(const char* file) {
    std::vector<TargetConfig> targets;
    for (const Json& entry : Json::parse(std::ifstream(file))) {
        TargetConfig target;
        target.host = entry.at("host").get<std::string>();
        target.name = target.safe_name = target.host;
        target.transport = "ssh";
        target.port = entry.at("port").get<int>();
        target.options = std::make_shared<const Json>(entry.at("options"));
        targets.push_back(std::move(target));
    }
    return targets;
}

transports::Task<void> run_on(Connection& connection) {
    const transports::Command command("echo hi");
    transports::NoInput input;
    CountedOutput output;
    const transports::ExitStatus status = co_await connection.execute(command, input, output);
    if (status.code != 0 || output.bytes != 3) throw std::runtime_error("the command did not say hi");
}

transports::Task<void> open_and_run(transports::Transport& transport, TargetConfig target,
                                    std::unique_ptr<Connection>& connection) {
    connection = co_await transport.connect(std::move(target));
    co_await run_on(*connection);
}

/// Runs the loop until everything that was started has ended; the first error is thrown.
class Crowd {
public:
    explicit Crowd(transports::Runtime& runtime) : runtime_(runtime) {}
    void start(transports::Task<void> task) {
        ++running_;
        boost::asio::co_spawn(runtime_.loop(), std::move(task), [this](std::exception_ptr error) {
            --running_;
            if (error && !error_) error_ = error;
        });
    }
    void wait() {
        while (running_ > 0 && runtime_.loop().run_one() > 0) {
        }
        if (error_) std::rethrow_exception(error_);
    }

private:
    transports::Runtime& runtime_;
    std::size_t running_ = 0;
    std::exception_ptr error_;
};

int bench(const char* file, int commands) {
    const std::vector<TargetConfig> targets = read_targets(file);
    const auto count = static_cast<double>(targets.size());
    transports::Runtime runtime;
    const auto transport = transports::make_transport("ssh", runtime);
    std::vector<std::unique_ptr<Connection>> connections(targets.size());
    {
        Crowd first(runtime);  // what every run pays once: libraries, keys, known_hosts
        first.start(open_and_run(*transport, targets.front(), connections.front()));
        first.wait();
    }
    const double memory = resident_kib(), opened = cpu_milliseconds();
    Crowd crowd(runtime);
    for (std::size_t i = 1; i < targets.size(); ++i)
        crowd.start(open_and_run(*transport, targets[i], connections[i]));
    crowd.wait();
    const double live = resident_kib(), kept = cpu_milliseconds();
    ::malloc_trim(0);
    const double trimmed = resident_kib();
    for (int round = 0; round < commands; ++round) {
        for (const auto& connection : connections) crowd.start(run_on(*connection));
        crowd.wait();
    }
    const double further = cpu_milliseconds() - kept;
    fmt::print(
        "{{\"targets\":{},\"open_and_run_ms\":{:.3f},\"further_command_ms\":{:.3f},\"kib_a_target\":{:.1f},"
        "\"kib_a_target_at_rest\":{:.1f}}}\n",
        targets.size(), (kept - opened) / (count - 1), further / (count * commands),
        (live - memory) / (count - 1), (trimmed - memory) / (count - 1));
    for (const auto& connection : connections) crowd.start(connection->close());
    crowd.wait();
    return 0;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 3) {
        fmt::print(stderr, "usage: kept_sessions TARGETS.json COMMANDS\n");
        return 2;
    }
    return bench(argv[1], std::atoi(argv[2]));
} catch (const std::exception& error) {
    fmt::print(stderr, "kept_sessions: {}\n", error.what());
    return 1;
}
