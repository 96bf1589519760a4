#pragma once

#include <string>

namespace volley {

/// The terminal of this process, while keys come from it one by one and unseen; there is one at a time. It
/// takes whole lines again, with echo, when this ends, while a LineTyping lives, when the process is stopped
/// (Ctrl-Z) and when a signal ends it. In the background it is left alone.
class TerminalKeys {
public:
    TerminalKeys();
    ~TerminalKeys();
    TerminalKeys(const TerminalKeys&) = delete;
    TerminalKeys& operator=(const TerminalKeys&) = delete;

    /// What was typed since the last call, without waiting. Empty while the terminal is somebody else's; it
    /// is taken again as soon as it is not.
    std::string read();
    /// Whether keys come: there is a terminal, and it is ours now.
    bool available() const noexcept;
    /// The process was stopped, and goes on: a shell has changed the terminal since.
    void was_stopped() noexcept;
};

/// While one lives somebody is asked for a line, and TerminalKeys stand back. Any thread.
class LineTyping {
public:
    LineTyping();
    ~LineTyping();
    LineTyping(const LineTyping&) = delete;
    LineTyping& operator=(const LineTyping&) = delete;
};

/// For signal handlers that end the process: the terminal is as it was before TerminalKeys.
void restore_terminal() noexcept;

}  // namespace volley
