#pragma once

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>

#include "transports/connection.hpp"
#include "transports/task.hpp"

namespace volley::testing {

/// Runs `task` on `loop` until it is done; its exception comes out here.
template <class T>
T finish(boost::asio::io_context& loop, transports::Task<T> task) {
    std::exception_ptr failure;
    loop.restart();
    if constexpr (std::is_void_v<T>) {
        boost::asio::co_spawn(loop, std::move(task), [&](std::exception_ptr error) { failure = error; });
        loop.run();
        if (failure) std::rethrow_exception(failure);
    } else {
        std::optional<T> result;
        boost::asio::co_spawn(loop, std::move(task), [&](std::exception_ptr error, T value) {
            failure = error;
            if (!error) result.emplace(std::move(value));
        });
        loop.run();
        if (failure) std::rethrow_exception(failure);
        return std::move(*result);
    }
}

/// The same, but cancelled, as Ctrl-C would, once there is a `sign` that it runs. A minute without one
/// is the end as well.
template <class T>
void finish_cancelled_when(boost::asio::io_context& loop, const std::function<bool()>& sign,
                           transports::Task<T> task) {
    std::exception_ptr failure;
    bool over = false;
    boost::asio::cancellation_signal signal;
    boost::asio::steady_timer timer(loop);
    loop.restart();
    auto done = [&](std::exception_ptr error, auto&&...) {
        failure = error;
        over = true;
        timer.cancel();
    };
    boost::asio::co_spawn(loop, std::move(task), boost::asio::bind_cancellation_slot(signal.slot(), done));
    int looks = 6000;
    std::function<void()> look = [&] {
        if (over) return;
        if (--looks < 0 || sign()) return signal.emit(boost::asio::cancellation_type::terminal);
        timer.expires_after(std::chrono::milliseconds(10));
        timer.async_wait([&](const boost::system::error_code&) { look(); });
    };
    look();
    loop.run();
    if (failure) std::rethrow_exception(failure);
}

/// True when a command has written a whole line to the file.
inline bool has_line(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string line;
    return std::getline(in, line) && !in.eof();
}

/// True when the process is no more, at the latest in a minute. One that nobody has waited for yet counts
/// as gone.
inline bool gone(long pid) {
    for (int i = 0; i < 6000; ++i) {
        std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
        std::string text;
        if (!std::getline(stat, text) || text.find(") Z ") != std::string::npos) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

/// Keeps what arrives.
class Collector final : public transports::OutputSink {
public:
    void on_output(transports::Stream stream, std::string_view bytes) override {
        captured.append(stream, bytes);
    }
    std::string out() const { return captured.text(transports::Stream::Out); }
    std::string err() const { return captured.text(transports::Stream::Err); }
    transports::CapturedOutput captured;
};

}  // namespace volley::testing
