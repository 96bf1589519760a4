#include "planner/results/result.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::string_view redacted = "Sensitive [value redacted]";

/// RES-018: details come first, as Bolt merges the rest into them. Compatibility.
Json error_object(const ErrorInfo& error) {
    Json json = Json::object();
    if (error.kind() == "puppetlabs.tasks/exception-error") {
        json["kind"] = error.kind();
        json["issue_code"] = error.issue_code().empty() ? "EXCEPTION" : error.issue_code();
        json["msg"] = error.msg();
        json["details"] = error.details();
        return json;
    }
    json["details"] = error.details();
    json["kind"] = error.kind();
    json["msg"] = error.msg();
    if (!error.issue_code().empty()) json["issue_code"] = error.issue_code();
    return json;
}

/// RES-006. Null when the command ended well.
Json command_error(const transports::ExitStatus& status) {
    if (status.code == 0) return {};
    const std::string code = std::to_string(status.code);
    Json error = Json::object();
    error["kind"] = "puppetlabs.tasks/command-error";
    error["issue_code"] = "COMMAND_ERROR";
    error["msg"] = "The command failed with exit code " + code;
    error["details"] = Json{{"exit_code", status.code}};
    return error;
}

void write_key(const TextSink& sink, std::string_view key) {
    sink("\"");
    sink(key);
    sink("\":");
}

void write_member(const TextSink& sink, std::string_view key, std::string_view bytes) {
    write_key(sink, key);
    write_json_string(sink, bytes);
    sink(",");
}

void write_stream(const TextSink& sink, std::string_view key, const transports::CapturedOutput& captured,
                  transports::Stream stream) {
    write_key(sink, key);
    JsonString text(sink);
    captured.visit(stream, [&text](std::string_view bytes) { text.add(bytes); });
    text.finish();
    sink(",");
}

}  // namespace

struct Result::Data {
    std::string target;
    std::string action;
    std::optional<std::string> object;
    std::optional<transports::Output> output;  // of a command or script; `value` is then not used
    Json value = Json::object();               // valid UTF-8, with `redacted` for what is sensitive
    std::optional<Json> sensitive;
    std::shared_ptr<const Json> catalog;  // of an apply, instead of `sensitive`
    Json error;                           // null when ok
    bool started = true;
};

Result Result::of_command(std::string target, std::string action, std::string object,
                          transports::Output output, const Json* position) {
    auto data = std::make_shared<Data>();
    data->target = std::move(target);
    data->action = std::move(action);
    data->object = std::move(object);
    data->error = command_error(output.status);
    add_position(data->error, position);
    data->output = std::move(output);
    return Result(std::move(data));
}

std::shared_ptr<Result::Data> Result::data_of_value(std::string target, std::string action, Json value) {
    auto data = std::make_shared<Data>();
    data->target = std::move(target);
    data->action = std::move(action);
    data->value = std::move(value);
    if (const auto found = data->value.find("_error"); found != data->value.end()) data->error = *found;
    return data;
}

Result Result::of_value(std::string target, std::string action, std::optional<std::string> object,
                        Json value) {
    auto data = data_of_value(std::move(target), std::move(action), scrubbed(std::move(value)));
    data->object = std::move(object);
    if (const auto secret = data->value.find("_sensitive"); secret != data->value.end())
        data->sensitive = std::exchange(*secret, Json(redacted));
    return Result(std::move(data));
}

Result Result::of_apply(std::string target, Json value, std::shared_ptr<const Json> catalog) {
    // The report was read as JSON, which is UTF-8, and may be of thousands of resources.
    Json report;
    if (const auto found = value.find("report"); found != value.end()) report = std::exchange(*found, Json());
    auto data = data_of_value(std::move(target), "apply", scrubbed(std::move(value)));
    if (!report.is_null()) data->value["report"] = std::move(report);
    data->value["_sensitive"] = redacted;
    data->catalog = std::move(catalog);
    return Result(std::move(data));
}

Result Result::of_error(std::string target, std::string action, const ErrorInfo& error,
                        const Json* position) {
    auto data = std::make_shared<Data>();
    data->target = std::move(target);
    data->action = std::move(action);
    data->error = scrubbed(error_object(error));
    add_position(data->error, position);
    data->value["_error"] = data->error;
    return Result(std::move(data));
}

