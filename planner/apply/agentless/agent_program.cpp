#include "planner/apply/agentless/agent_program.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <climits>
#include <mutex>
#include <system_error>

#include "planner/apply/agentless/program_sums.hpp"
#include "support/files.hpp"
#include "support/paths/cache_folder.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// What `stat -c` prints as program_stamp() of the agent writes it.
constexpr std::string_view stamp_format = "%d:%i:%Z:%s";

/// The folders in which the agent may lie, and what is shared by the commands. `$want` is the checksum.
constexpr std::string_view preamble = R"sh(umask 077
id=$(id -u) || exit 1
if [ "$id" = 0 ]; then set -- /var/lib/volley-agent; else set -- "${XDG_STATE_HOME:-$HOME/.local/state}/volley-agent"; fi
set -- "$@" "$HOME/.volley-agent" "/var/tmp/volley-agent-$id" "/tmp/volley-agent-$id"
[ -z "$VOLLEY_AGENT_FOLDER" ] || set -- "$VOLLEY_AGENT_FOLDER"
own() {
for p do [ ! -L "$p" ] && [ -O "$p" ] || return 1; done
case $#$(ls -ld "$@") in 1?rwx------*|2?rwx------*"
"?rwx------*) return 0;; esac
return 1
}
sum() {
s=$(sha256sum "$1" 2>/dev/null) || s=$(shasum -a 256 "$1" 2>/dev/null) || s=$(openssl dgst -sha256 -r "$1" 2>/dev/null) || s=
s=${s%% *}
}
)sh";

/// `$quick` is the BLAKE2b checksum; "" when there is none.
constexpr std::string_view start = R"sh(check() {
[ -n "$quick" ] && s=$(b2sum "$1" 2>/dev/null) && { [ "${s%% *}" = "$quick" ]; return; }
sum "$1"
[ "$s" = "$want" ]
}
for d do
f=$d/volley-agent-$want
[ -n "$want" ] && [ -d "$d" ] && [ -f "$f" ] && own "$d" "$f" || continue
check "$f" || { rm -f "$f"; continue; }
)sh";

/// 126 and 127 say that the program could not be started, because its place is `noexec` now, for example.
constexpr std::string_view serve = R"sh("$f" serve --state "$d/state"
s=$?
case $s in 126|127) ;; *) exit $s;; esac
)sh";

constexpr std::string_view store = R"sh(why=
for d do
mkdir -p "${d%/*}" 2>/dev/null
made=
mkdir "$d" 2>/dev/null && made=1
[ -d "$d" ] && [ ! -L "$d" ] && [ -O "$d" ] && chmod 700 "$d" 2>/dev/null && own "$d" || { why="${why:+$why; }$d: not a private folder"; continue; }
t=$d/.incoming.$$
trap 'rm -f "$t"' EXIT
trap 'exit 1' HUP INT TERM
rm -f "$t"
(set -C; printf '#!/bin/sh\nexit 0\n' >"$t") 2>/dev/null && chmod 700 "$t" && "$t" 2>/dev/null || { rm -f "$t"; [ -z "$made" ] || rmdir "$d"; why="${why:+$why; }$d: no programs can be run from it"; continue; }
cat >"$t" || { echo "VOLLEY-AGENT-REFUSED $d: it cannot be written there"; exit 1; }
sum "$t"
[ "$s" = "$want" ] || { echo "VOLLEY-AGENT-REFUSED $d: it did not arrive as it was sent"; exit 1; }
"$t" version >/dev/null 2>&1 || { echo "VOLLEY-AGENT-REFUSED $d: it does not run there"; exit 1; }
mv -f "$t" "$d/volley-agent-$want" || exit 1
find "$d" -maxdepth 1 -name 'volley-agent-*' ! -name "volley-agent-$want" -mtime +30 -exec rm -f {} + 2>/dev/null
find "$d" -maxdepth 1 -name '.incoming.*' -mmin +60 -exec rm -f {} + 2>/dev/null
echo "VOLLEY-AGENT-STORED $d"
exit 0
done
echo "VOLLEY-AGENT-REFUSED $why"
exit 1
)sh";

