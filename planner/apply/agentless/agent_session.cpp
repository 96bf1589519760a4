#include "planner/apply/agentless/agent_session.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "apply/report/apply_report.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t most_report = std::size_t{512} << 20U;
constexpr std::size_t most_complaint = std::size_t{64} << 10U;
constexpr JsonLimits small_answer{.depth = 8, .values = 1000, .bytes = agent::most_payload};
constexpr std::size_t most_messages = 100;
constexpr std::uintmax_t most_content = std::uintmax_t{512} << 20U;

Error protocol_error(const std::string& what) {
    return Error("bolt/apply-error", "The agent on the target " + what);
}

/// The frames of a question: the question itself, a part of the answer, and its end.
struct QuestionFrames {
    agent::FrameType order, part, end;
};

constexpr QuestionFrames frames_about(AgentQuestion::About about) {
    using agent::FrameType;
    if (about == AgentQuestion::About::Facts)
        return {FrameType::FactsOrder, FrameType::Facts, FrameType::FactsEnd};
    return {FrameType::ResourcesOrder, FrameType::Resources, FrameType::ResourcesEnd};
}

}  // namespace

AgentSession::AgentSession(std::shared_ptr<const CompiledCatalog> catalog, std::string settings,
                           std::string version, transports::OutputSink* live)
    : catalog_(std::move(catalog)),
      settings_(std::move(settings)),
      version_(std::move(version)),
      live_(live) {}

AgentSession::AgentSession(AgentQuestion question, std::string version)
    : about_(question.about),
      code_(std::move(question.files)),
      settings_(std::move(question.text)),
      version_(std::move(version)) {}

const std::vector<DeliveredFile>& AgentSession::offered() const {
    static const std::vector<DeliveredFile> none;
    if (catalog_) return catalog_->files;
    return code_ ? *code_ : none;
}

void AgentSession::send(std::string bytes) {
    if (pending_at_ == pending_.size()) {
        pending_ = std::move(bytes);
        pending_at_ = 0;
    } else {
        pending_ += bytes;
    }
}

std::size_t AgentSession::read(std::span<char> buffer) {
    const std::size_t length = std::min(buffer.size(), pending_.size() - pending_at_);
    if (length == 0) return 0;
    std::memcpy(buffer.data(), pending_.data() + pending_at_, length);
    pending_at_ += length;
    return length;
}

void AgentSession::on_output(transports::Stream stream, std::string_view bytes) {
    if (stream == transports::Stream::Err) {
        complaint_ += bytes.substr(0, most_complaint - std::min(most_complaint, complaint_.size()));
        return;
    }
    if (!reader_.started())
        before_ += bytes.substr(0, most_complaint - std::min(most_complaint, before_.size()));
    // Whoever says that there is no agent hears nothing more.
    if (!hello_seen_ &&
        (before_.find(missing_mark) != std::string::npos || before_.find(changed_mark) != std::string::npos))
        finished_ = true;
    try {
        reader_.feed(bytes);
        while (const auto frame = reader_.next()) take(*frame);
    } catch (const agent::ProtocolError& error) {
        throw protocol_error(std::string("sent an invalid message: ") + error.what());
    } catch (const JsonError& error) {
        throw protocol_error(std::string("sent invalid JSON: ") + error.what());
    }
}

void AgentSession::take_hello(const std::string& payload) {
    const Json hello = parse_json(payload, small_answer);
    const auto number = hello.is_object() ? hello.find("protocol") : hello.end();
    const auto version = hello.is_object() ? hello.find("version") : hello.end();
    const bool fits = hello.is_object() && number != hello.end() && number->is_number_integer() &&
                      number->get<std::int64_t>() == agent::protocol_version && version != hello.end() &&
                      version->is_string() && version->get<std::string>() == version_;
    if (!fits) throw protocol_error("is not of the version of this Volley");
    hello_seen_ = true;
    if (const auto program = hello.find("program"); program != hello.end() && program->is_object()) {
        const auto text = [&program](const char* key) {
            const auto found = program->find(key);
            return found != program->end() && found->is_string() ? found->get<std::string>() : std::string();
        };
        if (StartedProgram started{text("file"), text("stamp")}; is_our_program(started))
            program_ = std::move(started);
    }
    if (!ordered_) send_order();
}

void AgentSession::order_in_advance() {
    if (!ordered_) send_order();
}

void AgentSession::send_order() {
    using agent::FrameType;
    ordered_ = true;
    if (!catalog_)
        return send(agent::encode_parts(FrameType::Settings, frames_about(about_).order, settings_));
    std::string all;
    for (std::size_t at = 0; at < settings_.size(); at += agent::most_payload)
        all += agent::encode_frame(FrameType::Settings,
                                   std::string_view(settings_).substr(at, agent::most_payload));
    all += agent::encode_parts(FrameType::Catalog, FrameType::CatalogEnd, compact_json(*catalog_->document));
    send(std::move(all));
}

bool AgentSession::stop() {
    if (is_question() || !hello_seen_) return false;
    if (stopped_ || finished_) return true;
    stopped_ = true;
    send(agent::encode_frame(agent::FrameType::Stop, ""));
    if (wake_) wake_();
    return true;
}

void AgentSession::show(const std::string& payload) {
    if (live_ == nullptr) return;  // the report has them all
    if (const auto line = shown_log(parse_json(payload, small_answer)))
        live_->on_output(transports::Stream::Out, report_log_text(*line) + "\n");
}

