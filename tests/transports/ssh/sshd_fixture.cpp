#include "tests/transports/ssh/sshd_fixture.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "support/files.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace volley::tests {
namespace {

namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

void spill(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

pid_t start(const std::vector<std::string>& words, const fs::path& log) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // a crashed test leaves no servers behind
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ::dup2(out, 1);
    ::dup2(out, 2);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
}

void run(const std::vector<std::string>& words) {
    int status = 0;
    ::waitpid(start(words, "/dev/null"), &status, 0);
    if (status != 0) throw std::runtime_error(fmt::format("{} failed", words.front()));
}

void stop(pid_t pid) {
    if (pid <= 0) return;
    ::kill(pid, SIGTERM);
    ::waitpid(pid, nullptr, 0);
}

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void wait_until_listening(int port, const fs::path& log) {
    for (int i = 0; i < 6000; ++i) {
        const UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const sockaddr_in address = loopback(port);
        if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    throw std::runtime_error("the server did not start: " + slurp(log));
}

/// Made once for all tests; 3072 bits of RSA take their time.
const fs::path& key_store() {
    static const struct Store {
        fs::path path;
        Store() {
            char name[] = "/tmp/volley-ssh-keys-XXXXXX";
            path = ::mkdtemp(name);
            for (const std::string kind : {"ed25519", "ecdsa", "rsa"}) {
                for (const std::string role : {"key_", "host_"}) {
                    run({"ssh-keygen", "-q", "-t", kind, "-N", "", "-C", role + kind, "-f",
                         path / (role + kind)});
                }
            }
            run({"ssh-keygen", "-q", "-t", "ed25519", "-N", SshHome::passphrase, "-f",
                 path / "key_encrypted"});
            run({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "key_stranger", "-f",
                 path / "key_stranger"});
        }
        ~Store() { fs::remove_all(path); }
    } store;
    return store.path;
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

SshHome::SshHome() : old_home_(environment("HOME")), old_agent_(environment("SSH_AUTH_SOCK")) {
    char name[] = "/tmp/volley-ssh-home-XXXXXX";
    path_ = ::mkdtemp(name);
    fs::create_directories(path_ / ".ssh");
    fs::copy(key_store(), path_);
    std::string authorized;
    for (const char* kind : {"ed25519", "ecdsa", "rsa", "encrypted"}) {
        authorized += slurp(path_ / fmt::format("key_{}.pub", kind));
    }
    write("authorized_keys", authorized);
    ::setenv("HOME", path_.c_str(), 1);
    ::unsetenv("SSH_AUTH_SOCK");
}

SshHome::~SshHome() {
    if (old_home_.empty()) {
        ::unsetenv("HOME");
    } else {
        ::setenv("HOME", old_home_.c_str(), 1);
    }
    if (!old_agent_.empty()) ::setenv("SSH_AUTH_SOCK", old_agent_.c_str(), 1);
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void SshHome::write(const std::string& name, const std::string& text) const { spill(path_ / name, text); }
std::string SshHome::read(const std::string& name) const { return slurp(path_ / name); }

Sshd::Sshd(const SshHome& home, const SshdSettings& settings) : port_(free_port()) {
    directory_ = home.path() / fmt::format("sshd-{}", port_);
    fs::create_directories(directory_);
    fs::create_directories("/run/sshd");
    std::string config = fmt::format(
        "Port {}\nListenAddress 127.0.0.1\nPidFile none\nStrictModes no\nAuthorizedKeysFile "
        "{}/authorized_keys\n"
        "PermitRootLogin yes\nUsePAM {}\nPasswordAuthentication {}\nKbdInteractiveAuthentication no\n"
        "Subsystem sftp internal-sftp\nLogLevel VERBOSE\nSetEnv SHLVL=2\n",
        port_, home.path().string(), settings.passwords ? "yes" : "no", settings.passwords ? "yes" : "no");
    for (const std::string& kind : settings.host_keys) {
        fs::copy_file(home.path() / ("host_" + kind), directory_ / ("host_" + kind));
        fs::copy_file(home.path() / ("host_" + kind + ".pub"), directory_ / ("host_" + kind + ".pub"));
        config += fmt::format("HostKey {}/host_{}\n", directory_.string(), kind);
    }
    // The first value of a keyword counts.
    std::string first;
    for (const std::string& line : settings.lines) first += line + "\n";
    spill(directory_ / "config", first + config);
    std::vector<std::string> words{"/usr/sbin/sshd", "-D", "-e", "-f", directory_ / "config"};
    if (settings.passwords) {
        const std::string hash = "$(openssl passwd -6 '" + std::string(password) + "')";
        // Not shadow alone: useradd elsewhere puts another file in its place, and that takes such a mount
        // away.
        const std::string etc = (directory_ / "etc").string();
        const std::string script = "cp -a /etc " + etc + " 2>/dev/null; echo \"root:" + hash +
                                   ":19000:0:99999:7:::\" > " + etc + "/shadow && mount --bind " + etc +
                                   " /etc && exec \"$@\"";
        std::vector<std::string> wrapped{"unshare", "-m", "sh", "-c", script, "sh"};
        words.insert(words.begin(), wrapped.begin(), wrapped.end());
    }
    pid_ = start(words, directory_ / "log");
    wait_until_listening(port_, directory_ / "log");
}

Sshd::~Sshd() { stop(pid_); }

std::string Sshd::known_hosts_line(const std::string& kind) const {
    return fmt::format("[127.0.0.1]:{} {}", port_, slurp(directory_ / ("host_" + kind + ".pub")));
}

void Sshd::kill_sessions() const {
    ::kill(pid_, SIGSTOP);  // no new ones meanwhile
    // The server's processes before the commands', else they would still report how those ended.
    run({"sh", "-c",
         fmt::format("for p in $(ps -o pid= --ppid {}); do c=$(ps -o pid= --ppid $p); kill -9 $p; kill -9 "
                     "$c; done; true",
                     pid_)});
    ::kill(pid_, SIGCONT);
}

std::string Sshd::log() const { return slurp(directory_ / "log"); }

bool Sshd::can_do_passwords() {
    if (::geteuid() != 0) return false;
    int status = 1;
    ::waitpid(
        start({"unshare", "-m", "sh", "-c", "mount --bind /etc/shadow /etc/shadow && command -v openssl"},
              "/dev/null"),
        &status, 0);
    return status == 0;
}

bool Dropbear::installed() { return ::access("/usr/sbin/dropbear", X_OK) == 0; }

Dropbear::Dropbear(const SshHome& home) : port_(free_port()) {
    directory_ = home.path() / fmt::format("dropbear-{}", port_);
    fs::create_directories(directory_);
    // dropbear reads authorized_keys from the account's home: ours stands in for it, for this server only.
    const std::string script = "mount --bind " + home.path().string() + " /root && exec \"$@\"";
    std::vector<std::string> words{"unshare", "-m", "sh", "-c", script, "sh", "/usr/sbin/dropbear",
                                   "-F",      "-E"};
    words.insert(words.end(), {"-p", fmt::format("127.0.0.1:{}", port_), "-P", directory_ / "pid"});
    for (const std::string kind : {"rsa", "ed25519"}) {
        run({"dropbearkey", "-t", kind, "-f", directory_ / kind});
        words.insert(words.end(), {"-r", directory_ / kind});
    }
    pid_ = start(words, directory_ / "log");
    wait_until_listening(port_, directory_ / "log");
}

Dropbear::~Dropbear() { stop(pid_); }

std::string Dropbear::log() const { return slurp(directory_ / "log"); }

int free_port() {
    // Below the ports that the kernel assigns to connections on their way out, and none twice.
    static std::mt19937 random{std::random_device{}()};
    static std::set<int> given;
    while (true) {
        const int port = std::uniform_int_distribution<int>(10240, 32000)(random);
        if (!given.insert(port).second) continue;
        const UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const sockaddr_in address = loopback(port);
        if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
            return port;
    }
}

transports::TargetConfig ssh_target(int port, const std::string& options) {
    transports::TargetConfig target;
    target.name = target.safe_name = fmt::format("127.0.0.1:{}", port);
    target.transport = "ssh";
    target.host = "127.0.0.1";
    target.port = port;
    target.user = "root";
    Json given = Json::parse(options);
    if (!given.contains("connect-timeout")) given["connect-timeout"] = 60;  // for busy machines
    target.options = std::make_shared<const Json>(std::move(given));
    return target;
}

}  // namespace volley::tests
