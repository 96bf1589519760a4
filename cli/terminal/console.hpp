#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace volley::cli {

/// Standard output: the one place that writes to it. Pieces are gathered and written at flush() or when there
/// are many, so that a gigabyte of results passes through without a copy of it being kept. On a terminal a
/// status line may stand below everything else. Any thread may call it.
class Console {
public:
    struct Settings {
        int fd = 1;
        bool terminal = false;
        std::function<int()> width = [] { return 80; };  ///< columns, asked whenever the status line is drawn
    };

    explicit Console(Settings settings);
    /// For this process's standard output.
    static Settings standard_output();
    ~Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    bool is_terminal() const noexcept { return settings_.terminal; }
    int width() const { return settings_.width(); }

    void write(std::string_view bytes);
    void write_line(std::string_view text);
    void flush();
    /// While held nothing is written out: somebody is being asked something.
    void hold(bool held);

    /// The text below everything else; empty takes it away. Drawn at most ten times a second unless `now`.
    void set_status(std::string text, bool now = false);
    /// Takes the status line off the screen until the next set_status or flush, e.g. before a message on
    /// stderr.
    void hide_status();

    /// errno of the first write that failed, 0 while all is well. Output after it is dropped.
    int error() const noexcept;
    /// Called once, when writing failed for the first time.
    void on_error(std::function<void(int error)> callback);

private:
    void append(std::string_view bytes);
    void clear_drawn_status();
    void draw_status();
    void write_out();
    void fail(int error);

    Settings settings_;
    mutable std::mutex mutex_;
    std::string buffer_;
    std::string status_;
    bool status_drawn_ = false;
    bool held_ = false;
    std::chrono::steady_clock::time_point last_draw_{};
    int error_ = 0;
    std::function<void(int)> on_error_;
};

}  // namespace volley::cli
