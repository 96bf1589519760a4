#include "transports/ssh/openssh/openssh_client.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "tests/large_text.hpp"
#include "tests/transports/process/loop.hpp"
#include "tests/transports/ssh/ssh_tools_fixture.hpp"
#include "tests/transports/ssh/sshd_fixture.hpp"
#include "transports/ssh/openssh/openssh_command.hpp"

namespace volley::transports::ssh {
namespace {

using testing::must_run;
using testing::TempDir;
using testing::wait_for;
using volley::testing::Collector;

/// A real sshd, and an `ssh` first on the PATH that notes each of its runs and reads no configuration of the
/// user's.
class OpenSshFixture {
public:
    OpenSshFixture() : port_(tests::free_port()), path_before_(std::getenv("PATH")) {
        const std::string at = dir_.path().string();
        must_run("cd '" + at +
                 "' && ssh-keygen -q -t ed25519 -N '' -f host && ssh-keygen -q -t ed25519 -N '' -f user");
        dir_.write("sshd_config", "ListenAddress 127.0.0.1\nPort " + std::to_string(port_) + "\nHostKey " +
                                      at + "/host\nAuthorizedKeysFile " + at + "/user.pub\nPidFile " + at +
                                      "/pid\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n"
                                      "Subsystem sftp internal-sftp\n");
        dir_.write("ssh_config", "IdentityAgent none\nUserKnownHostsFile " + at + "/known_hosts\n");
        wrap("ssh");
        wrap("scp");
        ::setenv("PATH", (at + "/bin:" + path_before_).c_str(), 1);
        testing::run_shell("mkdir -p /run/sshd");
        start();
    }
    ~OpenSshFixture() {
        ::setenv("PATH", path_before_.c_str(), 1);
        stop();
    }
    OpenSshFixture(const OpenSshFixture&) = delete;
    OpenSshFixture& operator=(const OpenSshFixture&) = delete;

