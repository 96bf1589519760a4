#include <map>
#include <nlohmann/json.hpp>

#include "apply/agent/transaction/transaction.hpp"
#include "apply/facts/client_version.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr int report_format = 12;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(scrub_utf8(text)); }

template <class Texts>
Json texts_json(const Texts& texts) {
    Json list = Json::array();
    for (const std::string& text : texts) list.push_back(scrub_utf8(text));
    return list;
}

/// A value that no property hides, such as the path in which a command runs.
Json shown_json(const Value& value, const Secrets& secrets) {
    return value.is(Value::Kind::String) ? Json(scrub_utf8(secrets.redacted(value.text())))
                                         : value_to_json(value);
}

Json event_json(const Event& event, const Run& run) {
    const Secrets& secrets = run.secrets;
    Json json = Json::object();
    json["audited"] = event.audited;
    json["property"] = text_or_null(event.property);
    json["previous_value"] = shown_json(event.previous, secrets);
    json["desired_value"] = shown_json(event.desired, secrets);
    json["historical_value"] = shown_json(event.historical, secrets);
    json["message"] = scrub_utf8(event.line ? run.message(*event.line) : secrets.redacted(event.message));
    json["name"] = event.name.text();
    json["status"] = event.status.text();
    json["time"] = time_text(event.time);
    json["redacted"] = event.redacted ? Json(*event.redacted) : Json(nullptr);
    json["corrective_change"] = event.corrective;
    return json;
}

Json log_json(const LogLine& line) {
    Json json = Json::object();
    json["level"] = level_name(line.level);
    json["message"] = scrub_utf8(line.message);
    json["source"] = scrub_utf8(line.source);
    json["tags"] = texts_json(line.tags);
    json["time"] = time_text(line.time);
    json["file"] = text_or_null(line.file);
    json["line"] = line.line > 0 ? Json(line.line) : Json(nullptr);
    return json;
}

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

std::string type_word(const Resource& resource) {
    std::string word = lower(resource.type);
    if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 32);
    return word;
}

}  // namespace

Json Transaction::status_json(const Resource& resource, const Status& status) const {
    Json events = Json::array();
    for (const Event& event : status.events) events.push_back(event_json(event, run_));
    const std::string_view provider = resource.instance ? resource.instance->provider() : status.provider;
    Json json = Json::object();
    json["title"] = scrub_utf8(resource.title);
    json["file"] = text_or_null(resource.file);
    json["line"] = resource.line > 0 ? Json(resource.line) : Json(nullptr);
    json["resource"] = scrub_utf8(resource.reference());
    json["resource_type"] = type_word(resource);
    json["provider_used"] = provider.empty() ? Json(nullptr) : Json(provider);
    json["containment_path"] = texts_json(resource.containment());
    json["evaluation_time"] = status.evaluated ? Json(status.seconds) : Json(nullptr);
    json["tags"] = texts_json(resource.tags);
    json["time"] = time_text(status.time);
    json["failed"] = status.failed;
    json["failed_to_restart"] = status.failed_to_restart;
    json["changed"] = status.changed;
    json["out_of_sync"] = status.out_of_sync;
    json["skipped"] = status.skipped;
    json["change_count"] = status.change_count;
    json["out_of_sync_count"] = status.out_of_sync_count;
    json["events"] = std::move(events);
    json["corrective_change"] = status.corrective;
    return json;
}

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
    std::string head = compact_json(report_head());
    head.pop_back();
    take(head + ",\"logs\":[");
    for (std::size_t number = 0; number < run_.line_count(); ++number)
        take((number == 0 ? "" : ",") + compact_json(log_json(run_.line(number))));
    take("],\"resource_statuses\":{");
    bool first = true;
    for (const Resource* resource : order_) {
        if (!is_reported(*resource)) continue;
        take((first ? "" : ",") + compact_json(scrub_utf8(resource->reference())) + ":" +
             compact_json(status_json(*resource, *statuses_.at(resource))));
        first = false;
    }
    take("}}");
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