void AgentSession::count(const std::string& payload) {
    const Json resource = parse_json(payload, small_answer);
    if (!resource.is_object() || !resource.value("changed", Json()).is_boolean()) return;
    if (!resource["changed"].get<bool>()) return;
    ++changed_;
    if (const Json name = resource.value("resource", Json()); name.is_string())
        last_changed_ = name.get<std::string>().substr(0, 200);
}

std::string AgentSession::progress() const {
    if (changed_ == 0) return {};
    const std::string count = changed_ == 1 ? "a resource" : std::to_string(changed_) + " resources";
    return "after it changed " + count + (last_changed_.empty() ? "" : ", the last of them " + last_changed_);
}

void AgentSession::offer(const std::string& sum) {
    using agent::FrameType;
    const auto found = std::find_if(offered().begin(), offered().end(), [&](const DeliveredFile& file) {
        return !file.folder && file.sum == sum;
    });
    if (found == offered().end())
        return send(agent::encode_frame(FrameType::ContentMissing, "it is not a file of this run"));
    if (found->later) return offer_later(found->path);
    send_content(*found);
}

void AgentSession::send_content(const DeliveredFile& file) {
    using agent::FrameType;
    if (file.size > most_content)
        return send(agent::encode_frame(
            FrameType::ContentMissing,
            "it is larger than 512 MiB: let the target fetch it from a web server instead"));
    try {
        send(agent::encode_parts(FrameType::Content, FrameType::ContentEnd,
                                 read_file(file.local, "file of a module")));
    } catch (const Error& error) {
        send(agent::encode_frame(FrameType::ContentMissing, std::string(error.what()).substr(0, 1000)));
    }
}

/// The answer comes when the content is here; the agent waits for it.
void AgentSession::offer_later(const std::string& path) {
    auto done = [weak = std::weak_ptr<AgentSession*>(self_)](std::optional<DeliveredFile> file,
                                                             const std::string& why) {
        const auto self = weak.lock();
        if (!self) return;
        AgentSession& session = **self;
        if (file)
            session.send_content(*file);
        else
            session.send(agent::encode_frame(agent::FrameType::ContentMissing, why.substr(0, 1000)));
        if (session.wake_) session.wake_();
    };
    if (!fetch_later_) return done(std::nullopt, "it is not a file of this run");
    fetch_later_(path, std::move(done));
}

void AgentSession::take_part(const agent::Frame& frame) {
    if (arriving_.size() + frame.payload.size() > most_report)
        throw protocol_error(catalog_ ? "sent a report larger than 512 MiB"
                                      : "sent an answer larger than 512 MiB");
    arriving_ += frame.payload;
}

void AgentSession::take_answer() {
    if (!make_order_) {
        report_ = std::move(arriving_);
        finished_ = true;
        return;
    }
    waiting_ = true;
    const MakeOrder make_order = std::exchange(make_order_, {});
    make_order(std::exchange(arriving_, {}), [weak = std::weak_ptr(self_)](AgentOrder order) {
        const auto self = weak.lock();
        if (!self || (*self)->finished_) return false;
        AgentSession& session = **self;
        session.begin_to_apply(std::move(order));
        if (session.wake_) session.wake_();
        return true;
    });
}

void AgentSession::begin_to_apply(AgentOrder order) {
    waiting_ = false;
    if (!order.catalog) {
        finished_ = dismissed_ = true;
        return;
    }
    catalog_ = std::move(order.catalog);
    settings_ = std::move(order.settings);
    send_order();
}

void AgentSession::take_message(const std::string& payload) {
    if (messages_.size() >= most_messages) return;
    const Json line = parse_json(payload, small_answer);
    const auto message = line.is_object() ? line.find("message") : line.end();
    if (message == line.end() || !message->is_string()) return;
    const bool note = line.value("level", Json()) == "info";
    messages_.push_back({note ? LogLevel::Info : LogLevel::Warn, message->get<std::string>()});
}

void AgentSession::take(const agent::Frame& frame) {
    using agent::FrameType;
    if (!hello_seen_) {
        if (frame.type != FrameType::Hello) throw protocol_error("did not begin with its version");
        return take_hello(frame.payload);
    }
    if (waiting_ && frame.type != FrameType::Failure)
        throw protocol_error("sent a message that nobody asked for");
    switch (frame.type) {
        case FrameType::Log:
            if (!catalog_) return take_message(frame.payload);
            return show(frame.payload);
        case FrameType::Resource:
            return count(frame.payload);
        case FrameType::Want:
            return offer(frame.payload);
        case FrameType::Report:
        case FrameType::Facts:
        case FrameType::Resources:
            if (frame.type != (catalog_ ? FrameType::Report : frames_about(about_).part)) break;
            return take_part(frame);
        case FrameType::ReportEnd:
        case FrameType::FactsEnd:
        case FrameType::ResourcesEnd:
            if (frame.type != (catalog_ ? FrameType::ReportEnd : frames_about(about_).end)) break;
            return take_answer();
        case FrameType::Failure:
            complaint_ = frame.payload.substr(0, most_complaint);
            finished_ = refused_ = true;
            return;
        default:
            throw protocol_error("sent a message that only the controller sends");
    }
    throw protocol_error("sent an unexpected message");
}

}  // namespace volley::planner
