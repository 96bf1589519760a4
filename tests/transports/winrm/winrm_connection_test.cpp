#include "transports/winrm/winrm_connection.hpp"

#include <catch2/catch.hpp>

#include "tests/transports/process/loop.hpp"
#include "tests/transports/winrm/double_fixture.hpp"
#include "transports/errors.hpp"

using namespace volley::transports;
using volley::testing::Collector;
using volley::testing::finish;
using volley::testing::finish_cancelled_when;
using volley::tests::WinrmDouble;

namespace {

/// A connection to a double, and what runs it.
struct Lab {
    explicit Lab(const std::vector<std::string>& arguments) : windows(arguments) {}

    void connect(const std::string& options = "{}") {
        connection = finish(runtime.loop(), winrm::connect_winrm(network, windows.target(options)));
    }
    ExitStatus run(PowerShellUse use, const std::string& text, const std::vector<std::string>& values = {},
                   std::string_view input = {}) {
        PowerShellScript script(use, text, values);
        TextInput source(input);
        return finish(runtime.loop(), connection->powershell()->run(script, source, seen));
    }
    void close() { finish(runtime.loop(), connection->close()); }

    WinrmDouble windows;
    Runtime runtime;
    std::shared_ptr<winrm::Network> network = std::make_shared<winrm::Network>(runtime);
    std::unique_ptr<Connection> connection;
    Collector seen;
};

std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const TransportError& error) {
        return std::string(error.info().issue_code()) + " " + error.what();
    }
    return "no error";
}

const std::vector<std::string> basic{"--basic"};

bool can_log_in_with_ntlm() {
    if (!WinrmDouble::has_ntlm()) WARN("skip: python3-gssapi with gss-ntlmssp is not installed");
    return WinrmDouble::has_ntlm();
}

bool has_certificate() {
    if (WinrmDouble::certificate().empty()) WARN("skip: the program openssl is not installed");
    return !WinrmDouble::certificate().empty();
}

}  // namespace

TEST_CASE("a command over WinRM has a shell of its own, and few requests", "[winrm]") {
    Lab lab(basic);
    lab.connect(R"({"basic-auth-only": true})");
    const ExitStatus status =
        lab.run(PowerShellUse::Action, "'hello'\nWrite-Host 'host'\nWrite-Error 'bad'\nexit 7");
    CHECK(status.code == 7);
    CHECK(lab.seen.out() == "hello\r\nhost\r\n");
    CHECK(lab.seen.err().find(" : bad\n    + CategoryInfo") != std::string::npos);
    lab.close();
    const std::string requests = lab.windows.requests();
    INFO(requests);
    CHECK(requests.find("Create Receive") == 0);
    CHECK(requests.substr(requests.size() - 6) == "Delete");
    CHECK(requests.find("Signal") == std::string::npos);
    CHECK(lab.connection->user() == "admin");
}

TEST_CASE("an exception that ends a script is text and status 1", "[winrm]") {
    Lab lab(basic);
    lab.connect(R"({"basic-auth-only": true})");
    CHECK(lab.run(PowerShellUse::Action, "throw 'broken'").code == 1);
    CHECK(lab.seen.err().find("broken\n") == 0);
    CHECK(lab.run(PowerShellUse::Action, "'fine'").code == 0);
    CHECK(lab.connection->powershell()->version() == "5.1.17763.1");
    lab.close();
}

