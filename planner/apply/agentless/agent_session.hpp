#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apply/agent/protocol/frames.hpp"
#include "apply/content/module_files.hpp"
#include "planner/apply/agentless/agent_program.hpp"
#include "planner/apply/applier.hpp"
#include "support/log.hpp"
#include "transports/connection.hpp"

namespace volley::planner {

/// What the agent is asked, what about, and the code of modules that goes with it.
struct AgentQuestion {
    enum class About : std::uint8_t { Facts, Resources };
    AgentQuestion() = default;
    AgentQuestion(About subject, std::string json,
                  std::shared_ptr<const std::vector<DeliveredFile>> code = nullptr)
        : about(subject), text(std::move(json)), files(std::move(code)) {}
    About about = About::Facts;
    /// JSON. Facts: {"legacy": true, "stdlib": true, "names": [...], "files": [...]}. Resources: {"wanted":
    /// [{"type": "user", "title": "root", "attributes": {...}}]}; without a title all of the type.
    std::string text;
    std::shared_ptr<const std::vector<DeliveredFile>> files;  ///< may be null
};

/// A catalog, and how it is applied.
struct AgentOrder {
    std::shared_ptr<const CompiledCatalog> catalog;  ///< null: nothing is applied
    std::string settings;                            ///< JSON
};

/// What the agent says while it looks for the answer.
struct AgentMessage {
    LogLevel level = LogLevel::Warn;
    std::string text;
};

/// Volley's side of the agent's protocol, as both ends of a running command: sends settings and catalog after
/// the agent's hello, or before it to save a round trip, then the content of files that the agent asks for,
/// and collects the report; or asks a question and collects the answer; or asks for facts and sends the
/// catalog that is made of them. What a target sends is hostile until it is proven to be well formed:
/// everything has a limit. Loop thread only.
class AgentSession final : public transports::Input, public transports::OutputSink {
public:
    /// `settings` is sent as it is; `version` is the one that the agent must have. `live`: where the lines of
    /// its log are shown as they come; may be null, must outlive the session.
    AgentSession(std::shared_ptr<const CompiledCatalog> catalog, std::string settings, std::string version,
                 transports::OutputSink* live = nullptr);
    AgentSession(AgentQuestion question, std::string version);

    /// Fetches the content of a file that is there only `later`, and calls `done` on the loop thread with the
    /// file, or with what is wrong. It may be called when the session is gone.
    using FetchDone = std::function<void(std::optional<DeliveredFile>, std::string why)>;
    using FetchLater = std::function<void(const std::string& path, FetchDone done)>;
    void fetch_later_with(FetchLater fetch) { fetch_later_ = std::move(fetch); }

    /// Of a session that asks for facts and says that a catalog follows: `make_order` gets the facts, as
    /// text, and what it calls on the loop thread when it has made a catalog of them. That returns false when
    /// the session is over by then.
    using Ordered = std::function<bool(AgentOrder)>;
    using MakeOrder = std::function<void(std::string facts, Ordered ordered)>;
    void then_apply(MakeOrder make_order, transports::OutputSink* live) {
        make_order_ = std::move(make_order);
        live_ = live;
    }
    /// The facts came, and there was nothing to apply.
    bool dismissed() const noexcept { return dismissed_; }

    /// Sends the question or the catalog without waiting for the hello; before the session is run. For an
    /// agent that is most likely there: where it is not, all of it was sent for nothing.
    void order_in_advance();

    std::size_t read(std::span<char> buffer) override;
    bool finished() const noexcept override { return finished_ && pending_at_ == pending_.size(); }
    void on_ready(std::function<void()> wake) override { wake_ = std::move(wake); }
    void on_output(transports::Stream stream, std::string_view bytes) override;

    /// Puppet's report, or the answer to the question, as text; nullopt when none came.
    const std::optional<std::string>& report() const noexcept { return report_; }
    /// The report that is there. Once only.
    std::string take_report() { return std::move(*report_); }
    /// What the agent could not read while it looked for the answer, and what it does not have; at most 100
    /// lines.
    const std::vector<AgentMessage>& messages() const noexcept { return messages_; }
    /// What came before the agent's first line, or when it never came: "VOLLEY-AGENT-MISSING Linux x86_64".
    const std::string& before() const noexcept { return before_; }
    /// What came on standard error, or what the agent says is wrong; empty when nothing did.
    const std::string& complaint() const noexcept { return complaint_; }
    bool started() const noexcept { return hello_seen_; }
    /// The agent's program, by which it is known again; nullopt where it was changed just now, or may be
    /// another one.
    const std::optional<StartedProgram>& program() const noexcept { return program_; }
    /// The agent said itself what is wrong: complaint().
    bool refused() const noexcept { return refused_; }
    bool is_question() const noexcept { return !catalog_; }
    /// Asks an agent that applies a catalog to end at the next resource and to report. False when there is
    /// none: it was not heard of yet, or is asked a question.
    bool stop();
    bool stopped() const noexcept { return stopped_; }
    /// What is known of a run that ended without a report: "after it changed 3 resources, the last of them
    /// File[/etc/motd]"; empty when it changed nothing.
    std::string progress() const;

private:
    void take(const agent::Frame& frame);
    void take_hello(const std::string& payload);
    void show(const std::string& payload);
    void count(const std::string& payload);
    void take_part(const agent::Frame& frame);
    void take_message(const std::string& payload);
    void take_answer();
    void begin_to_apply(AgentOrder order);
    void offer(const std::string& sum);
    void offer_later(const std::string& path);
    void send_content(const DeliveredFile& file);
    void send_order();
    const std::vector<DeliveredFile>& offered() const;
    void send(std::string bytes);

    std::shared_ptr<const CompiledCatalog> catalog_;  // null: a question
    AgentQuestion::About about_ = AgentQuestion::About::Facts;
    std::shared_ptr<const std::vector<DeliveredFile>> code_;
    std::string settings_, version_;
    transports::OutputSink* live_ = nullptr;
    agent::FrameReader reader_{true};
    std::string pending_;
    std::size_t pending_at_ = 0;
    std::string before_, complaint_, arriving_, last_changed_;
    std::size_t changed_ = 0;
    std::optional<std::string> report_;
    std::optional<StartedProgram> program_;
    std::vector<AgentMessage> messages_;
    FetchLater fetch_later_;
    MakeOrder make_order_;
    std::function<void()> wake_;
    std::shared_ptr<AgentSession*> self_ = std::make_shared<AgentSession*>(this);  // for what comes later
    bool hello_seen_ = false, finished_ = false, refused_ = false, stopped_ = false, ordered_ = false;
    bool waiting_ = false, dismissed_ = false;  // for its order; without one
};

}  // namespace volley::planner
