#include "transports/ssh/openssh/openssh_command.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "support/text.hpp"

namespace volley::transports::ssh {
namespace {

constexpr long default_connect_timeout = 10;
/// ssh counts its timeout for the TCP connection and the banner each; authentication comes on top.
constexpr std::chrono::seconds beyond_connecting{20};
/// With batch-mode off somebody may be looking for his token.
constexpr std::chrono::seconds for_a_person{300};
/// A master that outlives us (we were killed) goes away by itself.
constexpr std::string_view persist = "ControlPersist=60";

/// A string is one word, an array several (SSH-019).
std::vector<std::string> option_words(const Json& options, const char* name) {
    const auto found = options.find(name);
    if (found == options.end() || found->is_null()) return {};
    if (found->is_array()) return found->get<std::vector<std::string>>();
    return {found->get<std::string>()};
}

void add_option(std::vector<std::string>& words, std::string option) {
    words.emplace_back("-o");
    words.push_back(std::move(option));
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
}

/// A % in a folder's name is not a token of ssh's.
std::string without_tokens(const std::string& path) {
    std::string out;
    for (const char c : path) out += c == '%' ? std::string("%%") : std::string(1, c);
    return out;
}

}  // namespace

OpenSshCommand::OpenSshCommand(const TargetConfig& target, std::string user,
                               std::filesystem::path control_path, const std::vector<std::string>& more)
    : user_(std::move(user)), host_(target.host), control_path_(std::move(control_path)), own_options_(more) {
    const Json& options = *target.options;
    ssh_words_ = option_words(options, "ssh-command");
    copy_words_ = option_words(options, "copy-command");
    // Where libssh2 could not do it, the target is not configured for native-ssh: its commands do not count,
    // and what libssh2 would have honoured does.
    const bool chosen = options.value("native-ssh", false);
    if (!chosen) {
        ssh_words_.clear();
        copy_words_.clear();
    }
    multiplexes_ = ssh_words_.empty();
    if (ssh_words_.empty()) ssh_words_ = {"ssh"};
    batch_mode_ = options.value("batch-mode", true);
    if (batch_mode_) add_option(options_, "BatchMode=yes");
    if (target.port) add_option(options_, "Port=" + std::to_string(*target.port));
    if (const auto check = options.find("host-key-check"); check != options.end() && check->is_boolean()) {
        add_option(options_, std::string("StrictHostKeyChecking=") + (check->get<bool>() ? "yes" : "no"));
    }
    if (const auto key = options.find("private-key"); key != options.end() && key->is_string()) {
        append(options_, {"-i", key->get<std::string>()});
    }
    const long timeout =
        chosen ? default_connect_timeout : options.value("connect-timeout", default_connect_timeout);
    if (multiplexes_) add_option(own_options_, "ConnectTimeout=" + std::to_string(timeout));
    login_deadline_ = batch_mode_ ? std::chrono::seconds(2 * timeout) + beyond_connecting : for_a_person;
}

std::vector<std::string> OpenSshCommand::master_options() const {
    std::vector<std::string> words;
    add_option(words, "ControlPath=" + without_tokens(control_path_.string()));
    return words;
}

/// Difference from Bolt's `user@host -- line`: neither name can be taken for an option, and nothing after
/// them.
std::vector<std::string> OpenSshCommand::destination() const { return {"-l", user_, "--", host_}; }

std::vector<std::string> OpenSshCommand::run(const std::string& line, bool tty) const {
    return start(tty ? "-tt" : nullptr, line);
}

std::vector<std::string> OpenSshCommand::subsystem(const std::string& name) const {
    return start("-s", name);
}

std::vector<std::string> OpenSshCommand::start(const char* flag, const std::string& what) const {
    std::vector<std::string> words = ssh_words_;
    if (multiplexes_) {
        add_option(words, "ControlMaster=auto");
        add_option(words, std::string(persist));
        append(words, master_options());
    }
    append(words, own_options_);
    append(words, options_);
    if (flag != nullptr) words.emplace_back(flag);
    append(words, destination());
    words.push_back(what);
    return words;
}

std::vector<std::string> OpenSshCommand::control(const std::string& what) const {
    std::vector<std::string> words{"ssh", "-O", what};
    append(words, master_options());
    append(words, options_);
    append(words, destination());
    return words;
}

std::vector<std::string> OpenSshCommand::upload(const std::string& local, const std::string& remote) const {
    std::vector<std::string> words = copy_words_;
    append(words, options_);
    words.emplace_back("--");
    words.push_back(local);
    const std::string host = host_.find(':') == std::string::npos ? host_ : "[" + host_ + "]";
    // Compatibility: quoted for the target's shell, as Bolt does; programs that speak SFTP take names
    // literally, so odd names need a copy-command with scp -O.
    words.push_back(user_ + "@" + host + ":" + shell_quote(remote));
    return words;
}

std::vector<std::string> OpenSshCommand::download(const std::string& remote, const std::string& local) const {
    std::vector<std::string> words = upload(local, remote);
    std::swap(words[words.size() - 1], words[words.size() - 2]);
    return words;
}

}  // namespace volley::transports::ssh
