// Against the real sudo, with throw-away users and a throw-away sudoers file.
#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/transports/shell/shell_harness.hpp"
#include "transports/errors.hpp"

namespace volley::transports {

using testing::err;
using testing::one_file_task;
using testing::out;
using testing::ShellHarness;

namespace fs = std::filesystem;

namespace {

bool run(const std::string& line) { return std::system(("{ " + line + "; } >/dev/null 2>&1").c_str()) == 0; }

constexpr const char* password = "pass-w0rd-of-login";

// Two users for the life of the test program: "login", who connects, and "app", who is to be run as.
class Users {
public:
    static const Users* get() {
        static const Users users;
        return users.usable_ ? &users : nullptr;
    }
    std::string login = "vl" + std::to_string(::getpid());
    std::string app = "va" + std::to_string(::getpid());
    fs::path sudoers = "/etc/sudoers.d/volley-test-" + std::to_string(::getpid());

    void allow(const std::string& rules) const {
        std::ofstream(sudoers) << rules << "\nDefaults:" << login << " timestamp_timeout=0, !lecture\n";
        fs::permissions(sudoers, fs::perms::owner_read);
    }

private:
    Users() {
        if (::geteuid() != 0 || !run("command -v sudo && command -v useradd && command -v setpriv")) return;
        usable_ = make(login) && make(app) && run("echo " + login + ":" + password + " | chpasswd");
    }
    ~Users() {
        std::error_code ignored;
        fs::remove(sudoers, ignored);
        if (::geteuid() == 0) run("userdel " + login + "; userdel " + app);
    }
    static bool make(const std::string& name) {
        for (int i = 0; i < 100; ++i) {  // another test program may hold the lock
            if (run("useradd -M -s /bin/sh " + name)) return true;
            ::usleep(300'000);
        }
        return false;
    }
    bool usable_ = false;
};

// A harness that logs in as "login". `rules` may say LOGIN and APP.
struct SudoHarness : ShellHarness {
    SudoHarness(const Users& the_users, std::string rules)
        : ShellHarness({"setpriv", "--reuid", the_users.login, "--regid", the_users.login, "--clear-groups",
                        "/bin/sh"}),
          users(the_users) {
        for (const auto& [word, name] : {std::pair{"LOGIN", users.login}, std::pair{"APP", users.app}})
            for (std::size_t at = rules.find(word); at != std::string::npos; at = rules.find(word))
                rules.replace(at, std::string(word).size(), name);
        users.allow(rules);
        connection.set_user(users.login);
        connection.directory = "/";
        fs::permissions(remote.path(), fs::perms::all | fs::perms::sticky_bit);
        options["run-as"] = users.app;
    }
    TransportError error_of(const std::string& line = "id -un") {
        try {
            const Output output = command(line);
            return connect_error("no error: " + std::string(output.captured.merged()), "NONE");
        } catch (const TransportError& error) {
            return error;
        }
    }
    const Users& users;
};

#define REQUIRE_USERS(users)                                                     \
    const Users* const users = Users::get();                                     \
    if (users == nullptr) {                                                      \
        WARN("skipped: needs root, sudo and useradd, to make users of its own"); \
        return;                                                                  \
    }

constexpr const char* without_password = "LOGIN ALL=(APP) NOPASSWD: ALL";
constexpr const char* with_password = "LOGIN ALL=(APP) ALL";

}  // namespace

TEST_CASE("SH-006 SH-010 a command runs as the other user, with a rule for that user alone",
          "[shell][sudo]") {
    REQUIRE_USERS(users);
    SudoHarness harness(*users, without_password);
    RunOptions options;
    options.environment = {{"A", "it's\ntwo"}};
    const Output output =
        harness.command("id -un; printf '%s\\n' \"$A\"; cat; echo problem >&2; exit 9", options);
    CHECK(out(output) == users->app + "\nit's\ntwo\n");
    CHECK(err(output) == "problem\n");
    CHECK(output.status.code == 9);
}

TEST_CASE("SH-005 SH-006 the call's user wins, and the login user needs no sudo", "[shell][sudo]") {
    REQUIRE_USERS(users);
    SudoHarness harness(*users, without_password);
    RunOptions options;
    options.run_as = users->login;
    CHECK(out(harness.command("id -un", options)) == users->login + "\n");
    CHECK(harness.connection.lines.back() == "id -un");
}

TEST_CASE("SH-009 LOC-002 another user's command begins in that user's home, except on this machine",
          "[shell][sudo]") {
    REQUIRE_USERS(users);
    for (const auto& [transport, directory] :
         {std::pair{"ssh", std::string(::getpwuid(0)->pw_dir)}, std::pair{"local", std::string("/")}}) {
        DYNAMIC_SECTION(transport) {
            SudoHarness harness(*users, "LOGIN ALL=(root) NOPASSWD: ALL");
            harness.options["run-as"] = "root";
            harness.config.transport = transport;
            CHECK(out(harness.command("pwd")) == directory + "\n");
            CHECK(out(harness.script(harness.local.write("s", "#!/bin/sh\npwd\n"))) == directory + "\n");
        }
    }
}

TEST_CASE("SH-007 SH-012 SH-013 the password is given when sudo asks and is seen nowhere", "[shell][sudo]") {
    REQUIRE_USERS(users);
    for (const char* key : {"sudo-password", "the connection's"}) {
        DYNAMIC_SECTION(key) {
            SudoHarness harness(*users, with_password);
            if (std::string_view(key) == "sudo-password") {
                harness.options["sudo-password"] = password;
            } else {
                harness.config.password = password;
            }
            const Output output = harness.command("id -un; ps -eo args");
            CHECK(out(output).rfind(users->app + "\n", 0) == 0);
            CHECK(err(output).empty());
            CHECK(out(output).find(password) == std::string::npos);
        }
    }
}

TEST_CASE("SH-014 each way of not getting in has its own error", "[shell][sudo]") {
    REQUIRE_USERS(users);
    SECTION("no password known") {
        SudoHarness harness(*users, with_password);
        const TransportError error = harness.error_of();
        CHECK(error.info().kind() == "puppetlabs.tasks/escalate-error");
        CHECK(error.info().issue_code() == "NO_PASSWORD");
        CHECK_THAT(error.what(), Catch::Contains("Sudo password for user " + users->login +
                                                 " was not provided for harness"));
    }
    SECTION("a wrong password") {
        SudoHarness harness(*users, with_password);
        harness.options["sudo-password"] = "wrong";
        const TransportError error = harness.error_of();
        CHECK(error.info().issue_code() == "BAD_PASSWORD");
        CHECK_THAT(error.what(), Catch::Contains("not recognized on harness") && !Catch::Contains("wrong"));
    }
    SECTION("not in sudoers") {
        SudoHarness harness(*users, "");
        harness.options["sudo-password"] = password;
        const TransportError error = harness.error_of();
        CHECK(error.info().issue_code() == "SUDO_DENIED");
        CHECK_THAT(error.what(),
                   Catch::Contains("User " + users->login + " does not have sudo permission on harness"));
    }
    SECTION("allowed something else only") {
        SudoHarness harness(*users, "LOGIN ALL=(APP) NOPASSWD: /bin/true");
        harness.options["sudo-password"] = password;
        CHECK(harness.error_of().info().issue_code() == "SUDO_DENIED");
    }
    SECTION("requiretty") {
        SudoHarness harness(*users, std::string(without_password) + "\nDefaults:LOGIN requiretty");
        const TransportError error = harness.error_of();
        CHECK(error.info().issue_code() == "SUDO_DENIED");
        CHECK_THAT(error.what(), Catch::Contains("tty: true"));
    }
    SECTION("an unknown user") {
        SudoHarness harness(*users, "LOGIN ALL=(ALL) NOPASSWD: ALL");
        harness.options["run-as"] = "nobody-of-that-name";
        const TransportError error = harness.error_of();
        CHECK(error.info().issue_code() == "SUDO_ERROR");
        CHECK_THAT(error.what(), Catch::Contains("Cannot run as nobody-of-that-name on harness") &&
                                     Catch::Contains("unknown user"));
    }
    SECTION("no sudo") {
        SudoHarness harness(*users, without_password);
        harness.options["sudo-executable"] = "/no/such/sudo";
        const TransportError error = harness.error_of();
        CHECK(error.info().issue_code() == "SUDO_ERROR");
        CHECK_THAT(error.what(), Catch::Contains("/no/such/sudo was not found"));
    }
}

TEST_CASE("SH-008 run-as-command replaces sudo", "[shell][sudo]") {
    REQUIRE_USERS(users);
    SudoHarness harness(*users, without_password);
    harness.options["run-as-command"] = {"sudo", "-n", "-u"};
    CHECK(out(harness.command("id -un")) == users->app + "\n");
    const auto file = harness.local.write("t", "#!/bin/sh\nid -un; cat\n");
    const Output output = harness.task(one_file_task(file, "{}"));
    CHECK(out(output) == users->app + "\n{}");
    CHECK(err(output).empty());  // Bolt leaves its marker there (SH-011)
}

TEST_CASE("SH-011 SH-015 SH-026 scripts and tasks run as the other user, whose files they are",
          "[shell][sudo]") {
    REQUIRE_USERS(users);
    SudoHarness harness(*users, with_password);
    harness.options["sudo-password"] = password;
    const auto file = harness.local.write(
        "t", "#!/bin/sh\nstat -c %U \"$0\"; cat; echo \"|$PT_secret\"; ps -eo args >&2; exit 6\n");
    const Output output =
        harness.task(one_file_task(file, "{\"secret\":\"s3cr3t\"}", {{"PT_secret", "s3cr3t"}}));
    CHECK(out(output) == users->app + "\n{\"secret\":\"s3cr3t\"}|s3cr3t\n");
    CHECK(err(output).find("s3cr3t") == std::string::npos);
    CHECK(output.status.code == 6);
    CHECK(harness.remote.empty());
    CHECK(harness.connection.lines.size() == 1);
}

TEST_CASE("SH-022 SH-023 files are transferred as the other user", "[shell][sudo]") {
    REQUIRE_USERS(users);
    SudoHarness harness(*users, without_password);
    const fs::path to = harness.remote / "private";
    harness.upload(harness.local.write("f", "content", 0600), to.string());
    CHECK(out(harness.command("stat -c '%U %a' " + to.string())) == users->app + " 600\n");
    CHECK(read_file(harness.download(to.string(), harness.local / "d"), "copy") == "content");
    harness.local.write("tree/x", "x");
    harness.upload(harness.local / "tree", (harness.remote / "tree").string());
    CHECK(out(harness.command("stat -c %U " + (harness.remote / "tree/x").string())) == users->app + "\n");
}

TEST_CASE("requiretty is satisfied by tty", "[shell][sudo][tty]") {
    REQUIRE_USERS(users);
    SudoHarness harness(*users, std::string(with_password) + "\nDefaults:LOGIN requiretty");
    harness.options["sudo-password"] = password;
    harness.options["tty"] = true;
    const Output output = harness.command("id -un; tty >/dev/null && echo terminal; exit 4");
    CHECK(out(output) == users->app + "\r\nterminal\r\n");
    CHECK(output.status.code == 4);
    const auto file = harness.local.write("t", "#!/bin/sh\nid -un; cat; exit 5\n");
    const Output task = harness.task(one_file_task(file, "{\"a\":1}"));
    CHECK(out(task) == users->app + "\r\n{\"a\":1}");
    CHECK(task.status.code == 5);
    CHECK(harness.remote.empty());
}

TEST_CASE("cancelled under sudo, the other user's processes stop and the directory goes", "[shell][sudo]") {
    REQUIRE_USERS(users);
    SudoHarness harness(*users, with_password);
    harness.options["sudo-password"] = password;
    const fs::path pid = harness.local / "pid";
    fs::permissions(harness.local.path(), fs::perms::all);
    const auto file =
        harness.local.write("s", "#!/bin/sh\necho $$ >" + pid.string() + "\nsleep 300\nsleep 300\n");
    auto job = harness.shell().run_script(file, {}, {}, {});
    const auto started = [&] { return testing::has_line(pid); };
    CHECK_THROWS_AS(testing::finish_cancelled_when(harness.runtime.loop(), started, std::move(job)),
                    boost::system::system_error);
    CHECK(testing::gone(std::stol(read_file(pid, "pid"))));
    CHECK(harness.remote.empty());
    CHECK(harness.warnings.empty());
}

TEST_CASE("cancelled, a command of another user stops", "[shell][sudo]") {
    REQUIRE_USERS(users);
    SudoHarness harness(*users, without_password);
    const fs::path pid = harness.local / "pid";
    fs::permissions(harness.local.path(), fs::perms::all);
    auto job = harness.shell().run_command("echo $$ >" + pid.string() + "; sleep 300; sleep 300", {});
    const auto started = [&] { return testing::has_line(pid); };
    CHECK_THROWS_AS(testing::finish_cancelled_when(harness.runtime.loop(), started, std::move(job)),
                    boost::system::system_error);
    CHECK(testing::gone(std::stol(read_file(pid, "pid"))));
}

}  // namespace volley::transports
