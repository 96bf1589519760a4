#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "support/json/json_reader.hpp"
#include "support/text.hpp"
#include "tasks/execution.hpp"

namespace volley::tasks {
namespace {

using transports::Stream;

Json task_error(const std::string& msg, Json details) {
    Json error = Json::object();
    error["kind"] = "puppetlabs.tasks/task-error";
    error["issue_code"] = "TASK_ERROR";
    error["msg"] = msg;
    error["details"] = std::move(details);
    return error;
}

/// RES-007: only a JSON object counts. What cannot be one is not parsed at all, however long it is; one that
/// is beyond a limit stays a text, as with Bolt.
std::optional<Json> parse_object(std::string_view text) {
    if (trim(text).substr(0, 1) != "{") return std::nullopt;
    Json value = try_parse_json(text);
    if (!value.is_object()) return std::nullopt;
    return value;
}

Json parse_output(const std::string& text, const Json& details) {
    if (!is_utf8(text)) {
        Json value = Json::object();
        value["_error"] = task_error("The task result contained invalid UTF-8 on stdout", details);
        return value;
    }
    if (auto object = parse_object(text)) return std::move(*object);
    Json value = Json::object();
    value["_output"] = text;
    return value;
}

/// RES-009, with its three variants.
std::string failure_message(const transports::Output& output, bool has_stdout) {
    std::string message = "The task failed with exit code " + std::to_string(output.status.code);
    if (has_stdout) return message;
    if (output.captured.size(Stream::Err) == 0) return message + " and no output";
    return message + " and no stdout, but stderr contained:\n" +
           scrub_utf8(output.captured.text(Stream::Err));
}

/// The value as Ruby's inspect writes it, which is part of the message of RES-012. Compatibility.
void inspect(std::string& out, const Json& value) {
    if (value.is_null()) {
        out += "nil";
    } else if (value.is_array()) {
        out += '[';
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (i > 0) out += ", ";
            inspect(out, value[i]);
        }
        out += ']';
    } else if (value.is_object()) {
        out += '{';
        std::string_view separator;
        for (const auto& [key, item] : value.items()) {
            out += separator;
            out += Json(key).dump() + "=>";
            inspect(out, item);
            separator = ", ";
        }
        out += '}';
    } else {
        out += value.dump();
    }
}

/// RES-012, RES-013: an `_error` becomes an object with msg, kind and details.
void complete_error(Json& value, Json details, const std::string& task_name) {
    Json& error = value["_error"];
    if (!error.is_object() || !error.contains("msg")) {
        std::string original;
        inspect(original, error);
        details["original_error"] = std::move(error);
        error = Json::object();
        error["msg"] = "Invalid error returned from task " + task_name + ": " + original +
                       ". Error must be an object with a msg key.";
        error["kind"] = "bolt/invalid-task-error";
        error["details"] = details;
    }
    const auto missing = [&](const char* key) {
        return !error.contains(key) || error[key].is_null() || error[key] == Json(false);
    };
    if (missing("kind")) error["kind"] = "bolt/error";
    if (missing("details")) error["details"] = std::move(details);
}

/// Bolt drops what a failed task wrote to stderr unless stdout is empty; here it goes with the details.
void add_stderr(Json& error, const transports::Output& output) {
    const std::string text = scrub_utf8(output.captured.text(Stream::Err));
    Json& details = error["details"];
    const bool in_message = error["msg"].is_string() &&
                            error["msg"].get_ref<const std::string&>().find(text) != std::string::npos;
    if (trim(text).empty() || in_message || !details.is_object() || details.contains("_stderr")) return;
    details["_stderr"] = text;
}

}  // namespace

Json task_value(const transports::Output& output, const std::string& task_name, const Json* position) {
    Json details = position != nullptr ? *position : Json::object();
    const std::string text = output.captured.text(Stream::Out);
    Json value = parse_output(text, details);
    const bool has_error = value.contains("_error") && !value["_error"].is_null();
    if (output.status.code != 0 && !has_error) {
        details["exit_code"] = output.status.code;
        value["_error"] = task_error(failure_message(output, !text.empty()), details);
    }
    // Compatibility: "_error": null with exit code 0 is a malformed error too, not its absence.
    if (value.contains("_error")) complete_error(value, std::move(details), task_name);
    if (value.contains("_error")) add_stderr(value["_error"], output);
    return value;
}

}  // namespace volley::tasks
