#include "apply/agent/machine/process.hpp"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

extern char** environ;

namespace volley::agent {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int look_interval_ms = 20;
constexpr int grace_ms = 2000;
constexpr std::size_t output_limit = 64U << 20U;

struct Identity {
    std::optional<uid_t> uid;
    std::optional<gid_t> gid;
    std::vector<gid_t> groups;
};

Identity identity_of(const Command& command) {
    Identity who;
    if (!command.group.empty()) {
        who.gid = gid_of(command.group);
        if (!who.gid || !group_with(*who.gid)) throw ApplyError("No such group " + command.group);
        who.groups.push_back(*who.gid);
    }
    if (command.user.empty()) return who;
    who.uid = uid_of(command.user);
    if (!who.uid) throw ApplyError("No such user " + command.user);
    const auto entry = user_with(*who.uid);
    if (!who.gid) {
        if (!entry) throw ApplyError("No such user " + command.user);
        who.gid = entry->gid;
        who.groups.push_back(entry->gid);
    }
    if (entry) {
        for (const GroupEntry& group : further_groups_of(entry->name)) who.groups.push_back(group.gid);
    }
    return who;
}

std::vector<std::string> child_environment(const Command& command) {
    std::vector<std::string> list;
    static constexpr std::array<std::string_view, 3> personal = {"HOME", "USER", "LOGNAME"};
    for (char** at = environ; *at != nullptr; ++at) {
        const std::string_view entry = *at;
        const std::string_view name = entry.substr(0, entry.find('='));
        const bool locale = name.starts_with("LC_") || name == "LANG" || name == "LANGUAGE";
        if (command.c_locale && locale) continue;
        if (std::find(personal.begin(), personal.end(), name) != personal.end()) continue;
        const auto same = [&](const auto& own) { return own.first == name; };
        if (std::any_of(command.environment.begin(), command.environment.end(), same)) continue;
        list.emplace_back(entry);
    }
    if (command.c_locale) {
        list.emplace_back("LANG=C");
        list.emplace_back("LC_ALL=C");
    }
    for (const auto& [name, value] : command.environment) list.push_back(name + "=" + value);
    return list;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (std::string& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

/// A file without "#!" is the shell's to read, as for execvp().
std::vector<char*> shell_pointers(const std::string& program, const std::vector<char*>& argv) {
    static std::string shell = "/bin/sh";
    std::vector<char*> list{shell.data(), const_cast<char*>(program.c_str())};
    list.insert(list.end(), argv.begin() + 1, argv.end());
    return list;
}

std::vector<std::string> path_of(const std::vector<std::string>& environment) {
    for (const std::string& entry : environment) {
        if (entry.starts_with("PATH=")) return split(std::string_view(entry).substr(5), ':');
    }
    return search_path();
}

/// What happens in the child, which still shares the memory of the agent: only system calls.
struct ChildStart {
    const char* program;
    char** argv;
    char** shell_argv;  ///< for a script that does not say what runs it
    char** environment;
    const char* directory;
    const Identity* who;
    int in, out, errors;
    std::optional<mode_t> mask;

    [[noreturn]] void become() const {
        ::setsid();
        ::dup2(in, 0);
        ::dup2(out, 1);
        ::dup2(errors, 2);
        struct sigaction plain {};
        plain.sa_handler = SIG_DFL;
        for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD})
            ::sigaction(number, &plain, nullptr);
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        if (mask) ::umask(*mask);
        bool fine = directory == nullptr || ::chdir(directory) == 0;
        if (fine && who->gid) {
            // Not those of the C library, which change all threads of what it takes for its own process.
            fine = ::syscall(SYS_setgroups, who->groups.size(), who->groups.data()) == 0 || ::geteuid() != 0;
            fine = fine && ::syscall(SYS_setgid, *who->gid) == 0;
        }
        if (fine && who->uid) fine = ::syscall(SYS_setuid, *who->uid) == 0;
        if (fine) ::execve(program, argv, environment);
        if (fine && errno == ENOEXEC) ::execve(shell_argv[0], shell_argv, environment);
        const char* why = std::strerror(errno);
        const ssize_t ignored = ::write(1, why, std::strlen(why));
        ::_exit(ignored < 0 ? 126 : 127);
    }
};

/// The memory of an agent with a large catalog is not copied, page table by page table, for each of hundreds
/// of commands: the agent waits until the child has become another program. No handler of the agent runs in
/// it.
pid_t start_child(const ChildStart& start) {
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    const pid_t child = ::vfork();
    if (child == 0) start.become();
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return child;
}

int code_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

std::array<UniqueFd, 2> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw SystemError(errno, "pipe");
    return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

}  // namespace