constexpr std::string_view clean = R"sh(status=0
for d do
[ -d "$d" ] && own "$d" || continue
if [ -f "$d/state/lock" ] && command -v flock >/dev/null 2>&1 && ! flock -n "$d/state/lock" true; then
echo "VOLLEY-AGENT-IN-USE $d"; status=1; continue
fi
if rm -rf "$d"; then echo "VOLLEY-AGENT-REMOVED $d"; else status=1; fi
done
exit $status
)sh";

std::filesystem::path own_folder() {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

std::map<std::string, AgentProgram> read_programs() {
    std::map<std::string, AgentProgram> found;
    utsname own{};
    ::uname(&own);
    const std::filesystem::path here = own_folder();
    ProgramSums known(cache_folder());
    const auto add = [&](const std::string& machine, const std::filesystem::path& file) {
        std::error_code ignored;
        if (found.contains(machine) || !std::filesystem::is_regular_file(file, ignored)) return;
        auto [sum, quick] = known.of(file);
        found.emplace(machine, AgentProgram{machine, file, std::move(sum), std::move(quick)});
    };
    for (const char* machine : {"x86_64", "aarch64"}) {
        add(machine, here.parent_path() / "lib/volley" / (std::string("volley-agent-") + machine));
        add(machine, here / (std::string("volley-agent-") + machine));
    }
    add(own.machine, here / "volley-agent");
    return found;
}

}  // namespace

const std::map<std::string, AgentProgram>& agent_programs() {
    static const std::map<std::string, AgentProgram> programs = read_programs();
    return programs;
}

const std::string& content_of(const AgentProgram& program) {
    static std::mutex mutex;
    static std::map<std::string, std::string> contents;
    const std::lock_guard lock(mutex);
    const auto known = contents.find(program.machine);
    if (known != contents.end()) return known->second;
    return contents.emplace(program.machine, read_file(program.file, "agent for targets")).first->second;
}

bool is_our_program(const StartedProgram& started) {
    const auto plain = [](char one) { return (one >= '0' && one <= '9') || one == ':' || one == '\n'; };
    const std::size_t slash = started.file.rfind('/');
    return started.file.starts_with('/') && started.file.size() <= PATH_MAX && !started.stamp.empty() &&
           started.stamp.size() <= 256 && std::all_of(started.stamp.begin(), started.stamp.end(), plain) &&
           std::any_of(agent_programs().begin(), agent_programs().end(), [&](const auto& one) {
               return std::string_view(started.file).substr(slash + 1) == "volley-agent-" + one.second.sum;
           });
}

std::string start_command(const StartedProgram& started) {
    std::string command = "umask 077\nf=" + shell_quote(started.file) + "\nd=${f%/*}\n";
    command += "if [ -O \"$f\" ] && [ \"$(stat -c " + std::string(stamp_format) +
               " \"$d\" \"$f\" 2>/dev/null)\" = '";
    command += started.stamp + "' ]; then\n";
    command += serve;
    return command + "fi\necho " + std::string(changed_mark) + "\n";
}

std::string start_command() {
    std::string command(preamble);
    // Kernels since 6.1 say it in /proc: each program that is started takes a millisecond of every apply.
    command +=
        "want= quick= s= m=\n{ read -r s </proc/sys/kernel/ostype; read -r m </proc/sys/kernel/arch; } "
        "2>/dev/null\n[ -n \"$m\" ] && m=\"$s $m\" || m=$(uname -sm)\ncase $m in\n";
    for (const auto& [machine, program] : agent_programs())
        command += "'Linux " + machine + "') want=" + program.sum + " quick=" + program.quick_sum + ";;\n";
    command += "esac\n";
    command += start;
    command += serve;
    return command + "done\necho \"" + std::string(missing_mark) + " $m\"\n";
}

std::string clean_command() { return std::string(preamble) + std::string(clean); }

std::string store_command(const AgentProgram& program) {
    return std::string(preamble) + "want=" + program.sum + "\n" + std::string(store);
}

}  // namespace volley::planner
