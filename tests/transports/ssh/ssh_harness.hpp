#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "transports/connection.hpp"
#include "transports/errors.hpp"
#include "transports/runtime.hpp"
#include "transports/transport.hpp"

namespace volley::tests {

/// Collects what a command writes.
struct Collected final : transports::OutputSink {
    transports::CapturedOutput output;
    void on_output(transports::Stream stream, std::string_view bytes) override {
        output.append(stream, bytes);
    }
    std::string out() const { return output.text(transports::Stream::Out); }
    std::string err() const { return output.text(transports::Stream::Err); }
};

/// A loop with an ssh transport on it. A coroutine that takes longer than three minutes fails.
class SshHarness {
public:
    SshHarness() : transport_(transports::make_transport("ssh", runtime_)) {}

    template <class T>
    T run(transports::Task<T> task) {
        std::optional<T> value;
        drive([](transports::Task<T> work, std::optional<T>& result) -> transports::Task<void> {
            result = co_await std::move(work);
        }(std::move(task), value));
        return std::move(*value);
    }
    void run(transports::Task<void> task) { drive(std::move(task)); }

    std::unique_ptr<transports::Connection> connect(const transports::TargetConfig& target) {
        return run(transport_->connect(target));
    }
    /// The error of connecting; fails when there is none.
    transports::TransportError refusal(const transports::TargetConfig& target) {
        try {
            auto connection = connect(target);
        } catch (const transports::TransportError& error) {
            return error;
        }
        throw std::runtime_error("the connection was not refused");
    }
    struct Result {
        transports::ExitStatus status;
        std::string out, err;
    };
    Result execute(transports::Connection& connection, const std::string& line, std::string_view input = {},
                   bool tty = false) {
        transports::Command command(line, tty);
        transports::TextInput text(input);
        Collected sink;
        const transports::ExitStatus status = run(connection.execute(command, text, sink));
        return Result{status, sink.out(), sink.err()};
    }
    void close(transports::Connection& connection) { run(connection.close()); }

    /// Lets everything go on until there is a sign; false when there is none within two minutes.
    bool wait_until(const std::function<bool()>& sign) {
        bool seen = false;
        run([](transports::Runtime& runtime, const std::function<bool()>& look,
               bool& result) -> transports::Task<void> {
            boost::asio::steady_timer timer(runtime.loop());
            for (int looks = 0; looks < 12000 && !(result = look()); ++looks) {
                timer.expires_after(std::chrono::milliseconds(10));
                co_await timer.async_wait(boost::asio::use_awaitable);
            }
        }(runtime_, sign, seen));
        return seen;
    }

    transports::Runtime& runtime() { return runtime_; }
    transports::Transport& transport() { return *transport_; }

private:
    void drive(transports::Task<void> task) {
        std::exception_ptr error;
        bool done = false;
        boost::asio::co_spawn(runtime_.loop(), std::move(task), [&](std::exception_ptr e) {
            error = e;
            done = true;
        });
        runtime_.loop().restart();
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(180);
        while (!done && std::chrono::steady_clock::now() < limit) {
            runtime_.loop().run_one_for(std::chrono::milliseconds(200));
            if (runtime_.loop().stopped()) runtime_.loop().restart();
        }
        if (!done) throw std::runtime_error("took longer than three minutes");
        if (error) std::rethrow_exception(error);
    }

    transports::Runtime runtime_;
    std::unique_ptr<transports::Transport> transport_;
};

}  // namespace volley::tests