/// Reads what the child writes until it has ended; what it left running in the background may keep the pipe
/// open.
class RunningProgram::Watch {
public:
    Watch(pid_t child, UniqueFd out, UniqueFd in, UniqueFd errors, const Command& command)
        : child_(child),
          out_(std::move(out)),
          in_(std::move(in)),
          errors_(std::move(errors)),
          exit_(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))),
          input_(command.input) {}
    ~Watch() {
        if (!ended_) end_at_once();
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    Finished finish(double seconds) {
        if (seconds > 0)
            deadline_ = Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
        while (!ended_) {
            if (deadline_ && Clock::now() >= *deadline_) {
                end_group();
                done_.timed_out = true;
                break;
            }
            exchange(look_interval_ms);
            look();
        }
        while (out_ && exchange(0)) {
        }
        read_errors();
        return std::move(done_);
    }

private:
    void look() {
        int status = 0;
        const pid_t ended = ::waitpid(child_, &status, out_ || in_ || deadline_ ? WNOHANG : 0);
        if (ended == child_) {
            ended_ = true;
            done_.exit_code = code_of(status);
        } else if (!out_ && deadline_ && !exit_) {
            ::poll(nullptr, 0, 1);
        }
    }

    /// True when something came.
    bool exchange(int wait_ms) {
        std::array<pollfd, 3> wanted{};
        wanted[0] = {out_ ? out_.get() : -1, POLLIN, 0};
        wanted[1] = {in_ ? in_.get() : -1, POLLOUT, 0};
        wanted[2] = {exit_ ? exit_.get() : -1, POLLIN, 0};
        if (!out_ && !in_ && !exit_) return false;
        if (::poll(wanted.data(), wanted.size(), wait_ms) <= 0) return false;
        if (wanted[1].revents != 0) send();
        if (wanted[0].revents == 0) return false;
        std::array<char, 16384> buffer;
        const ssize_t length = ::read(out_.get(), buffer.data(), buffer.size());
        if (length < 0 && (errno == EAGAIN || errno == EINTR)) return false;
        if (length <= 0) {
            out_.reset();
            return false;
        }
        const auto space = output_limit - std::min(output_limit, done_.output.size());
        done_.output.append(buffer.data(), std::min(space, static_cast<std::size_t>(length)));
        return true;
    }

    void send() {
        const ssize_t sent = ::write(in_.get(), input_.data(), input_.size());
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (sent > 0) input_.remove_prefix(static_cast<std::size_t>(sent));
        if (sent < 0 || input_.empty()) in_.reset();
    }

    void read_errors() {
        if (!errors_) return;
        std::array<char, 16384> buffer;
        const ssize_t length = ::pread(errors_.get(), buffer.data(), buffer.size(), 0);
        if (length > 0) done_.errors.assign(buffer.data(), static_cast<std::size_t>(length));
    }

    void end_group() {
        ::kill(-child_, SIGTERM);
        for (int waited = 0; waited < grace_ms; waited += look_interval_ms) {
            if (::waitpid(child_, nullptr, WNOHANG) == child_) {
                ended_ = true;
                break;
            }
            ::poll(nullptr, 0, look_interval_ms);
        }
        ::kill(-child_, SIGKILL);
        if (!ended_) ::waitpid(child_, nullptr, 0);
        ended_ = true;
    }

    void end_at_once() {
        ::kill(-child_, SIGKILL);
        while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }

    pid_t child_;
    UniqueFd out_, in_, errors_;
    UniqueFd exit_;  // readable when the child has ended; not open on kernels before 5.3
    std::string_view input_;
    std::optional<Clock::time_point> deadline_;
    bool ended_ = false;
    Finished done_;
};

