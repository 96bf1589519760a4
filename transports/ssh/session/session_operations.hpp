#pragma once

// What sessions run for themselves.

#include <libssh2.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "transports/ssh/session/operation.hpp"
#include "transports/ssh/session/session.hpp"

namespace volley::transports::ssh {

/// A libssh2 call that is repeated until it is through.
class Call final : public Operation {
public:
    explicit Call(std::function<int()> call) : call_(std::move(call)) {}
    bool step(Session&) override {
        if (abandoned_) return true;  // only connecting uses calls; its session goes as a whole
        result_ = call_();
        return result_ != LIBSSH2_ERROR_EAGAIN;
    }
    void lost(const std::string&) override { result_ = LIBSSH2_ERROR_SOCKET_DISCONNECT; }
    void abandon() override { abandoned_ = true; }
    int result() const noexcept { return result_; }

private:
    std::function<int()> call_;
    int result_ = LIBSSH2_ERROR_EAGAIN;
    bool abandoned_ = false;
};

/// Frees a channel: sends the close, and takes the server's close when it comes.
class Release final : public Operation {
public:
    Release(LIBSSH2_CHANNEL* channel, int& open) : channel_(channel), open_(open) {}
    bool step(Session&) override {
        if (libssh2_channel_free(channel_) == LIBSSH2_ERROR_EAGAIN) return false;
        --open_;
        return true;
    }
    void lost(const std::string&) override { --open_; }  // freed with the session

private:
    LIBSSH2_CHANNEL* channel_;
    int& open_;
};

/// Opens a channel and closes it: the only call that makes libssh2 read, and so answer, what a server asks of
/// an idle session ("are you there?").
class Answer final : public Operation {
public:
    bool step(Session& session) override {
        if (!session.take_turn(*this)) return false;
        LIBSSH2_CHANNEL* channel = libssh2_channel_open_session(session.raw());
        if (channel == nullptr && libssh2_session_last_errno(session.raw()) == LIBSSH2_ERROR_EAGAIN)
            return false;
        session.give_turn(*this);
        if (channel != nullptr) {
            session.channel_opened();
            session.release(channel);
        }
        return true;
    }
    void lost(const std::string&) override {}
};

/// Sends the disconnect message after everything else is done, and waits until it is sent.
class Disconnect final : public Operation {
public:
    explicit Disconnect(const std::vector<std::shared_ptr<Operation>>& others) : others_(others) {}
    bool step(Session& session) override {
        if (others_.size() > 1) return false;
        if (!sent_) libssh2_session_disconnect(session.raw(), "");
        sent_ = true;
        return session.send_backlog();
    }
    void lost(const std::string&) override {}

private:
    const std::vector<std::shared_ptr<Operation>>& others_;
    bool sent_ = false;
};

}  // namespace volley::transports::ssh
