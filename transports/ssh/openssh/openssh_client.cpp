#include "transports/ssh/openssh/openssh_client.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/files/temporary_folder.hpp"
#include "support/process/child_process.hpp"
#include "support/text.hpp"
#include "transports/errors.hpp"
#include "transports/ssh/config/ssh_config.hpp"
#include "transports/ssh/openssh/openssh_connection.hpp"
#include "transports/ssh/safe_names.hpp"

namespace volley::transports::ssh {
namespace {

namespace fs = std::filesystem;

/// A socket's path may have 107 characters, and ssh binds it under a longer name first.
constexpr std::size_t longest_folder = 70;

std::unique_ptr<TemporaryFolder> make_private_folder() {
    fs::path base = temporary_files_folder();
    if (base.string().size() > longest_folder) base = "/tmp";
    try {
        return std::make_unique<TemporaryFolder>("volley-ssh-", base);
    } catch (const Error&) {
        throw connect_error("could not create a temporary directory for ssh in " + base.string());
    }
}

}  // namespace

struct OpenSshClient::State {
    explicit State(Runtime& runtime) : config(runtime) {}

    /// A place for the next master's socket. (A path, not a file: only ssh makes it.)
    fs::path next_socket() {
        if (!folder) folder = make_private_folder();
        return folder->path() / std::to_string(++sockets);
    }

    /// The settings of ssh_config for the target.
    static Task<HostSettings> settings_of(std::shared_ptr<State> self, TargetConfig target) {
        ConfigQuery query(target.host);
        query.user = target.user;
        query.port = target.port;
        HostSettings settings;
        try {
            settings = *co_await self->config.resolve(std::move(query));
        } catch (const Error& error) {
            // Where it is named on the command line, ssh does not look at its owner.
            if (error.info().issue_code() == bad_owner_or_mode) throw;
            settings.user = target.user;  // ssh itself reports what is wrong with its configuration
        }
        co_return settings;
    }

    SshConfigStore config;
    std::unique_ptr<TemporaryFolder> folder;
    unsigned sockets = 0;
};

OpenSshClient::OpenSshClient(Runtime& runtime) : state_(std::make_shared<State>(runtime)) {}
OpenSshClient::~OpenSshClient() = default;

Task<std::unique_ptr<SshServerConnection>> OpenSshClient::connect(TargetConfig target) {
    if (target.host.empty()) throw no_host_error(target.safe_name);
    require_safe_names(target.safe_name, target.user, target.host);
    const auto state = state_;
    auto asking = State::settings_of(state, target);
    const HostSettings settings = co_await std::move(asking);
    std::vector<std::string> more;
    if (!target.options->value("native-ssh", false))
        more = fallback_options(target, settings, home_directory());
    OpenSshCommand command(target, settings.user.value_or(login_name()), state->next_socket(), more);
    auto connection = std::make_unique<OpenSshConnection>(std::move(command), target.safe_name);
    co_await connection->test();
    co_return connection;
}

bool OpenSshClient::available() { return !find_program("ssh").empty(); }

}  // namespace volley::transports::ssh