Result Result::not_started(std::string target, std::string action, const ErrorInfo& reason) {
    auto data = std::make_shared<Data>();
    data->target = std::move(target);
    data->action = std::move(action);
    data->error = scrubbed(error_object(reason));
    data->value["_error"] = data->error;
    data->started = false;
    return Result(std::move(data));
}

std::string_view to_string(Status status) noexcept {
    if (status == Status::NotStarted) return "not_started";
    return status == Status::Success ? "success" : "failure";
}

void add_position(Json& error, const Json* position) {
    if (position == nullptr || !error.is_object()) return;
    const auto found = error.find("details");
    if (found != error.end() && (!found->is_object() || found->contains("file"))) return;
    Json details = *position;
    if (found != error.end()) details.update(*found);
    error["details"] = std::move(details);
}

const std::string& Result::target() const noexcept { return data_->target; }
const std::string& Result::action() const noexcept { return data_->action; }
const std::optional<std::string>& Result::object() const noexcept { return data_->object; }
bool Result::ok() const noexcept { return data_->error.is_null(); }
Status Result::status() const noexcept {
    if (!data_->started) return Status::NotStarted;
    return ok() ? Status::Success : Status::Failure;
}
const Json& Result::error() const noexcept { return data_->error; }

const transports::Output* Result::output() const noexcept {
    return data_->output ? &*data_->output : nullptr;
}

Json Result::value() const { return data_->output ? full_value() : *shared_value(); }

std::shared_ptr<const Json> Result::shared_value() const {
    if (data_->output) return std::make_shared<const Json>(full_value());
    return {data_, &data_->value};
}

bool Result::has_sensitive() const noexcept { return data_->sensitive || data_->catalog; }

const Json* Result::sensitive() const noexcept { return data_->sensitive ? &*data_->sensitive : nullptr; }

Json Result::full_value() const {
    if (!data_->output) {
        Json whole = data_->value;
        if (data_->sensitive) whole["_sensitive"] = *data_->sensitive;
        if (data_->catalog) whole["_sensitive"] = Json{{"catalog", *data_->catalog}};
        return whole;
    }
    const transports::CapturedOutput& captured = data_->output->captured;
    Json value = Json::object();
    value["stdout"] = scrub_utf8(captured.text(transports::Stream::Out));
    value["stderr"] = scrub_utf8(captured.text(transports::Stream::Err));
    value["merged_output"] = scrub_utf8(captured.merged());
    value["exit_code"] = data_->output->status.code;
    if (!data_->error.is_null()) value["_error"] = data_->error;
    return value;
}

Json Result::to_json() const {
    Json json = Json::object();
    json["target"] = scrub_utf8(data_->target);
    json["action"] = data_->action;
    json["object"] = data_->object ? Json(scrub_utf8(*data_->object)) : Json();
    json["status"] = to_string(status());
    json["value"] = value();
    return json;
}

void Result::write_json_members(const TextSink& sink) const {
    write_member(sink, "target", data_->target);
    write_member(sink, "action", data_->action);
    if (data_->object) {
        write_member(sink, "object", *data_->object);
    } else {
        write_key(sink, "object");
        sink("null,");
    }
    write_member(sink, "status", to_string(status()));
    write_key(sink, "value");
    if (!data_->output) return sink(shared_value()->dump());
    const transports::CapturedOutput& captured = data_->output->captured;
    sink("{");
    write_stream(sink, "stdout", captured, transports::Stream::Out);
    write_stream(sink, "stderr", captured, transports::Stream::Err);
    write_member(sink, "merged_output", captured.merged());
    write_key(sink, "exit_code");
    sink(std::to_string(data_->output->status.code));
    if (!data_->error.is_null()) {
        sink(",");
        write_key(sink, "_error");
        sink(data_->error.dump());
    }
    sink("}");
}

void Result::write_json(const TextSink& sink) const {
    sink("{");
    write_json_members(sink);
    sink("}");
}

std::string Result::to_json_text() const {
    std::string text;
    write_json([&text](std::string_view piece) { text += piece; });
    return text;
}

bool ContainerOutcome::ok() const noexcept { return !value->contains("_error"); }

Json ContainerOutcome::to_json() const {
    Json json = Json::object();
    json["object"] = image;
    json["status"] = ok() ? "success" : "failure";
    json["value"] = scrubbed(*value);
    return json;
}

bool ResultSet::ok() const noexcept {
    return std::all_of(results_.begin(), results_.end(), [](const Result& result) { return result.ok(); });
}

}  // namespace volley::planner
