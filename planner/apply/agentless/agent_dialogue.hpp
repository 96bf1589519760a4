#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apply/agent/protocol/frames.hpp"
#include "apply/content/module_files.hpp"
#include "planner/apply/applier.hpp"
#include "transports/connection.hpp"

namespace volley::planner {

/// Which facts the agent is asked for, as JSON: {"legacy": true, "names": [...]}.
struct FactsOrder {
    std::string text;
};

/// Volley's side of the agent's protocol, as both ends of a running command: sends settings and catalog after
/// the agent's hello, then the content of files that the agent asks for, and collects the report; or asks for
/// facts and collects these. What a
/// target sends is hostile until it is proven to be well formed: everything has a limit. Loop thread only.
class AgentDialogue final : public transports::Input, public transports::OutputSink {
public:
    /// `settings` is sent as it is; `version` is the one that the agent must have. `live`: where the lines of
    /// its log are shown as they come; may be null, must outlive the dialogue.
    AgentDialogue(std::shared_ptr<const CompiledCatalog> catalog, std::string settings, std::string version,
                  transports::OutputSink* live = nullptr);
    AgentDialogue(FactsOrder order, std::string version);

    std::size_t read(std::span<char> buffer) override;
    bool finished() const noexcept override { return finished_ && pending_at_ == pending_.size(); }
    void on_output(transports::Stream stream, std::string_view bytes) override;

    /// Puppet's report, or the facts, as text; nullopt when none came.
    const std::optional<std::string>& report() const noexcept { return report_; }
    /// What the agent could not read while it looked for facts; at most 100 lines.
    const std::vector<std::string>& warnings() const noexcept { return warnings_; }
    /// What came before the agent's first line, or when it never came: "VOLLEY-AGENT-MISSING Linux x86_64".
    const std::string& before() const noexcept { return before_; }
    /// What came on standard error, or what the agent says is wrong; empty when nothing did.
    const std::string& complaint() const noexcept { return complaint_; }
    bool started() const noexcept { return hello_seen_; }
    /// What is known of a run that ended without a report: "after it changed 3 resources, the last of them
    /// File[/etc/motd]"; empty when it changed nothing.
    std::string progress() const;

private:
    void take(const agent::Frame& frame);
    void take_hello(const std::string& payload);
    void show(const std::string& payload);
    void count(const std::string& payload);
    void take_part(const agent::Frame& frame);
    void take_warning(const std::string& payload);
    void offer(const std::string& sum);
    void send(std::string bytes);

    std::shared_ptr<const CompiledCatalog> catalog_;  // null: facts are asked for
    std::string settings_, version_;
    transports::OutputSink* live_ = nullptr;
    agent::FrameReader reader_{true};
    std::string pending_;
    std::size_t pending_at_ = 0;
    std::string before_, complaint_, arriving_, last_changed_;
    std::size_t changed_ = 0;
    std::optional<std::string> report_;
    std::vector<std::string> warnings_;
    bool hello_seen_ = false, finished_ = false;
};

}  // namespace volley::planner
