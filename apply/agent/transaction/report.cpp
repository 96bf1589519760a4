#include <map>
#include <nlohmann/json.hpp>

#include "apply/agent/transaction/transaction.hpp"
#include "apply/facts/client_version.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text_writer.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr int report_format = 12;

std::string type_word(const Resource& resource) {
    std::string word = lower(resource.type);
    if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 32);
    return word;
}

/// A report of thousands of resources is written as it goes along, not made as data before. What is in it may
/// come from a target's files and commands: bytes that are not UTF-8 are shown as such.
class ReportText {
public:
    ReportText(const Run& run, const std::function<void(std::string_view)>& take) : run_(run), take_(take) {}

    void begin(const Json& head) {
        out_.begin_object();
        for (const auto& [name, value] : head.get_ref<const Json::object_t&>()) {
            out_.key(name);
            out_.json(value);
        }
    }
    void begin_logs() {
        out_.key("logs");
        out_.begin_list();
    }
    void line(const LogLine& line) {
        out_.item();
        out_.begin_object();
        text("level", level_name(line.level));
        text("message", line.message);
        text("source", line.source);
        texts("tags", line.tags);
        text("time", time_text(line.time));
        text_or_null("file", line.file);
        line_or_null(line.line);
        out_.end_object();
        hand_over(most_waiting);
    }
    void begin_statuses() {
        out_.end_list();
        out_.key("resource_statuses");
        out_.begin_object();
    }
    void status(const Resource& resource, const Status& status) {
        const std::string reference = plain(resource.reference());
        const std::string_view provider = resource.instance ? resource.instance->provider() : status.provider;
        out_.key(reference);
        out_.begin_object();
        text("title", resource.title);
        text_or_null("file", resource.file);
        line_or_null(resource.line);
        text("resource", reference);
        text("resource_type", type_word(resource));
        text_or_null("provider_used", provider);
        texts("containment_path", resource.containment());
        out_.key("evaluation_time");
        status.evaluated ? out_.number(status.seconds) : out_.null();
        texts("tags", resource.tags);
        text("time", time_text(status.time));
        boolean("failed", status.failed);
        boolean("failed_to_restart", status.failed_to_restart);
        boolean("changed", status.changed);
        boolean("out_of_sync", status.out_of_sync);
        boolean("skipped", status.skipped);
        out_.key("change_count");
        out_.number(status.change_count);
        out_.key("out_of_sync_count");
        out_.number(status.out_of_sync_count);
        out_.key("events");
        out_.begin_list();
        for (const Event& one : status.events) event(one);
        out_.end_list();
        boolean("corrective_change", status.corrective);
        out_.end_object();
        hand_over(most_waiting);
    }
    void end() {
        out_.end_object();
        out_.end_object();
        hand_over(0);
    }

private:
    static constexpr std::size_t most_waiting = 32768;

    static std::string plain(std::string text) { return is_utf8(text) ? text : scrub_utf8(text); }
    void value(std::string_view text) { is_utf8(text) ? out_.text(text) : out_.text(scrub_utf8(text)); }
    void text(std::string_view name, std::string_view text) {
        out_.key(name);
        value(text);
    }
    void text_or_null(std::string_view name, std::string_view text) {
        out_.key(name);
        text.empty() ? out_.null() : value(text);
    }
    template <class Texts>
    void texts(std::string_view name, const Texts& texts) {
        out_.key(name);
        out_.begin_list();
        for (const std::string_view text : texts) {
            out_.item();
            value(text);
        }
        out_.end_list();
    }
    void line_or_null(std::int64_t line) {
        out_.key("line");
        line > 0 ? out_.number(line) : out_.null();
    }
    void boolean(std::string_view name, bool value) {
        out_.key(name);
        out_.boolean(value);
    }
    /// A value that no property hides, such as the path in which a command runs.
    void shown(std::string_view name, const Value& shown) {
        if (shown.is(Value::Kind::String)) return text(name, run_.secrets.redacted(shown.text()));
        out_.key(name);
        out_.json(value_to_json(shown));
    }
    void event(const Event& event) {
        out_.item();
        out_.begin_object();
        boolean("audited", event.audited);
        text_or_null("property", event.property);
        shown("previous_value", event.previous);
        shown("desired_value", event.desired);
        shown("historical_value", event.historical);
        text("message", event.line ? run_.message(*event.line) : run_.secrets.redacted(event.message));
        text("name", event.name);
        text("status", event.status);
        text("time", time_text(event.time));
        out_.key("redacted");
        event.redacted ? out_.boolean(*event.redacted) : out_.null();
        boolean("corrective_change", event.corrective);
        out_.end_object();
    }
    /// What is written, when it is more than `most`.
    void hand_over(std::size_t most) {
        if (out_.written().size() <= most) return;
        take_(out_.written());
        out_.clear();
    }

    const Run& run_;
    const std::function<void(std::string_view)>& take_;
    JsonTextWriter out_;
};

/// "failed_to_restart" is labelled "Failed to restart".
std::string label_of(const std::string& name) {
    std::string label = name;
    for (char& c : label) {
        if (c == '_') c = ' ';
    }
    if (!label.empty() && label[0] >= 'a' && label[0] <= 'z') label[0] = static_cast<char>(label[0] - 32);
    return label;
}

