#include "transports/ssh/native.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "transports/errors.hpp"
#include "transports/ssh/names.hpp"
#include "transports/ssh/native_connection.hpp"
#include "transports/ssh/ssh_config.hpp"

namespace volley::transports::ssh {
namespace {

namespace fs = std::filesystem;

/// A socket's path may have 107 characters, and ssh binds it under a longer name first.
constexpr std::size_t longest_folder = 70;

fs::path make_private_folder() {
    std::error_code code;
    fs::path base = fs::temp_directory_path(code);
    if (code || base.string().size() > longest_folder) base = "/tmp";
    std::string name = (base / "volley-ssh-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw connect_error("cannot make a private folder for ssh in " + base.string());
    }
    return name;
}

}  // namespace

struct NativeSsh::State {
    explicit State(Runtime& runtime) : config(runtime) {}
    ~State() {
        std::error_code ignored;
        if (!folder.empty()) fs::remove_all(folder, ignored);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    /// A place for the next master's socket. (A path, not a file: only ssh makes it.)
    fs::path next_socket() {
        if (folder.empty()) folder = make_private_folder();
        return folder / std::to_string(++sockets);
    }

    /// What ssh_config says about the target.
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
            settings.user = target.user;  // ssh says better than we what is wrong with its configuration
        }
        co_return settings;
    }

    SshConfigStore config;
    fs::path folder;
    unsigned sockets = 0;
};

NativeSsh::NativeSsh(Runtime& runtime) : state_(std::make_shared<State>(runtime)) {}
NativeSsh::~NativeSsh() = default;

Task<std::unique_ptr<Connection>> NativeSsh::connect(TargetConfig target) {
    if (target.host.empty()) throw connect_error("Target " + target.safe_name + " does not have a host");
    require_safe_names(target.safe_name, target.user, target.host);
    const auto state = state_;
    auto asking = State::settings_of(state, target);
    const HostSettings settings = co_await std::move(asking);
    std::vector<std::string> more;
    if (!target.options->value("native-ssh", false))
        more = fallback_options(target, settings, home_directory());
    NativeCommand command(target, settings.user.value_or(login_name()), state->next_socket(), more);
    auto connection = std::make_unique<NativeConnection>(std::move(command), target.safe_name);
    co_await connection->test();
    co_return connection;
}

bool NativeSsh::available() {
    const char* path = std::getenv("PATH");
    if (path == nullptr) return false;
    for (const std::string& folder : split(path, ':')) {
        const fs::path program = fs::path(folder.empty() ? "." : folder) / "ssh";
        if (::access(program.c_str(), X_OK) == 0 && !fs::is_directory(program)) return true;
    }
    return false;
}

}  // namespace volley::transports::ssh
