#include "transports/ssh/powershell_subsystem.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "support/log.hpp"
#include "transports/errors.hpp"
#include "transports/powershell_pipe/pipe_session.hpp"
#include "transports/shell/powershell/command_line_session.hpp"
#include "transports/ssh/logger.hpp"

namespace volley::transports::ssh {
namespace {

/// Whether there is the subsystem shows with the first script, which costs nothing when there is.
class PowerShellConnection final : public Connection, private PowerShellSession {
public:
    PowerShellConnection(std::shared_ptr<SshServerConnection> connection, LineReader reader,
                         std::string label, Runtime& runtime)
        : connection_(std::move(connection)),
          label_(std::move(label)),
          subsystem_(
              runtime.loop().get_executor(),
              [server = connection_](Input& input, OutputSink& output) {
                  return server->subsystem("powershell", input, output);
              },
              label_),
          command_lines_(*connection_, reader) {}

    Task<ExitStatus> execute(const Command& command, Input& input, OutputSink& sink) override {
        return connection_->execute(command, input, sink);
    }
    bool alive() const noexcept override { return connection_->alive(); }
    Task<void> close() override {
        auto ending = subsystem_.close();
        co_await std::move(ending);
        auto closing = connection_->close();
        co_await std::move(closing);
    }
    const std::string& user() const noexcept override { return connection_->user(); }
    FileCopier* copier() noexcept override { return connection_->copier(); }
    PowerShellSession* powershell() noexcept override { return this; }
    const ConnectionFacts* facts() const noexcept override { return connection_->facts(); }

private:
    Task<ExitStatus> run(const PowerShellScript& script, Input& input, OutputSink& sink) override {
        if (!refused_) {
            try {
                auto running = subsystem_.run(script, input, sink);
                co_return co_await std::move(running);
            } catch (const powershell_pipe::DidNotStart& failure) {
                if (!connection_->alive() || !subsystem_.version().empty())
                    throw connect_error(
                        fmt::format("Could not run a script on {}: {}", label_, failure.reason()),
                        "EXEC_ERROR");
                refuse(failure.reason());
            }
        }
        auto running = command_lines_.run(script, input, sink);
        co_return co_await std::move(running);
    }
    std::string_view version() const noexcept override { return subsystem_.version(); }

    void refuse(const std::string& reason) {
        if (std::exchange(refused_, true)) return;
        log(LogLevel::Info, logger,
            fmt::format(
                "{} runs PowerShell through command lines, as its subsystem powershell is not available: {}",
                label_, reason));
    }

    std::shared_ptr<SshServerConnection> connection_;
    std::string label_;
    powershell_pipe::PipeSession subsystem_;
    CommandLineSession command_lines_;
    bool refused_ = false;
};

}  // namespace

std::unique_ptr<Connection> with_powershell_subsystem(std::unique_ptr<SshServerConnection> connection,
                                                      const TargetConfig& target, Runtime& runtime) {
    const std::optional<LineReader> reader = powershell_reader(target);
    if (!reader || !target.options->value("powershell-subsystem", false)) return connection;
    return std::make_unique<PowerShellConnection>(std::move(connection), *reader, target.safe_name, runtime);
}

}  // namespace volley::transports::ssh