std::vector<std::string> search_path() {
    const char* path = ::getenv("PATH");
    return split(path != nullptr && *path != '\0'
                     ? path
                     : "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                 ':');
}

std::optional<std::string> find_program(std::string_view name, const std::vector<std::string>& path) {
    const auto runs = [](const std::string& file) {
        struct stat found {};
        return ::stat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
               ::access(file.c_str(), X_OK) == 0;
    };
    if (name.find('/') != std::string_view::npos)
        return runs(std::string(name)) ? std::optional<std::string>(name) : std::nullopt;
    for (const std::string& folder : path) {
        const std::string file = (folder.empty() ? "." : folder) + "/" + std::string(name);
        if (runs(file)) return file;
    }
    return std::nullopt;
}

Finished run(const Command& command) { return RunningProgram::start(command)->finish(command.timeout); }

RunningProgram::RunningProgram(Command command) : command_(std::move(command)), watch_(start(command_)) {}
RunningProgram::~RunningProgram() = default;
Finished RunningProgram::finish(double seconds) { return watch_->finish(seconds); }

std::unique_ptr<RunningProgram::Watch> RunningProgram::start(const Command& command) {
    if (!command.directory.empty() && !is_directory(command.directory))
        throw ApplyError("Working directory " + command.directory + " does not exist!");
    const Identity who = identity_of(command);
    auto environment = child_environment(command);
    auto argv = command.argv;
    const auto found = find_program(argv.at(0), path_of(environment));
    // The program may be readable for the other user only.
    const std::string program = found ? *found : argv[0];
    auto argv_pointers = pointers_to(argv);
    auto shell_argv = shell_pointers(program, argv_pointers);
    auto environment_pointers = pointers_to(environment);
    auto out = make_pipe();
    const UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    UniqueFd errors;
    if (command.errors == Command::Errors::Apart)
        errors.reset(static_cast<int>(::syscall(SYS_memfd_create, "stderr", MFD_CLOEXEC)));
    const int other = errors ? errors.get() : null.get();
    std::array<UniqueFd, 2> in;
    if (!command.input.empty()) in = make_pipe();

    const ChildStart about{program.c_str(),
                           argv_pointers.data(),
                           shell_argv.data(),
                           environment_pointers.data(),
                           command.directory.empty() ? nullptr : command.directory.c_str(),
                           &who,
                           in[0] ? in[0].get() : null.get(),
                           out[1].get(),
                           command.errors == Command::Errors::WithOutput ? out[1].get() : other,
                           command.umask};
    const pid_t child = start_child(about);
    if (child < 0) throw SystemError(errno, "fork");
    out[1].reset();
    in[0].reset();
    ::fcntl(out[0].get(), F_SETFL, O_NONBLOCK);
    if (in[1]) ::fcntl(in[1].get(), F_SETFL, O_NONBLOCK);
    return std::make_unique<Watch>(child, std::move(out[0]), std::move(in[1]), std::move(errors), command);
}

void start_apart(const Command& command) {
    auto environment = child_environment(command);
    auto argv = command.argv;
    const std::string program = find_program(argv.at(0), path_of(environment)).value_or(argv[0]);
    auto argv_pointers = pointers_to(argv);
    auto shell_argv = shell_pointers(program, argv_pointers);
    auto environment_pointers = pointers_to(environment);
    const UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const Identity who;
    const ChildStart start{program.c_str(),   argv_pointers.data(),
                           shell_argv.data(), environment_pointers.data(),
                           nullptr,           &who,
                           null.get(),        null.get(),
                           null.get(),        std::nullopt};
    const pid_t child = ::fork();
    if (child < 0) throw SystemError(errno, "fork");
    if (child == 0) {
        // Its child belongs to nobody who would have to wait for it.
        const pid_t grandchild = ::fork();
        if (grandchild == 0) start.become();
        ::_exit(grandchild < 0 ? 1 : 0);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
}

std::vector<std::string> command_words(const std::string& line) {
    static constexpr std::array<std::string_view, 29> shell_words = {
        "!",      ".",    ":",     "break", "case",   "continue", "do",    "done",  "elif", "else",
        "esac",   "eval", "exec",  "exit",  "export", "fi",       "for",   "if",    "in",   "readonly",
        "return", "set",  "shift", "then",  "times",  "trap",     "unset", "until", "while"};
    const std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    const std::size_t end = std::min(line.find_first_of(" \t", start), line.size());
    const std::string_view first = std::string_view(line).substr(start, end - start);
    bool shell = line.find_first_of("*?{}[]<>()~&|\\$;'`\"\n#") != std::string::npos;
    const std::size_t assigned = first.find('=');
    shell = shell || (assigned != std::string_view::npos && assigned < first.find('/'));
    shell = shell || std::find(shell_words.begin(), shell_words.end(), first) != shell_words.end();
    if (shell) return {"/bin/sh", "-c", line};
    std::vector<std::string> words;
    for (std::size_t at = start; at < line.size();) {
        const std::size_t stop = std::min(line.find_first_of(" \t", at), line.size());
        if (stop > at) words.push_back(line.substr(at, stop - at));
        at = stop + 1;
    }
    if (words.empty()) words.emplace_back();
    return words;
}

}  // namespace volley::agent
