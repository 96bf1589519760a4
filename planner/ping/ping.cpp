#include "planner/ping/ping.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "planner/apply/agentless/captured_text.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "transports/shell/powershell/literals.hpp"

namespace volley::planner {
namespace {

using Clock = std::chrono::steady_clock;

/// A line for each thing that is found. The directory is the one that scripts are copied to, so it has to
/// hold a program and let it run.
constexpr std::string_view probe = R"sh(d=$1
echo "volley-ping user $(id -un 2>/dev/null || id -u)"
echo "volley-ping system $(uname -sm)"
echo "volley-ping shell ${SHELL:-/bin/sh}"
echo "volley-ping time $(date +%s)"
[ -n "$d" ] || d=/tmp
echo "volley-ping tmpdir $d"
if [ ! -d "$d" ]; then state=missing
elif ! f=$(umask 077; mktemp -d "$d/volley-ping.XXXXXX" 2>/dev/null); then state='not writable'
else
  printf '#!/bin/sh\nexit 0\n' > "$f/x" && chmod 700 "$f/x"
  if "$f/x" 2>/dev/null; then state=ok; else state=noexec; fi
  rm -rf "$f"
fi
echo "volley-ping state $state"
)sh";

/// The same for PowerShell; a variable $d comes before it. There is no noexec.
constexpr std::string_view powershell_probe = R"ps(
$user = [Environment]::UserName
$system = [Environment]::OSVersion.VersionString
if ($env:OS -eq 'Windows_NT') {
    $user = [Security.Principal.WindowsIdentity]::GetCurrent().Name
    $system = $system + ' ' + $env:PROCESSOR_ARCHITECTURE
}
'volley-ping user ' + $user
'volley-ping system ' + $system
'volley-ping shell PowerShell ' + $PSVersionTable.PSVersion
'volley-ping time ' + [long][Math]::Floor(([DateTime]::UtcNow - [DateTime]'1970-01-01').TotalSeconds)
if ($d) { $d = $ExecutionContext.InvokeCommand.ExpandString($d) } else { $d = [IO.Path]::GetTempPath() }
'volley-ping tmpdir ' + $d
$state = 'missing'
if ([IO.Directory]::Exists($d)) {
    $f = [IO.Path]::Combine($d, 'volley-ping.' + [Guid]::NewGuid())
    try {
        [void][IO.Directory]::CreateDirectory($f)
        [IO.Directory]::Delete($f)
        $state = 'ok'
    } catch { $state = 'not writable' }
}
'volley-ping state ' + $state
)ps";

double seconds_since(Clock::time_point begin) {
    return std::round(std::chrono::duration<double>(Clock::now() - begin).count() * 1e4) / 1e4;
}

double now_seconds() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string tmpdir_of(const inventory::Target& target) {
    const auto options = target.options();
    const auto found = options->find("tmpdir");
    return found != options->end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// "deploy on web1.example.com:22 over ssh"
std::string place_of(const inventory::Target& target, const std::string& user) {
    std::string place = user;
    if (const std::string host = target.host(); !host.empty()) {
        place += " on " + host;
        if (const auto port = target.port()) place += ":" + std::to_string(*port);
    }
    return place + " over " + target.transport();
}

std::string clock_text(double difference) {
    // The question itself takes its time, and the target says whole seconds.
    if (std::abs(difference) < 2) return "clock ok";
    return fmt::format("clock {:.0f} s {}", std::abs(difference), difference > 0 ? "fast" : "slow");
}

/// "address 192.0.2.7 port 22, host key ssh-ed25519 SHA256:..." and a line about the login.
std::string way_text(const transports::ConnectionFacts& facts) {
    std::string text = facts.address.empty() ? std::string("through a proxy") : "address " + facts.address;
    text += fmt::format(", host key {} {}{}", facts.host_key_type, facts.host_key_fingerprint,
                        facts.host_key_checked ? "" : " (not checked)");
    text += "\nlogin with " + facts.login;
    if (!facts.refused.empty()) text += fmt::format(" (refused: {})", join(facts.refused, ", "));
    if (!facts.not_used.empty()) text += fmt::format(" (not used: {})", join(facts.not_used, "; "));
    return text + fmt::format(
                      ": name resolution {:.3f} s, connect {:.3f} s, key exchange {:.3f} s, "
                      "authentication {:.3f} s",
                      facts.name_resolution, facts.connect, facts.key_exchange, facts.authentication);
}

double rounded(double seconds) { return std::round(seconds * 1e4) / 1e4; }

Json way_json(const transports::ConnectionFacts& facts) {
    return Json{{"address", facts.address},
                {"host_key",
                 {{"type", facts.host_key_type},
                  {"fingerprint", facts.host_key_fingerprint},
                  {"checked", facts.host_key_checked}}},
                {"login", facts.login},
                {"refused", facts.refused},
                {"not_used", facts.not_used},
                {"times",
                 {{"name_resolution", rounded(facts.name_resolution)},
                  {"connect", rounded(facts.connect)},
                  {"key_exchange", rounded(facts.key_exchange)},
                  {"authentication", rounded(facts.authentication)}}}};
}

std::string advice(const PingAnswer& answer) {
    if (answer.tmpdir_state == "missing") return "does not exist: set the option tmpdir to a directory there";
    if (answer.tmpdir_state == "not writable")
        return "is not writable for " + answer.user + ": set the option tmpdir to another directory";
    return "is mounted noexec, so that scripts and tasks cannot run there: set the option tmpdir to another "
           "directory";
}

/// What a command prints. Where that can be, one that is never on a terminal.
transports::Task<std::string> answer_of(TargetAccess& access, bool powershell, std::string command) {
    if (powershell) {
        auto running = access.run_command(std::move(command));
        const transports::Output output = co_await std::move(running);
        co_return output.captured.text(transports::Stream::Out) +
            output.captured.text(transports::Stream::Err);
    }
    transports::NoInput nothing;
    CapturedText printed;
    auto running = access.run_session(std::move(command), nothing, printed);
    co_await std::move(running);
    co_return std::move(printed.text);
}

}  // namespace