TEST_CASE("housekeeping scripts share a shell and get arguments and bytes", "[winrm]") {
    Lab lab(basic);
    lab.connect(R"({"basic-auth-only": true})");
    CHECK(lab.run(PowerShellUse::Housekeeping, "$args", {"a 'b' \"c\"", "d\u00e4\r\n"}).code == 0);
    CHECK(lab.seen.out() == "a 'b' \"c\"\r\nd\u00e4\r\n");
    Collector bytes;
    std::string input;
    for (int at = 0; at < 300'000; ++at) input += static_cast<char>(at * 7);
    TextInput source(input);
    PowerShellScript script(PowerShellUse::Housekeeping, "$input");
    CHECK(finish(lab.runtime.loop(), lab.connection->powershell()->run(script, source, bytes)).code == 0);
    CHECK(bytes.out() == input);
    CHECK(lab.run(PowerShellUse::Housekeeping, "throw 'no'").code == 1);
    lab.close();
    const std::string requests = lab.windows.requests();
    INFO(requests);
    CHECK(requests.find("Create") == requests.rfind("Create"));
    CHECK(requests.find("terminate") != std::string::npos);
    CHECK(requests.substr(requests.size() - 6) == "Delete");
}

TEST_CASE("output in many small fragments and in big ones is complete", "[winrm]") {
    Lab lab({"--basic", "--piece", "37"});
    lab.connect(R"({"basic-auth-only": true})");
    CHECK(lab.run(PowerShellUse::Action, "big 20000\n'end'").code == 0);
    CHECK(lab.seen.out() == std::string(20000, 'x') + "\r\nend\r\n");
    lab.close();
    Lab large(basic);
    large.connect(R"({"basic-auth-only": true})");
    CHECK(large.run(PowerShellUse::Action, "big 400000").code == 0);
    CHECK(large.seen.out().size() == 400'002);
    large.close();
}

TEST_CASE("a script that is longer than an envelope arrives whole", "[winrm]") {
    Lab lab(basic);
    lab.connect(R"({"basic-auth-only": true})");
    const std::string text(400'000, 'y');
    CHECK(lab.run(PowerShellUse::Action, "'" + text + "'").code == 0);
    CHECK(lab.seen.out() == text + "\r\n");
    lab.close();
}

TEST_CASE("a script that asks somebody fails at once", "[winrm]") {
    Lab lab(basic);
    lab.connect(R"({"basic-auth-only": true})");
    CHECK(lab.run(PowerShellUse::Action, "Read-Host").code == 0);
    CHECK(lab.seen.err().find("The script asked for input (ReadLine)") != std::string::npos);
    lab.close();
}

TEST_CASE("a Receive in whose time nothing comes is repeated", "[winrm]") {
    Lab lab({"--basic", "--hold", "0.2"});
    lab.connect(R"({"basic-auth-only": true})");
    const auto polls = [&] {
        const std::string requests = lab.windows.requests();
        const std::size_t command = requests.find("Command");
        return command != std::string::npos &&
               requests.find("Receive Receive Receive", command) != std::string::npos;
    };
    PowerShellScript script(PowerShellUse::Action, "hang");
    NoInput nothing;
    CHECK_THROWS_AS(finish_cancelled_when(lab.runtime.loop(), polls,
                                          lab.connection->powershell()->run(script, nothing, lab.seen)),
                    boost::system::system_error);
    // Cancelled: it was stopped over another connection, and its shell is gone.
    const std::string requests = lab.windows.requests();
    INFO(requests);
    CHECK(requests.find("Signal crtl_c Delete") != std::string::npos);
    CHECK(lab.connection->alive());
    CHECK(lab.run(PowerShellUse::Action, "'again'").code == 0);
    lab.close();
}

TEST_CASE("a wrong password is an error of authentication that names what the server offers", "[winrm]") {
    Lab lab({"--basic", "--password", "another"});
    lab.connect(R"({"basic-auth-only": true})");
    const std::string error = error_of([&] { lab.run(PowerShellUse::Action, "'x'"); });
    CHECK(error.find("AUTH_ERROR Authentication failed for http://127.0.0.1:") == 0);
    CHECK(error.find("tried Basic, the server offers Basic") != std::string::npos);
    if (!can_log_in_with_ntlm()) return;
    Lab ntlm({"--password", "another"});
    const std::string refused = error_of([&] { ntlm.connect(); });
    CHECK(refused.find("AUTH_ERROR Authentication failed for http://127.0.0.1:") == 0);
    CHECK(refused.find("tried Negotiate (NTLM), the server offers Negotiate") != std::string::npos);
}

TEST_CASE("without TLS NTLM encrypts the messages", "[winrm]") {
    if (!can_log_in_with_ntlm()) return;
    Lab lab({});
    lab.connect();
    CHECK(lab.run(PowerShellUse::Action, "'one'\nexit 3").code == 3);
    CHECK(lab.run(PowerShellUse::Action, "big 100000").code == 0);
    CHECK(lab.seen.out() == "one\r\n" + std::string(100'000, 'x') + "\r\n");
    lab.close();
    INFO(lab.windows.requests());
    CHECK(lab.windows.requests().find("Create Receive") == 0);
}

TEST_CASE("an answer that is not encrypted, or changed on the way, is not believed", "[winrm]") {
    if (!can_log_in_with_ntlm()) return;
    Lab plain({"--fault", "plain-answer"});
    plain.connect();
    CHECK(error_of([&] { plain.run(PowerShellUse::Action, "'x'"); }).find("with a plain one") !=
          std::string::npos);
    CHECK_FALSE(plain.connection->alive());
    Lab changed({"--fault", "wrong-signature"});
    changed.connect();
    CHECK(error_of([&] { changed.run(PowerShellUse::Action, "'x'"); }).find("signature") !=
          std::string::npos);
}

TEST_CASE("over TLS the login is bound to the server's certificate", "[winrm]") {
    if (!can_log_in_with_ntlm() || !has_certificate()) return;
    const auto& files = WinrmDouble::certificate();
    Lab lab({"--strict-binding", "--tls", files[0], files[1]});
    lab.connect();
    CHECK(lab.run(PowerShellUse::Action, "'bound'").code == 0);
    CHECK(lab.seen.out() == "bound\r\n");
    lab.close();
}

TEST_CASE("a certificate that is not trusted is refused, a trusted one is not", "[winrm]") {
    if (!has_certificate()) return;
    const auto& files = WinrmDouble::certificate();
    Lab lab({"--basic", "--tls", files[0], files[1]});
    const std::string refused =
        error_of([&] { lab.connect(R"({"basic-auth-only": true, "ssl-verify": true})"); });
    CHECK(refused.find("CONNECT_ERROR Failed to connect to https://127.0.0.1:") == 0);
    CHECK(refused.find("certificate is not trusted: self-signed certificate") != std::string::npos);
    CHECK(refused.find("--no-ssl-verify") != std::string::npos);
    lab.connect(R"({"basic-auth-only": true, "ssl-verify": true, "cacert": ")" + files[0] + "\"}");
    CHECK(lab.run(PowerShellUse::Action, "'trusted'").code == 0);
    lab.close();
}

TEST_CASE("a client certificate is a login, where its key is nobody else's", "[winrm]") {
    if (!has_certificate()) return;
    const auto& files = WinrmDouble::certificate();
    Lab lab({"--tls", files[0], files[1], "--client-ca", files[0]});
    const auto options = [&](const std::string& key) {
        return R"({"client-cert": ")" + files[0] + R"(", "client-key": ")" + key + "\"}";
    };
    lab.connect(options(files[1]));
    CHECK(lab.run(PowerShellUse::Action, "'certified'").code == 0);
    CHECK(lab.seen.out() == "certified\r\n");
    lab.close();
    const std::string exposed = error_of([&] { lab.connect(options(files[0])); });
    CHECK(exposed.find("is not used, because other users can access it (mode 0") != std::string::npos);
    lab.connect(R"({"basic-auth-only": true})");
    const std::string refused = error_of([&] { lab.run(PowerShellUse::Action, "'x'"); });
    CHECK(refused.find("AUTH_ERROR Authentication failed for https://127.0.0.1:") == 0);
    CHECK(refused.find("tried Basic, the server offers http://schemas.dmtf.org/") != std::string::npos);
}

TEST_CASE("TLS on a port without it has Bolt's hint", "[winrm]") {
    Lab lab(basic);
    const std::string error = error_of([&] { lab.connect(R"({"ssl": true, "basic-auth-only": true})"); });
    CHECK(error.find("Are you using SSL to connect to a non-SSL port?") != std::string::npos);
}

TEST_CASE("a server that has as many shells as it allows is asked again", "[winrm]") {
    Lab lab({"--basic", "--fault", "passing-create"});
    lab.connect(R"({"basic-auth-only": true})");
    CHECK(lab.run(PowerShellUse::Action, "'later'").code == 0);
    CHECK(lab.windows.requests().find("Create Create") == 0);
    lab.close();
    Lab full(
        {"--basic", "--fault", "passing-create", "--fault", "passing-create", "--fault", "passing-create"});
    full.connect(R"({"basic-auth-only": true})");
    const std::string error = error_of([&] { full.run(PowerShellUse::Action, "'x'"); });
    CHECK(error.find("EXEC_ERROR Could not run a script on windows: WinRM fault 2150859173") == 0);
    CHECK(error.find("MaxShellsPerUser") != std::string::npos);
}

TEST_CASE("a kept shell that has ended is replaced, as nothing had begun", "[winrm]") {
    Lab lab({"--basic", "--fault", "gone-shell"});
    lab.connect(R"({"basic-auth-only": true})");
    CHECK(lab.run(PowerShellUse::Housekeeping, "'first'").code == 0);
    CHECK(lab.run(PowerShellUse::Housekeeping, "'second'").code == 0);
    CHECK(lab.seen.out() == "first\r\nsecond\r\n");
    lab.close();
    const std::string requests = lab.windows.requests();
    CHECK(requests.find("Create") != requests.rfind("Create"));
}

TEST_CASE("a command whose answer is lost is not run again", "[winrm]") {
    Lab lab({"--basic", "--fault", "cut-command"});
    lab.connect(R"({"basic-auth-only": true})");
    const std::string error = error_of([&] { lab.run(PowerShellUse::Action, "'once'"); });
    CHECK(error.find(
              "EXEC_ERROR The connection to windows failed while a script may have been running: the server "
              "closed the connection") == 0);
    CHECK_FALSE(lab.connection->alive());
    lab.close();
    const std::string requests = lab.windows.requests();
    CHECK(requests.find("Command") == requests.rfind("Command"));
}

TEST_CASE("nobody listens: the error names the address", "[winrm]") {
    TargetConfig target;
    {
        const WinrmDouble gone(basic);
        target = gone.target(R"({"basic-auth-only": true})");
    }
    Runtime runtime;
    const auto network = std::make_shared<winrm::Network>(runtime);
    const std::string error =
        error_of([&] { finish(runtime.loop(), winrm::connect_winrm(network, target)); });
    CHECK(error.find("CONNECT_ERROR Failed to connect to http://127.0.0.1:") == 0);
    CHECK(error.find("Connection refused") != std::string::npos);
    target.password.reset();
    CHECK(error_of([&] {
              finish(runtime.loop(), winrm::connect_winrm(network, target));
          }).find("AUTH_ERROR windows needs a user and a password") == 0);
}

TEST_CASE("a real PowerShell takes what is sent and is understood", "[winrm]") {
    const std::string engine = WinrmDouble::powershell();
    if (engine.empty()) {
        WARN("skip: neither VOLLEY_TEST_POWERSHELL nor a pwsh in PATH: see tests/lab/pwsh/install.sh");
        return;
    }
    Lab lab({"--basic", "--engine", engine});
    lab.connect(R"({"basic-auth-only": true})");
    const auto action = [&](const std::string& text) {
        lab.seen = Collector();
        return lab.run(PowerShellUse::Action, text).code;
    };
    CHECK(action("'hello'; 6 * 7") == 0);
    CHECK(lab.seen.out() == "hello\r\n42\r\n");
    CHECK_FALSE(lab.connection->powershell()->version().empty());
    CHECK(action("$text = \"\u00e4_x0041_\u20ac\U0001F600 <&>`\"\"; $text; $text.Length") == 0);
    CHECK(lab.seen.out() == "\u00e4_x0041_\u20ac\U0001F600 <&>\"\r\n16\r\n");
    CHECK(action("exit 7") == 7);
    CHECK(action("throw 'broken'") == 1);
    CHECK(lab.seen.err().find("broken\n") == 0);
    CHECK(action("Write-Host 'host'; Write-Error 'bad'; 'end'") == 0);
    CHECK(lab.seen.out() == "host\r\nend\r\n");
    // What comes before the message depends on whose Write-Error it is.
    CHECK(lab.seen.err().find("bad\n") != std::string::npos);
    CHECK(lab.seen.err().find("\n    + CategoryInfo          : ") != std::string::npos);
    CHECK(action("$Host.UI.ReadLine(); 'after'") != -1);
    CHECK(lab.seen.err().find("The script asked for input") != std::string::npos);
    CHECK(action("'x' * 300000") == 0);
    CHECK(lab.seen.out().size() == 300'002);
    CHECK(action("'" + std::string(300'000, 'y') + "'.Length") == 0);
    CHECK(lab.seen.out() == "300000\r\n");

    lab.seen = Collector();
    CHECK(lab.run(PowerShellUse::Housekeeping, "param($a, $b) $kept = $a; $b", {"a 'b' \"c\"", "_x000D_"})
              .code == 0);
    CHECK(lab.seen.out() == "_x000D_\r\n");
    std::string input;
    for (int at = 0; at < 200'000; ++at) input += static_cast<char>(at * 7);
    lab.seen = Collector();
    CHECK(lab.run(PowerShellUse::Housekeeping, "process { , $_ }", {}, input).code == 0);
    CHECK(lab.seen.out() == input);
    CHECK(lab.run(PowerShellUse::Housekeeping, "throw 'no'").code == 1);
    lab.close();
}