template <class Number>
Json metric_json(const std::string& name, const std::vector<std::pair<std::string, Number>>& numbers) {
    Json values = Json::array();
    for (const auto& [key, number] : numbers) values.push_back(Json::array({key, label_of(key), number}));
    return Json{{"name", name}, {"label", label_of(name)}, {"values", std::move(values)}};
}

}  // namespace

std::string Transaction::overall_status() const {
    if (!completed_ || generating_failed_) return "failed";
    bool changed = false;
    for (const auto& [resource, status] : statuses_) {
        if (!is_reported(*resource)) continue;
        if (status->counts_as_failed()) return "failed";
        changed = changed || status->change_count > 0;
    }
    return changed ? "changed" : "unchanged";
}

Json Transaction::metrics_json() const {
    std::map<std::string, int> states, events;
    std::map<std::string, double> times;
    int total = 0, changes = 0, all_events = 0;
    for (const Resource* resource : order_) {
        if (!is_reported(*resource)) continue;
        const Status& status = *statuses_.at(resource);
        ++total;
        states["skipped"] += status.skipped ? 1 : 0;
        states["failed"] += status.failed ? 1 : 0;
        states["failed_to_restart"] += status.failed_to_restart ? 1 : 0;
        states["restarted"] += status.restarted ? 1 : 0;
        states["changed"] += status.changed ? 1 : 0;
        states["out_of_sync"] += status.out_of_sync ? 1 : 0;
        states["scheduled"] += status.scheduled ? 1 : 0;
        states["corrective_change"] += status.corrective ? 1 : 0;
        changes += status.change_count;
        for (const Event& event : status.events) ++events[event.status];
        all_events += static_cast<int>(status.events.size());
        if (status.evaluated) times[lower(resource->type)] += status.seconds;
    }
    std::vector<std::pair<std::string, int>> resources{{"total", total}};
    for (const char* name : {"skipped", "failed", "failed_to_restart", "restarted", "changed", "out_of_sync",
                             "scheduled", "corrective_change"})
        resources.emplace_back(name, states[name]);
    std::vector<std::pair<std::string, int>> counts{
        {"total", all_events}, {"failure", events["failure"]}, {"success", events["success"]}};
    for (const char* name : {"noop", "audit"}) {
        if (events[name] > 0) counts.emplace_back(name, events[name]);
    }
    std::vector<std::pair<std::string, double>> seconds(times.begin(), times.end());
    seconds.emplace_back("config_retrieval", 0.0);
    seconds.emplace_back("transaction_evaluation", seconds_);
    seconds.emplace_back("catalog_application", seconds_);
    seconds.emplace_back("total", seconds_);
    Json metrics = Json::object();
    metrics["resources"] = metric_json("resources", resources);
    metrics["time"] = metric_json("time", seconds);
    metrics["changes"] = metric_json("changes", std::vector<std::pair<std::string, int>>{{"total", changes}});
    metrics["events"] = metric_json("events", counts);
    return metrics;
}

Json Transaction::report_head() const {
    bool noop_pending = false, corrective = false;
    for (const Resource* resource : order_) {
        if (!is_reported(*resource)) continue;
        const Status& status = *statuses_.at(resource);
        for (const Event& event : status.events) noop_pending = noop_pending || event.status == "noop";
        corrective = corrective || status.corrective;
    }
    Json report = Json::object();
    report["host"] = run_.catalog.name;
    report["time"] = time_text(started_);
    report["configuration_version"] = run_.catalog.version;
    report["transaction_uuid"] = random_uuid();
    report["report_format"] = report_format;
    report["puppet_version"] = std::string(puppet_version);
    report["status"] = overall_status();
    report["transaction_completed"] = completed_;
    report["noop"] = run_.settings.noop;
    report["noop_pending"] = noop_pending;
    report["environment"] = run_.catalog.environment;
    report["metrics"] = metrics_json();
    report["corrective_change"] = corrective;
    if (!run_.catalog.catalog_uuid.empty()) report["catalog_uuid"] = run_.catalog.catalog_uuid;
    if (!run_.catalog.code_id.empty()) report["code_id"] = run_.catalog.code_id;
    return report;
}

Json Transaction::report() const {
    std::string text;
    write_report([&text](std::string_view piece) { text += piece; });
    return parse_json(text);
}

void Transaction::write_report(const std::function<void(std::string_view)>& take) const {
    ReportText text(run_, take);
    text.begin(report_head());
    text.begin_logs();
    for (std::size_t number = 0; number < run_.line_count(); ++number) text.line(run_.line(number));
    text.begin_statuses();
    for (const Resource* resource : order_) {
        if (is_reported(*resource)) text.status(*resource, *statuses_.at(resource));
    }
    text.end();
}

int Transaction::exit_code() const {
    if (!completed_) return stopped_ ? 4 : 1;
    int code = 0;
    for (const auto& [resource, status] : statuses_) {
        if (!is_reported(*resource)) continue;
        if (status->change_count > 0) code |= 2;
        if (status->counts_as_failed()) code |= 4;
    }
    return generating_failed_ ? code | 4 : code;
}

}  // namespace volley::agent