PingAnswer PingAnswer::read(std::string_view text, double now) {
    std::map<std::string, std::string, std::less<>> found;
    for (const std::string& line : split(text, '\n')) {
        constexpr std::string_view mark = "volley-ping ";
        if (!line.starts_with(mark)) continue;
        const std::string rest = line.substr(mark.size());
        const std::size_t space = rest.find(' ');
        if (space != std::string::npos)
            found[rest.substr(0, space)] = scrub_utf8(trim(std::string_view(rest).substr(space + 1)));
    }
    if (!found.contains("state"))
        throw Error("volley/ping-error",
                    "The target did not answer as its shell would: " + scrub_utf8(trim(text.substr(0, 500))));
    PingAnswer answer{found["user"], found["system"], found["shell"], found["tmpdir"], found["state"], 0};
    const std::string& time = found["time"];
    if (!time.empty() && time.size() < 16 && time.find_first_not_of("0123456789") == std::string::npos)
        answer.clock_difference = std::round(std::stod(time) - now);
    return answer;
}

transports::Task<Result> PingProcedure::perform(TargetAccess& access) const {
    const inventory::Target target = access.target();
    const std::string& name = target.name();
    const Clock::time_point begin = Clock::now();
    auto connecting = access.shell_traits();
    const bool powershell = (co_await std::move(connecting)).powershell;
    auto first = answer_of(access, powershell, powershell ? "$null" : ":");
    co_await std::move(first);
    const double login = seconds_since(begin);

    access.now_doing("asking");
    const Clock::time_point asked = Clock::now();
    const double before = now_seconds();
    const std::string tmpdir = tmpdir_of(target);
    std::string command =
        powershell ? "$d = " + transports::powershell_string(tmpdir) + std::string(powershell_probe)
                   : "sh -c " + shell_quote(probe) + " sh " + shell_quote(tmpdir);
    auto second = answer_of(access, powershell, std::move(command));
    const std::string said = co_await std::move(second);
    const double round_trip = seconds_since(asked);
    const PingAnswer answer = PingAnswer::read(said, (before + now_seconds()) / 2);

    Json value = Json::object();
    value["_output"] =
        fmt::format("{}: {:.3f} s to log in, {:.3f} s for a command; {}, {}, {}, tmpdir {} {}",
                    place_of(target, answer.user), login, round_trip, answer.shell, answer.system,
                    clock_text(answer.clock_difference), answer.tmpdir, answer.tmpdir_state);
    if (const transports::ConnectionFacts* facts = access.connection_facts()) {
        value["_output"] = value["_output"].get<std::string>() + "\n" + way_text(*facts);
        value["connection"] = way_json(*facts);
    }
    value["user"] = answer.user;
    value["host"] = target.host();
    if (const auto port = target.port()) value["port"] = *port;
    value["transport"] = target.transport();
    value["login_time"] = login;
    value["round_trip"] = round_trip;
    value["system"] = answer.system;
    value["shell"] = answer.shell;
    value["tmpdir"] = answer.tmpdir;
    value["tmpdir_state"] = answer.tmpdir_state;
    value["clock_difference"] = answer.clock_difference;
    if (answer.tmpdir_state != "ok") {
        value["_error"] = Json{{"kind", "volley/ping-error"},
                               {"msg", "The temporary directory " + answer.tmpdir + " " + advice(answer)},
                               {"details", Json::object()}};
    }
    co_return Result::of_value(name, std::string(action()), std::nullopt, std::move(value));
}

}  // namespace volley::planner
