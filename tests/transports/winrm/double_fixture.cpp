#include "tests/transports/winrm/double_fixture.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "support/json/json_reader.hpp"
#include "support/process/launch.hpp"
#include "tests/source_folder.hpp"

namespace volley::tests {
namespace {

// Debian's own: another python has not the packages of NTLM.
constexpr const char* python = "/usr/bin/python3";

struct Pipe {
    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
        read = UniqueFd(ends[0]);
        write = UniqueFd(ends[1]);
    }
    UniqueFd read;
    UniqueFd write;
};

int run_quietly(std::vector<std::string> words) {
    const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    Launch what(std::move(words));
    what.input = what.output = what.errors = nothing.get();
    int status = -1;
    try {
        ::waitpid(launch(what), &status, 0);
    } catch (const std::system_error&) {  // the program is not installed
    }
    return status;
}

std::string first_line(int descriptor) {
    std::string line;
    char letter = 0;
    while (::read(descriptor, &letter, 1) == 1 && letter != '\n') line += letter;
    return line;
}

}  // namespace

WinrmDouble::WinrmDouble(const std::vector<std::string>& arguments)
    : folder_("winrm-double"),
      tls_(std::find(arguments.begin(), arguments.end(), "--tls") != arguments.end()) {
    std::vector<std::string> words{python, tests::source_folder() / "tests/lab/winrm/double.py"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    Pipe input;
    Pipe output;
    const UniqueFd log(
        ::open((folder_.path() / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    Launch what(std::move(words));
    what.input = input.read.get();
    what.output = output.write.get();
    what.errors = log.get();
    process_ = launch(what);
    input_ = std::move(input.write);
    output.write.reset();
    port_ = std::atoi(first_line(output.read.get()).c_str());
    if (port_ == 0) throw std::runtime_error("the WinRM double did not start: " + requests());
}

WinrmDouble::~WinrmDouble() {
    input_.reset();  // the sign to end
    ::waitpid(process_, nullptr, 0);
}

transports::TargetConfig WinrmDouble::target(const std::string& options) const {
    Json all{{"ssl", tls_}, {"ssl-verify", false}, {"connect-timeout", 60}};
    all.update(parse_json(options));
    transports::TargetConfig target;
    target.name = target.safe_name = "windows";
    target.transport = "winrm";
    target.host = "127.0.0.1";
    target.port = port_;
    target.user = "admin";
    target.password = "secret word";
    target.options = std::make_shared<const Json>(std::move(all));
    return target;
}

std::string WinrmDouble::requests() const {
    std::ifstream log(folder_.path() / "log");
    std::string words;
    std::string word;
    while (log >> word) words += words.empty() ? word : " " + word;
    return words;
}

bool WinrmDouble::has_ntlm() {
    static const bool has =
        run_quietly(
            {python, "-c",
             "import gssapi; "
             "assert gssapi.OID.from_int_seq('1.3.6.1.4.1.311.2.2.10') in gssapi.raw.indicate_mechs()"}) == 0;
    return has;
}

std::string WinrmDouble::powershell() {
    // "none", with the reason, where ./dev has looked for one in vain.
    if (const char* chosen = std::getenv("VOLLEY_TEST_POWERSHELL"))
        return std::string_view(chosen).starts_with("none") ? "" : chosen;
    return run_quietly({"/bin/sh", "-c", "command -v pwsh"}) == 0 ? "pwsh" : "";
}

const std::vector<std::string>& WinrmDouble::certificate() {
    static const TemporaryFolder folder("winrm-certificate");
    static const std::vector<std::string> files = [] {
        std::vector<std::string> made{(folder.path() / "certificate.pem").string(),
                                      (folder.path() / "key.pem").string()};
        const int status = run_quietly({"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days",
                                        "2", "-subj", "/CN=localhost", "-addext",
                                        "subjectAltName=IP:127.0.0.1", "-keyout", made[1], "-out", made[0]});
        return status == 0 ? made : std::vector<std::string>();
    }();
    return files;
}

}  // namespace volley::tests
