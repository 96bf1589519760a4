// The local transport: commands of this machine, without a session (LOC-001, LOC-002).
#include <fmt/format.h>

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <memory>
#include <string>

#include "transports/controller_user.hpp"
#include "transports/errors.hpp"
#include "transports/process/run.hpp"
#include "transports/transport.hpp"

namespace volley::transports {

namespace {

// A command that does not end on TERM is killed after this.
constexpr std::chrono::seconds stop_grace{3};

class LocalConnection final : public Connection {
public:
    LocalConnection() : user_(controller_user()) {}

    Task<ExitStatus> execute(const Command& command, Input& input, OutputSink& sink) override {
        ProcessSettings settings = ProcessSettings::shell(command.line);
        try {
            co_return co_await run_process(std::move(settings), input, sink, stop_grace);
        } catch (const boost::system::system_error& error) {
            if (error.code() == boost::asio::error::operation_aborted) throw;
            throw connect_error(
                fmt::format("Could not run a command on this machine: {}", error.code().message()),
                "EXEC_ERROR");
        }
    }

    bool alive() const noexcept override { return true; }
    bool runs_sh() const noexcept override { return true; }
    Task<void> close() override { co_return; }
    const std::string& user() const noexcept override { return user_; }

private:
    std::string user_;
};

class LocalTransport final : public Transport {
public:
    Task<std::unique_ptr<Connection>> connect(TargetConfig) override {
        co_return std::make_unique<LocalConnection>();
    }
};

}  // namespace

std::unique_ptr<Transport> make_local(Runtime&) { return std::make_unique<LocalTransport>(); }

}  // namespace volley::transports
