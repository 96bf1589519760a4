#include "planner/functions/container.hpp"

#include <boost/system/system_error.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "language/serialization/json.hpp"
#include "language/text/text.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "transports/containers/shell_split.hpp"
#include "transports/process/run.hpp"

namespace volley::planner {
namespace {

/// Both streams of the program, stored.
class ContainerStreams final : public transports::OutputSink {
public:
    void on_output(transports::Stream stream, std::string_view bytes) override {
        (stream == transports::Stream::Out ? out : err) += bytes;
    }
    std::string out;
    std::string err;
};

/// The words of a shell line, quotes removed.
std::vector<std::string> container_words(const std::string& line) {
    auto words = transports::containers::split_words(line);
    if (!words) throw Error("bolt/validation-error", "Option 'cmd' has an unmatched quote: " + line);
    return std::move(*words);
}

[[noreturn]] void container_complain(const char* option, const char* expected, const Value& value) {
    throw Error("bolt/validation-error", "Option '" + std::string(option) + "' must be a " + expected +
                                             ". Received " + Evaluator::text(value) + " which is a " +
                                             to_string(*infer(value)->generalize()));
}

const Hash& container_hash(const char* option, const Value& value) {
    if (!value.is_hash()) container_complain(option, "hash", value);
    return value.as_hash();
}

void add_environment(const Value& value, std::vector<std::string>& words) {
    for (const Hash::Entry& entry : container_hash("env_vars", value)) {
        if (!entry.key.is_string()) {
            throw Error("bolt/validation-error",
                        "Keys for option 'env_vars' must be strings: " + to_program_text(entry.key));
        }
        const bool structured = entry.value.is_array() || entry.value.is_hash();
        words.emplace_back("--env");
        words.push_back(entry.key.as_string() + "=" +
                        (structured ? to_json(entry.value).dump() : Evaluator::text(entry.value)));
    }
}

void add_volumes(const Value& value, std::vector<std::string>& words) {
    for (const Hash::Entry& entry : container_hash("volumes", value)) {
        if (!entry.key.is_string() || !entry.value.is_string()) {
            throw Error("bolt/validation-error",
                        "Option 'volumes' only accepts strings for keys and values. Received: " +
                            Evaluator::text(entry.key) + " => " + Evaluator::text(entry.value));
        }
        std::error_code error;
        std::filesystem::create_directories(entry.key.as_string(), error);
        if (error) {
            throw Error("bolt/file-error", "Unable to create host volume directory " + entry.key.as_string() +
                                               ": " + error.message());
        }
        words.emplace_back("-v");
        words.push_back(entry.key.as_string() + ":" + entry.value.as_string());
    }
}

void add_ports(const Value& value, std::vector<std::string>& words) {
    for (const Hash::Entry& entry : container_hash("ports", value)) {
        if (!entry.key.is(Kind::Integer) || !entry.value.is(Kind::Integer)) {
            throw Error("bolt/validation-error",
                        "Option 'ports' only accepts integers for keys and values. Received: " +
                            Evaluator::text(entry.key) + " => " + Evaluator::text(entry.value));
        }
        words.emplace_back("-p");
        words.push_back(std::to_string(entry.key.as_integer()) + ":" +
                        std::to_string(entry.value.as_integer()));
    }
}

const std::string& container_text(const char* option, const Value& value) {
    if (!value.is_string()) container_complain(option, "string", value);
    return value.as_string();
}

Json container_failure(const PlanCall& call, const std::string& image, const std::string& what, int code) {
    Json details = Json::object();
    if (const auto position = call_position(call)) details = *position;
    details["exit_code"] = code;
    return Json{{"_error",
                 {{"kind", "puppetlabs.tasks/container-error"},
                  {"issue_code", "CONTAINER_ERROR"},
                  {"msg", "Error running container '" + image + "': " + scrub_utf8(what)},
                  {"details", std::move(details)}}}};
}

}  // namespace

ContainerRequest container_request(const PlanCall& call) {
    ContainerRequest request;
    request.image = call.text(0);
    const Value none = HashBuilder().build();
    const Hash& given = (call.has(1) ? call.arguments[1] : none).as_hash();
    const auto option =
        [&given](const std::string& name) -> const Value* {  // PLN-010: with or without underscore
        const Value* value = given.find("_" + name);
        return value ? value : given.find(name);
    };
    std::vector<std::string>& words = request.arguments;
    words = {"run"};
    if (const Value* value = option("env_vars")) add_environment(*value, words);
    if (const Value* value = option("volumes")) add_volumes(*value, words);
    if (const Value* value = option("ports")) add_ports(*value, words);
    if (const Value* value = option("rm"); value && value->truthy()) words.emplace_back("--rm");
    if (const Value* value = option("workdir")) {
        words.emplace_back("-w");
        words.push_back(container_text("workdir", *value));
    }
    words.push_back(request.image);
    if (const Value* value = option("cmd")) {
        for (std::string& word : container_words(container_text("cmd", *value)))
            words.push_back(std::move(word));
    }
    const Value* catches = option("catch_errors");
    request.catch_errors = catches && catches->truthy();
    return request;
}

ContainerOutcome run_container_program(const PlanCall& call, const ContainerRequest& request) {
    std::vector<std::string> argv{"docker"};
    argv.insert(argv.end(), request.arguments.begin(), request.arguments.end());
    transports::ProcessSettings settings(std::move(argv));
    transports::NoInput input;
    ContainerStreams streams;
    Json value;
    try {
        const auto status =
            call.run.fibers().await(transports::run_process(std::move(settings), input, streams));
        if (status.code == 0) {
            value = Json{
                {"stdout", scrub_utf8(streams.out)}, {"stderr", scrub_utf8(streams.err)}, {"exit_code", 0}};
        } else {
            value = container_failure(call, request.image, streams.err, status.code);
        }
    } catch (const boost::system::system_error& error) {
        value = container_failure(call, request.image, "docker: " + error.code().message(), 127);
    }
    return {request.image, std::make_shared<const Json>(std::move(value))};
}

}  // namespace volley::planner
