#pragma once

// Boost.Process v2 (1.81) with a launcher of our own. Included by launch.cpp only: it is heavy.

// Boost.Filesystem would have to be linked. With this, 1.81 forgets some of its own includes: the three
// below and environment.ipp.
#define BOOST_PROCESS_USE_STD_FS 1

// clang-format off: what Boost.Process's headers use without including it comes first.
#include <boost/asio/detail/throw_error.hpp>
#include <boost/optional.hpp>
#include <boost/type_traits.hpp>
// clang-format on

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/process/v2/environment.hpp>
#include <boost/process/v2/impl/environment.ipp>
#include <boost/process/v2/posix/default_launcher.hpp>
#include <boost/process/v2/process.hpp>
#include <boost/process/v2/start_dir.hpp>
#include <boost/process/v2/stdio.hpp>
#include <boost/system/error_code.hpp>
#include <filesystem>

#include "support/process/launch.hpp"
#include "support/unique_fd.hpp"

namespace volley {

namespace v2 = boost::process::v2;

/// Boost.Process initialiser: the child's session or group, and its signals. None is blocked in it.
struct ChildSetup {
    Launch::Group group = Launch::Group::Session;

    boost::system::error_code on_exec_setup(v2::posix::default_launcher&, const std::filesystem::path&,
                                            const char* const*) const noexcept {
        // Handlers first: once signals are let in, one of ours must not run in the child.
        for (int number = 1; number < NSIG; ++number) {
            if (!stays_ignored(number)) ::signal(number, SIG_DFL);
        }
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        if (group == Launch::Group::Callers) return {};
        const int done = group == Launch::Group::Session ? ::setsid() : ::setpgid(0, 0);
        if (done < 0) return {errno, boost::system::system_category()};
        return {};
    }

    /// In the caller's group what nohup ignores stays ignored; that Volley ignores SIGPIPE is its own matter.
    bool stays_ignored(int number) const noexcept {
        if (group != Launch::Group::Callers || number == SIGPIPE) return false;
        struct sigaction now {};
        return ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
    }
};

/// A launcher in the sense of Boost.Process v2: runs its initialisers and starts the child.
/// The ones that come with 1.81 do not serve a loop with many processes:
/// - they announce each fork to the loop, which registers all its descriptors again in the child; that is
///   quadratic with a process per target, and under vfork it changes the loop of the parent;
/// - a failed exec ends in exit(), which runs our handlers in the child, and leaves a zombie;
/// - where pidfd_open is refused (old kernels, strict containers) they throw after the child was started.
class Launcher : public v2::posix::default_launcher {
public:
    /// The child's id, or -1 and `error`. `argv` and its last element nullptr as for execve.
    template <typename... Inits>
    pid_t operator()(boost::system::error_code& error, const std::filesystem::path& executable,
                     const char** argv, Inits&&... inits) {
        namespace hooks = v2::posix::detail;
        const char* const* words = build_argv_(executable, argv);
        error = hooks::on_setup(*this, executable, words, inits...);
        if (error) return -1;
        const auto prepare = [&] { return hooks::on_exec_setup(*this, executable, words, inits...); };
        start(executable, words, prepare, error);
        if (error) hooks::on_error(*this, executable, words, error, inits...);
        return pid;
    }

private:
    // While it lasts no handler of ours can run in a child that still shares our memory.
    class SignalsBlocked {
    public:
        SignalsBlocked() {
            sigset_t all;
            ::sigfillset(&all);
            ::pthread_sigmask(SIG_SETMASK, &all, &before_);
        }
        ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
        SignalsBlocked(const SignalsBlocked&) = delete;
        SignalsBlocked& operator=(const SignalsBlocked&) = delete;

    private:
        sigset_t before_{};
    };

    template <typename Prepare>
    void start(const std::filesystem::path& executable, const char* const* words, const Prepare& prepare,
               boost::system::error_code& error) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) {
            error.assign(errno, boost::system::system_category());
            return;
        }
        const UniqueFd reader{ends[0]};
        UniqueFd writer{ends[1]};
        {
            const SignalsBlocked held;
            pid = split_off(executable, words, prepare, writer.get());
            if (pid < 0) error.assign(errno, boost::system::system_category());
        }
        writer.reset();
        if (pid < 0) return;
        int failure = 0;  // exec closes the pipe: nothing comes
        ssize_t n = 0;
        do n = ::read(reader.get(), &failure, sizeof failure);
        while (n < 0 && errno == EINTR);
        if (n != static_cast<ssize_t>(sizeof failure)) return;
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        pid = -1;
        error.assign(failure, boost::system::system_category());
    }

    // vfork: the cost does not grow with our memory. Nothing in the child may touch what the parent goes on
    // with, and it leaves only by exec or _exit.
    template <typename Prepare>
    [[gnu::noinline]] pid_t split_off(const std::filesystem::path& executable, const char* const* words,
                                      const Prepare& prepare, int report) {
        const pid_t child = ::vfork();
        if (child != 0) return child;
        const boost::system::error_code unprepared = prepare();
        if (!unprepared)
            ::execve(executable.c_str(), const_cast<char* const*>(words), const_cast<char* const*>(env));
        const int failure = unprepared ? unprepared.value() : errno;
        [[maybe_unused]] const ssize_t ignored = ::write(report, &failure, sizeof failure);
        ::_exit(127);
    }
};

}  // namespace volley
