#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace volley::cli {

/// Standard output: the one place that writes to it. Pieces are gathered and written at flush() or when there
/// are many, so that a gigabyte of results passes through without a copy of it being kept. On a terminal a
/// status line may stand below everything else. Any thread may call it.
class Console {
public:
    struct Settings {
        int fd = 1;
        bool terminal = false;
        /// Columns and rows, asked whenever the status is drawn.
        std::function<int()> width = [] { return 80; };
        std::function<int()> height = [] { return 24; };
    };

    explicit Console(Settings settings);
    /// For this process's standard output.
    static Settings standard_output();
    ~Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    bool is_terminal() const noexcept { return settings_.terminal; }
    int width() const { return settings_.width(); }
    std::size_t height() const { return static_cast<std::size_t>(settings_.height()); }

    void write(std::string_view bytes);
    void write_line(std::string_view text);
    void flush();
    /// While held nothing is written out: somebody is being asked something.
    void hold(bool held);

    /// The text below everything else, of one or several lines; what does not fit into the width is cut off.
    /// Empty takes it away. Drawn at most ten times a second unless `now`.
    void set_status(std::string text, bool now = false);
    /// Takes the status line off the screen until the next set_status or flush, e.g. before a message on
    /// stderr.
    void hide_status();

    /// It is not where it was drawn: somebody else has written to the terminal.
    void forget_status();

    /// errno of the first write that failed, 0 while all is well. Output after it is dropped.
    int error() const noexcept;
    /// Called once, when writing failed for the first time.
    void on_error(std::function<void(int error)> callback);

private:
    void append(std::string_view bytes);
    void clear_drawn_status();
    void draw_status();
    std::string erasure() const;
    void write_out();
    void fail(int error);

    Settings settings_;
    mutable std::mutex mutex_;
    std::string buffer_;
    std::string status_;
    std::vector<std::size_t> drawn_columns_;  // of its lines, as they are on the screen
    bool status_drawn_ = false;
    bool held_ = false;
    std::chrono::steady_clock::time_point last_draw_{};
    int error_ = 0;
    std::function<void(int)> on_error_;
};

}  // namespace volley::cli