    void start() {
        std::filesystem::remove(dir_ / "pid");
        must_run("/usr/sbin/sshd -f '" + (dir_ / "sshd_config").string() + "'");
        for (int i = 0; i < 6000 && testing::slurp(dir_ / "pid").empty(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        REQUIRE_FALSE(testing::slurp(dir_ / "pid").empty());
    }
    /// Ends the server and every session below it.
    void stop() const {
        const std::string pid(trim(testing::slurp(dir_ / "pid")));
        if (pid.empty() || trim(testing::slurp("/proc/" + pid + "/comm")) != "sshd") return;
        testing::run_shell("for p in $(ps -o pid= --ppid " + pid +
                           "); do kill -9 $(ps -o pid= --ppid $p) $p; done; kill -9 " + pid);
    }

    TargetConfig target(Json options = Json::object()) const {
        options["native-ssh"] = true;
        options["host-key-check"] = false;
        if (!options.contains("private-key")) options["private-key"] = (dir_ / "user").string();
        TargetConfig target;
        target.name = target.safe_name = "node1";
        target.transport = "ssh";
        target.host = "127.0.0.1";
        target.port = port_;
        target.user = login_name();
        target.options = std::make_shared<const Json>(std::move(options));
        return target;
    }
    /// The command lines with which `program` was run so far.
    std::vector<std::string> runs(const std::string& program) const {
        std::vector<std::string> lines;
        for (std::string& line : split(testing::slurp(dir_ / (program + ".log")), '\n')) {
            if (!line.empty()) lines.push_back(std::move(line));
        }
        return lines;
    }
    int port() const { return port_; }
    const TempDir& dir() const { return dir_; }

private:
    void wrap(const std::string& program) const {
        const auto script = dir_.write("bin/" + program, "#!/bin/sh\necho \"$*\" >> '" +
                                                             (dir_ / (program + ".log")).string() +
                                                             "'\nexec /usr/bin/" + program + " -F '" +
                                                             (dir_ / "ssh_config").string() + "' \"$@\"\n");
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    }

    TempDir dir_;
    int port_;
    std::string path_before_;
};

struct Done {
    ExitStatus status;
    std::string out, err;
};

Done run(Runtime& runtime, Connection& connection, const std::string& line, std::string_view input = {}) {
    const Command command(line);
    TextInput text(input);
    Collector sink;
    Done done;
    done.status = wait_for(runtime, connection.execute(command, text, sink));
    done.out = sink.out();
    done.err = sink.err();
    return done;
}

std::string failure_of(Runtime& runtime, OpenSshClient& client, TargetConfig target) {
    try {
        wait_for(runtime, client.connect(std::move(target)));
    } catch (const Error& error) {
        CHECK(error.info().kind() == "puppetlabs.tasks/connect-error");
        CHECK(error.info().issue_code() == "CONNECT_ERROR");
        return error.what();
    }
    FAIL("it connected");
    return {};
}

TEST_CASE("SSH-018 native-ssh logs in once and runs everything over that", "[ssh][native]") {
    const OpenSshFixture fixture;
    Runtime runtime;
    OpenSshClient client(runtime);
    CHECK(OpenSshClient::available());
    const auto connection = wait_for(runtime, client.connect(fixture.target()));
    CHECK(connection->user() == login_name());
    CHECK(connection->copier() == nullptr);

    const Done hello = run(runtime, *connection, "echo out; echo err >&2; exit 3");
    CHECK(hello.out == "out\n");
    CHECK(hello.err == "err\n");
    CHECK(hello.status.code == 3);
    const std::string big(1000000, 'x');
    CHECK(volley::testing::difference(run(runtime, *connection, "cat", big).out, big) == "");
    CHECK(run(runtime, *connection, "echo $SSH_CONNECTION").out ==
          run(runtime, *connection, "echo $SSH_CONNECTION").out);

    SECTION("a command's own 255 is a result") {
        CHECK(run(runtime, *connection, "exit 255").status.code == 255);
        CHECK(connection->alive());
    }
    SECTION("closing ends the master") {
        wait_for(runtime, connection->close());
        CHECK_FALSE(connection->alive());
        CHECK(fixture.runs("ssh").back().find("-O exit") != std::string::npos);
    }
}

TEST_CASE("native-ssh distinguishes a lost session from a failed command", "[ssh][native]") {
    OpenSshFixture fixture;
    Runtime runtime;
    OpenSshClient client(runtime);
    for (const bool own_command : {false, true}) {
        DYNAMIC_SECTION((own_command ? "with an ssh-command" : "with a master")) {
            Json options = Json::object();
            if (own_command) options["ssh-command"] = Json::array({"ssh"});
            const auto connection = wait_for(runtime, client.connect(fixture.target(options)));
            CHECK(run(runtime, *connection, "exit 255").status.code == 255);
            fixture.stop();
            CHECK_THROWS_AS(run(runtime, *connection, "true"), Error);
            CHECK_FALSE(connection->alive());
            fixture.start();
        }
    }
}

TEST_CASE("SSH-019 a failed connection test says what ssh said", "[ssh][native]") {
    const OpenSshFixture fixture;
    Runtime runtime;
    OpenSshClient client(runtime);
    must_run("ssh-keygen -q -t ed25519 -N '' -f '" + (fixture.dir() / "stranger").string() + "'");
    Json options = Json::object();
    options["private-key"] = (fixture.dir() / "stranger").string();
    const std::string refused = failure_of(runtime, client, fixture.target(options));
    CHECK(refused.find("Failed to connect to node1: ") == 0);
    CHECK(refused.find("Permission denied") != std::string::npos);
    CHECK(refused.find_first_of("\r\n") == std::string::npos);

    TargetConfig nobody = fixture.target();
    nobody.port = tests::free_port();
    CHECK(failure_of(runtime, client, nobody).find("refused") != std::string::npos);

    Json missing = Json::object();
    missing["ssh-command"] = "no-such-program";
    CHECK(failure_of(runtime, client, fixture.target(missing)).find("cannot run 'no-such-program'") !=
          std::string::npos);

    Json silent = Json::object();
    const auto script = fixture.dir().write("false", "#!/bin/sh\nexit 1\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    silent["ssh-command"] = script.string();
    CHECK(failure_of(runtime, client, fixture.target(silent)).find("status 1") != std::string::npos);

    TargetConfig homeless = fixture.target();
    homeless.host.clear();
    CHECK(failure_of(runtime, client, homeless).find("does not have a host") != std::string::npos);
}

TEST_CASE("SSH-020 copy-command copies files both ways, with ssh's options", "[ssh][native]") {
    const OpenSshFixture fixture;
    Runtime runtime;
    OpenSshClient client(runtime);
    Json options = Json::object();
    options["copy-command"] = Json::array({"scp", "-r"});
    const auto connection = wait_for(runtime, client.connect(fixture.target(options)));
    FileCopier* copier = connection->copier();
    REQUIRE(copier != nullptr);
    fixture.dir().write("tree/sub/file", "content\n");
    const std::string there = (fixture.dir() / "there").string();
    wait_for(runtime, copier->upload(fixture.dir() / "tree", there));
    CHECK(testing::slurp(fixture.dir() / "there/sub/file") == "content\n");
    std::filesystem::create_directory(fixture.dir() / "back");
    wait_for(runtime, copier->download(there + "/sub/file", fixture.dir() / "back"));
    CHECK(testing::slurp(fixture.dir() / "back/file") == "content\n");
    CHECK(fixture.runs("scp").front().find("-r -o BatchMode=yes -o Port=" + std::to_string(fixture.port()) +
                                           " -o StrictHostKeyChecking=no -i ") == 0);
    try {
        wait_for(runtime, copier->upload(fixture.dir() / "absent", there));
        FAIL("it was copied");
    } catch (const Error& error) {
        CHECK(error.info().kind() == "puppetlabs.tasks/task_file_error");
        CHECK(error.info().issue_code() == "COPY_ERROR");
        CHECK(std::string(error.what()).find("Could not copy file to " + there + ": ") == 0);
    }
}

TEST_CASE("SSH-019 SSH-020 the command lines are Bolt's, but that names cannot be options", "[ssh][native]") {
    const auto command = [](const char* options, std::optional<int> port = std::nullopt,
                            std::string host = "web1") {
        TargetConfig target;
        target.host = std::move(host);
        target.port = port;
        target.options = std::make_shared<const Json>(Json::parse(options));
        return OpenSshCommand(target, "bob", "/run/master");
    };
    using Words = std::vector<std::string>;
    CHECK(command(
              R"({"native-ssh": true, "ssh-command": "my ssh", "private-key": "/k", "host-key-check": true})",
              2200)
              .run("echo hi", false) == Words{"my ssh", "-o", "BatchMode=yes", "-o", "Port=2200", "-o",
                                              "StrictHostKeyChecking=yes", "-i", "/k", "-l", "bob", "--",
                                              "web1", "echo hi"});
    CHECK(command(R"({"native-ssh": true, "ssh-command": ["ssh", "-v"], "batch-mode": false})")
              .run("x", true) == Words{"ssh", "-v", "-tt", "-l", "bob", "--", "web1", "x"});
    CHECK(command(R"({"native-ssh": true})").run("x", false) ==
          Words{"ssh", "-o", "ControlMaster=auto", "-o", "ControlPersist=60", "-o", "ControlPath=/run/master",
                "-o", "ConnectTimeout=10", "-o", "BatchMode=yes", "-l", "bob", "--", "web1", "x"});
    CHECK(
        command(R"({"native-ssh": true, "copy-command": ["rsync", "-a"]})", 22, "::1").upload("/l", "/r x") ==
        Words{"rsync", "-a", "-o", "BatchMode=yes", "-o", "Port=22", "--", "/l", "bob@[::1]:'/r x'"});
    CHECK(command(R"({"native-ssh": true, "copy-command": "scp"})").download("/r", "/l") ==
          Words{"scp", "-o", "BatchMode=yes", "--", "bob@web1:/r", "/l"});

    const OpenSshCommand fallback = command(R"({"ssh-command": "x", "copy-command": "y", "proxyjump": "j",
                                               "connect-timeout": 3, "private-key": {"key-data": "secret"}})");
    CHECK(fallback.run("x", false) == Words{"ssh", "-o", "ControlMaster=auto", "-o", "ControlPersist=60",
                                            "-o", "ControlPath=/run/master", "-o", "ConnectTimeout=3", "-o",
                                            "BatchMode=yes", "-l", "bob", "--", "web1", "x"});
    CHECK_FALSE(fallback.copies());
    CHECK(fallback.control("exit") == Words{"ssh", "-O", "exit", "-o", "ControlPath=/run/master", "-o",
                                            "BatchMode=yes", "-l", "bob", "--", "web1"});
}

TEST_CASE("SSH-010 the fallback to ssh keeps the target's limits", "[ssh][native]") {
    const TempDir home;
    home.write(".ssh/config", "");
    home.write(".ssh/id_ed25519", "");
    const std::string folder = (home / ".ssh").string();
    TargetConfig target;
    target.host = "web1";
    target.options = std::make_shared<const Json>(Json::parse(
        R"({"encryption-algorithms": ["aes256-ctr", "aes128-ctr"], "mac-algorithms": ["defaults", "hmac-sha1"],
            "kex-algorithms": ["defaults"], "proxyjump": "j"})"));
    using Words = std::vector<std::string>;
    CHECK(fallback_options(target, HostSettings{}, home.path()) ==
          Words{"-F", folder + "/config", "-o", "UserKnownHostsFile=\"" + folder + "/known_hosts\"", "-o",
                "IdentityFile=\"" + folder + "/id_ed25519\"", "-o", "Ciphers=aes256-ctr,aes128-ctr", "-o",
                "MACs=+hmac-sha1", "-o", "ProxyJump=j"});
    HostSettings settings;
    settings.user_known_hosts = {"/a b", "/c"};
    settings.identity_files = {"/key"};
    settings.certificate_files = {"/key-cert.pub"};
    target.options = std::make_shared<const Json>(Json::object());
    CHECK(fallback_options(target, settings, home.path()) ==
          Words{"-F", folder + "/config", "-o", "UserKnownHostsFile=\"/a b\" \"/c\"", "-o",
                "CertificateFile=\"/key-cert.pub\"", "-o", "IdentityFile=\"/key\""});
    const std::string real_home = must_run("getent passwd $(id -u) | cut -d: -f6");
    CHECK(fallback_options(target, settings, std::string(trim(real_home))).empty());
}

}  // namespace
}  // namespace volley::transports::ssh
