#include "transports/winrm/remote_shell.hpp"

#include <fmt/format.h>

#include <array>

#include "transports/winrm/more_input.hpp"

namespace volley::transports::winrm {
namespace {

using std::chrono::seconds;

// The server answers within its own time; the network may take this much longer.
constexpr seconds network_time{30};
// Base64 twice, in CLIXML and in SOAP, makes 110 KB of this.
constexpr std::size_t input_block = 80'000;

}  // namespace

Task<std::string> RemoteShell::ask(ChannelLease& channel, const Envelope& request, Resend when) {
    const std::size_t losses = channel.losses();
    auto exchanging = channel.exchange(request.text, request.held + network_time, when);
    std::string answer = co_await std::move(exchanging);
    if (channel.losses() != losses) pool_.answer_was_lost();
    co_return answer;
}

Task<std::string> RemoteShell::open(ChannelLease& channel) {
    const Envelope create = envelopes_.create(pool_.id().text(), pool_.open());
    auto creating = ask(channel, create);
    std::string answer = co_await std::move(creating);
    id_ = read_create_answer(std::move(answer), create);
    auto waiting = wait_until_opened(channel);
    co_await std::move(waiting);
    co_return pool_.version();
}

Task<void> RemoteShell::wait_until_opened(ChannelLease& channel) {
    while (pool_.state() == PoolState::Opening) {
        bool done = false;
        auto receiving = receive(channel, {}, done, Resend::Refused);
        static_cast<void>(co_await std::move(receiving));
    }
    if (pool_.state() != PoolState::Opened)
        throw ProtocolError(pool_.reason().empty()
                                ? "PowerShell did not start there"
                                : fmt::format("PowerShell did not start there: {}", pool_.reason()));
}

Task<bool> RemoteShell::receive(ChannelLease& channel, std::string_view command, bool& done, Resend when) {
    const Envelope request = envelopes_.receive(id_, command);
    std::string answer;
    try {
        auto receiving = ask(channel, request, when);
        answer = co_await std::move(receiving);
    } catch (const WsmanFault& fault) {
        if (!fault.is_timeout()) throw;
        co_return false;
    }
    const ReceiveAnswer received = read_receive_answer(std::move(answer), request);
    for (const ReceivedStream& stream : received.streams)
        if (stream.name == "stdout") pool_.receive(stream.bytes);
    done = received.done;
    co_return !received.streams.empty();
}

Task<std::string> RemoteShell::start(ChannelLease& channel, Pipeline& pipeline) {
    std::vector<std::string> fragments = pipeline.start(EnvelopeWriter::fragment_space);
    const Envelope request = envelopes_.command(id_, pipeline.id().text(), fragments.front());
    try {
        auto starting = ask(channel, request);
        std::string answer = co_await std::move(starting);
        command_ = read_command_answer(std::move(answer), request);
    } catch (const WsmanFault& fault) {
        throw NotYetStarted(fault.reason(), fault.is_gone());
    } catch (const HttpRefusal& refusal) {
        throw NotYetStarted(refusal.reason(), false);
    } catch (const HttpError& error) {
        if (error.before_sending()) throw NotYetStarted(error.reason(), false);
        throw;
    }
    for (std::size_t next = 1; next < fragments.size(); ++next) {
        std::vector<std::string> one;
        one.push_back(std::move(fragments[next]));
        auto sending = send(channel, "stdin", std::move(one));
        co_await std::move(sending);
    }
    co_return command_;
}

Task<void> RemoteShell::send(ChannelLease& channel, std::string_view stream,
                             std::vector<std::string> fragments) {
    const Envelope request = envelopes_.send(id_, command_, stream, fragments);
    auto sending = ask(channel, request);
    std::string answer = co_await std::move(sending);
    check_answer(std::move(answer), request);
}

Task<void> RemoteShell::send_input(ChannelLease& channel, Pipeline& pipeline, Input& input) {
    const auto buffer = std::make_unique<std::array<char, input_block>>();
    while (!input.finished()) {
        std::size_t filled = 0;
        while (filled < buffer->size()) {
            const std::size_t size = input.read(std::span<char>(*buffer).subspan(filled));
            if (size == 0) break;
            filled += size;
        }
        if (filled == 0) {
            if (input.finished()) break;
            auto waiting = more_input(input);
            co_await std::move(waiting);
            continue;
        }
        for (std::string& fragment :
             pipeline.input(std::string_view(buffer->data(), filled), EnvelopeWriter::fragment_space)) {
            std::vector<std::string> one;
            one.push_back(std::move(fragment));
            auto sending = send(channel, "stdin", std::move(one));
            co_await std::move(sending);
        }
    }
    std::vector<std::string> end;
    end.push_back(pipeline.end_of_input());
    auto sending = send(channel, "stdin", std::move(end));
    co_await std::move(sending);
}

Task<ExitStatus> RemoteShell::run(ChannelLease& channel, const PipelineSpec& spec, Input& input,
                                  OutputSink& sink) {
    Pipeline pipeline(pool_, spec, sink);
    auto starting = start(channel, pipeline);
    const std::string command = co_await std::move(starting);
    if (spec.takes_input) {
        auto sending = send_input(channel, pipeline, input);
        co_await std::move(sending);
    }
    bool done = false;
    while (!pipeline.ended()) {
        if (done) throw ProtocolError("the command has ended without a state");
        auto receiving = receive(channel, command, done, Resend::Lost);
        static_cast<void>(co_await std::move(receiving));
        std::vector<std::string> answers = pipeline.take_answers();
        if (answers.empty() || pipeline.ended()) continue;
        auto answering = send(channel, "pr", std::move(answers));
        co_await std::move(answering);
    }
    const int without_exit = pipeline.state() == PipelineState::Completed ? 0 : 1;
    ExitStatus status;
    status.code = pipeline.exit_code().value_or(without_exit);
    co_return status;
}

Task<void> RemoteShell::forget_last(ChannelLease& channel) {
    const Envelope request = envelopes_.signal(id_, command_, EnvelopeWriter::Signal::Terminate);
    try {
        auto signalling = ask(channel, request);
        static_cast<void>(co_await std::move(signalling));
    } catch (const WsmanFault&) {  // it was forgotten already
    }
}

Task<void> RemoteShell::remove(ChannelLease& channel) {
    if (id_.empty()) co_return;
    const Envelope request = envelopes_.remove(id_);
    try {
        auto removing = ask(channel, request);
        static_cast<void>(co_await std::move(removing));
    } catch (const WsmanFault&) {  // it was gone already
    }
}

Task<void> RemoteShell::stop_and_remove(ChannelLease& channel) {
    if (!command_.empty()) {
        const Envelope request = envelopes_.signal(id_, command_, EnvelopeWriter::Signal::Stop);
        try {
            auto signalling = ask(channel, request);
            static_cast<void>(co_await std::move(signalling));
        } catch (const WsmanFault&) {  // it has ended meanwhile
        }
    }
    auto removing = remove(channel);
    co_await std::move(removing);
}

}  // namespace volley::transports::winrm
