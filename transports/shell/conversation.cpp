#include "transports/shell/conversation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <cstring>

#include "support/text.hpp"
#include "transports/shell/error_text.hpp"

namespace volley::transports {

namespace {

constexpr std::size_t longest_early_output = 16 * 1024;

}  // namespace

// Outlives the conversation when its timer fires late.
struct Conversation::Deadline {
    explicit Deadline(boost::asio::any_io_executor executor) : timer(std::move(executor)) {}
    boost::asio::steady_timer timer;
    std::function<void()> wake;
    bool passed = false;
};

Conversation::Conversation(boost::asio::any_io_executor executor, Settings settings)
    : settings_(std::move(settings)),
      streams_{make_stream_state(Stream::Out), make_stream_state(Stream::Err)},
      deadline_(std::make_shared<Deadline>(std::move(executor))),
      ready_(!must_wait_for_ready()) {
    if (ready_) return;
    // Not the tokens themselves: a terminal echoes what it gets, and that is not a prompt.
    if (asks_for_prompt_id(settings_.escalation)) pending_ = prompt_.id + "\n";
    deadline_->timer.expires_after(settings_.ready_deadline);
    deadline_->timer.async_wait([deadline = deadline_](const boost::system::error_code& error) {
        if (error) return;
        deadline->passed = true;
        if (deadline->wake) deadline->wake();
    });
}

Conversation::~Conversation() {
    deadline_->wake = nullptr;
    deadline_->timer.cancel();
}

Conversation::StreamState Conversation::make_stream_state(Stream stream) {
    const auto to_bootstrap = [this, stream](std::string_view bytes) {
        stream_state(stream).bootstrap.feed(bytes);
    };
    const auto to_program = [this, stream](std::string_view bytes) {
        if (ready_) {
            stream_state(stream).program.feed(bytes);
        } else {
            add_early_output(bytes);
        }
    };
    const auto on_prompt = [this](std::string_view message) {
        if (message == "prompt") answer_prompt();
    };
    const auto on_bootstrap = [this](std::string_view message) {
        if (message != "ready") return;
        ready_ = true;
        deadline_->timer.cancel();
    };
    return StreamState{
        MessageFilter(prompt_, to_bootstrap, on_prompt), MessageFilter(bootstrap_, to_program, on_bootstrap),
        MessageFilter(
            settings_.marker, [this, stream](std::string_view bytes) { on_bytes(stream, bytes); },
            [this, stream](std::string_view message) { handle_message(stream, message); }),
        false};
}

std::string Conversation::line() const {
    return bootstrap_line(bootstrap_, settings_.escalation, settings_.tty, settings_.sh);
}

std::size_t Conversation::read(std::span<char> buffer) {
    if (deadline_->passed && !ready_) {
        if (settings_.escalation == nullptr)
            throw connect_error("The terminal on the target was not ready in time", "EXEC_ERROR");
        throw escalation_timeout_error(*settings_.escalation, early_output(),
                                       settings_.ready_deadline.count());
    }
    if (pending_at_ == pending_.size() && ready_ && !program_sent_) {
        pending_ = std::move(settings_.program);
        pending_at_ = 0;
        program_sent_ = true;
    }
    if (pending_at_ < pending_.size()) {
        const std::size_t n = std::min(buffer.size(), pending_.size() - pending_at_);
        std::memcpy(buffer.data(), pending_.data() + pending_at_, n);
        pending_at_ += n;
        return n;
    }
    return program_sent_ && settings_.body != nullptr ? settings_.body->read(buffer) : 0;
}

bool Conversation::finished() const noexcept {
    return program_sent_ && pending_at_ == pending_.size() &&
           (settings_.body == nullptr || settings_.body->finished());
}

void Conversation::on_ready(std::function<void()> wake) {
    deadline_->wake = wake;
    if (settings_.body != nullptr) settings_.body->on_ready(std::move(wake));
}

void Conversation::on_output(Stream stream, std::string_view bytes) {
    StreamState& state = stream_state(stream);
    if (!ready_) return state.prompt.feed(bytes);
    if (!state.bootstrapped) end_bootstrap(state);
    state.program.feed(bytes);
}

/// What the first filters hold back was not a message of theirs.
void Conversation::end_bootstrap(StreamState& state) {
    state.bootstrapped = true;
    state.prompt.finish();
    state.bootstrap.finish();
}

void Conversation::on_bytes(Stream stream, std::string_view bytes) {
    // On a terminal both streams arrive as one.
    const bool started = started_[static_cast<int>(stream)];
    if (started) {
        if (settings_.sink != nullptr) settings_.sink->on_output(stream, bytes);
    } else {
        add_early_output(bytes);
    }
}

void Conversation::add_early_output(std::string_view bytes) {
    if (early_output_.size() < longest_early_output) early_output_ += bytes;
}

/// For people and logs: without the password, which a sudo may repeat and a terminal echoes, and without our
/// id.
std::string Conversation::early_output() const {
    std::string text = early_output_;
    const auto replace = [&text](std::string_view what, std::string_view by) {
        for (std::size_t at = text.find(what); !what.empty() && at != std::string::npos;
             at = text.find(what, at + by.size())) {
            text.replace(at, what.size(), by);
        }
    };
    if (settings_.escalation != nullptr && settings_.escalation->password)
        replace(*settings_.escalation->password, "[password]");
    replace(prompt_.id, "");
    return text;
}

void Conversation::handle_message(Stream stream, std::string_view message) {
    const std::size_t space = std::min(message.find(' '), message.size());
    const std::string_view name = message.substr(0, space);
    const std::string_view text = message.substr(std::min(space + 1, message.size()));
    if (name == "start") {
        started_[static_cast<int>(stream)] = true;
        shell_pid_ = text;
    } else if (name == "done") {
        done_ = true;
    } else if (name == "error") {
        const std::size_t after_code = std::min(text.find(' '), text.size());
        const std::string_view words = trim(text.substr(after_code));
        const std::string_view shown = words.empty() ? "the transfer was interrupted" : words;
        done_ = true;  // it cleans up by itself
        error_ = file_error(plain_error_text(scrub_utf8(shown)), text.substr(0, after_code));
    } else if (settings_.on_message) {
        settings_.on_message(name, text);
    }
}

void Conversation::answer_prompt() {
    if (settings_.escalation == nullptr || ready_) return;
    const Escalation& escalation = *settings_.escalation;
    if (password_sent_) throw bad_password_error(escalation);
    if (!escalation.password) throw no_password_error(escalation);
    pending_ = *escalation.password + "\n";
    pending_at_ = 0;
    password_sent_ = true;
}

void Conversation::conclude(const ExitStatus& status) {
    for (StreamState& state : streams_) {
        end_bootstrap(state);
        state.program.finish();
    }
    if (error_) throw *error_;
    if (started_[0] || started_[1]) {
        if (done_ || status.code != 0) return;
        // Only the program's own report means success, an exit status alone does not.
        if (!settings_.transfer_code.empty())
            throw file_error("the transfer was interrupted", settings_.transfer_code);
        throw connect_error("The shell on the target ended unexpectedly", "EXEC_ERROR");
    }
    if (!ready_ && settings_.escalation != nullptr)
        throw not_escalated_error(*settings_.escalation, early_output(), status.code);
    const std::string text = early_output();
    const std::string words = scrub_utf8(trim(text));
    throw connect_error(
        fmt::format("The login shell of the target could not run the command (exit code {}){}{}", status.code,
                    words.empty() ? "" : ": ", words),
        "EXEC_ERROR");
}

}  // namespace volley::transports
