#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <csignal>
#include <cstdlib>
#include <map>
#include <utility>

#include "support/files.hpp"
#include "support/log.hpp"
#include "transports/process/process.hpp"
#include "transports/ssh/config/ssh_config.hpp"
#include "transports/ssh/logger.hpp"
#include "transports/ssh/shared_result.hpp"

namespace volley::transports::ssh {
namespace {

constexpr std::chrono::seconds exec_deadline{10};

using ConfigPtr = std::shared_ptr<const SshConfig>;

std::string local_host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

std::vector<SshConfig::File> usual_files(const ConfigIdentity& identity) {
    std::vector<SshConfig::File> files;
    if (!identity.home.empty()) files.push_back({identity.home / ".ssh" / "config", true});
    files.push_back({"/etc/ssh/ssh_config", false});
    return files;
}

/// Runs a Match exec command as OpenSSH does: by the user's shell, with nothing to read and nowhere to write.
Task<bool> command_succeeds(std::string command) {
    const char* shell = std::getenv("SHELL");
    std::vector<std::string> words{shell != nullptr && *shell != '\0' ? shell : "/bin/sh", "-c", command};
    ProcessSettings settings(std::move(words));
    settings.channel = ProcessSettings::Channel::Nothing;
    settings.error_channel = ProcessSettings::ErrorChannel::Discard;
    const auto executor = co_await boost::asio::this_coro::executor;
    try {
        Process process(executor, settings);
        boost::asio::steady_timer timer(executor, exec_deadline);
        timer.async_wait([&process, &command](const boost::system::error_code& code) {
            if (code) return;
            log(LogLevel::Warn, logger,
                "Match exec in ssh_config timed out after 10 seconds and counts as failed: " + command);
            process.signal(SIGKILL);
        });
        const ExitStatus status = co_await process.wait();
        co_return status.code == 0;
    } catch (const boost::system::system_error& error) {
        if (error.code() == boost::asio::error::operation_aborted) throw;
        log(LogLevel::Debug, logger, std::string("cannot run Match exec of ssh_config: ") + error.what());
        co_return false;
    }
}

}  // namespace

ConfigIdentity ConfigIdentity::current() {
    ConfigIdentity identity;
    identity.local_user = login_name();
    identity.local_uid = std::to_string(::getuid());
    identity.local_host = local_host_name();
    identity.home = home_directory();
    return identity;
}

struct SshConfigStore::State {
    State(Runtime& runtime_, std::vector<SshConfig::File> files_, ConfigIdentity identity_)
        : runtime(runtime_),
          files(std::move(files_)),
          identity(std::move(identity_)),
          config(std::make_shared<SharedResult<ConfigPtr>>(runtime.loop())) {}

    static Task<ConfigPtr> open(std::shared_ptr<State> self) {
        auto work = [files = self->files, identity = self->identity] {
            return SshConfig::load(files, identity);
        };
        auto job = self->runtime.blocking(std::move(work));
        return SharedResult<ConfigPtr>::get(self->config, std::move(job));
    }

    static Task<bool> ask(std::shared_ptr<State> self, std::string command) {
        auto& answer = self->answers[command];
        if (!answer) answer = std::make_shared<SharedResult<bool>>(self->runtime.loop());
        auto job = command_succeeds(std::move(command));
        return SharedResult<bool>::get(answer, std::move(job));
    }

    Runtime& runtime;
    std::vector<SshConfig::File> files;
    ConfigIdentity identity;
    std::shared_ptr<SharedResult<ConfigPtr>> config;
    std::map<std::string, std::shared_ptr<SharedResult<bool>>> answers;  // of Match exec, by command
};

SshConfigStore::SshConfigStore(Runtime& runtime) {
    ConfigIdentity identity = ConfigIdentity::current();
    auto files = usual_files(identity);
    state_ = std::make_shared<State>(runtime, std::move(files), std::move(identity));
}

SshConfigStore::SshConfigStore(Runtime& runtime, std::vector<SshConfig::File> files, ConfigIdentity identity)
    : state_(std::make_shared<State>(runtime, std::move(files), std::move(identity))) {}

SshConfigStore::~SshConfigStore() = default;

Task<std::shared_ptr<const HostSettings>> SshConfigStore::resolve(ConfigQuery query) {
    const auto state = state_;
    const ConfigPtr config = co_await State::open(state);
    // The resolution stops at a command whose answer is not known; it is asked, and the resolution done
    // again.
    std::map<std::string, bool> known;
    while (true) {
        std::optional<std::string> open_question;
        const SshConfig::Exec exec = [&known,
                                      &open_question](const std::string& command) -> std::optional<bool> {
            const auto answer = known.find(command);
            if (answer != known.end()) return answer->second;
            if (!open_question) open_question = command;
            return std::nullopt;
        };
        auto settings = std::make_shared<HostSettings>(config->resolve(query, exec));
        if (!open_question) co_return settings;
        const bool answer = co_await State::ask(state, *open_question);
        known.emplace(*open_question, answer);
    }
}

}  // namespace volley::transports::ssh
