#include "cli/run/recording.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "cli/verb.hpp"
#include "planner/interrupt.hpp"
#include "planner/plan/report/plan_report.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "support/version.hpp"

namespace volley::cli {
namespace {

std::string_view noun_of(const CommandLine& line) { return line.verb->noun; }

bool only_looks(const Verb& verb) { return verb.noun == "ping" || verb.noun == "facts"; }

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// Values of these are never recorded; --params is, as what the task or plan got.
bool is_secret(const std::string& option) {
    return option == "password" || option == "sudo-password" || option == "env-var";
}

void add_options(const CommandLine& line, Json& head, planner::KnownSecrets& secrets) {
    Json options = Json::array();
    for (const GivenOption& one : line.options.given) {
        if (one.name == "targets" || one.name == "params" || one.name == "project" || one.name == "journal")
            continue;
        if (!is_secret(one.name)) {
            options.push_back(
                one.value ? Json::array({one.name, scrub_utf8(planner::without_passwords(*one.value))})
                          : Json::array({one.name}));
            continue;
        }
        const std::string value = one.value.value_or("");
        const std::size_t equals = value.find('=');
        if (one.name != "env-var") {
            secrets.add(value);
            head["left_out"].push_back("--" + one.name);
        } else if (equals != std::string::npos) {
            head["left_out"].push_back("--env-var " + value.substr(0, equals));
        }
    }
    for (const char* name : {"password", "sudo-password"}) {
        const Json& values = *line.options.transport.values;
        if (values.contains(name) && values[name].is_string()) secrets.add(values[name].get<std::string>());
    }
    head["options"] = std::move(options);
}

}  // namespace

int recorded_status(bool ok) noexcept {
    if (const int signal = planner::InterruptHandler::signal(); signal != 0) return 128 + signal;
    return ok ? 0 : 1;
}

void write_report(const Session& session, const std::string& file, const journal::RunRecord& run) {
    // Outputs of targets are nobody else's business.
    write_file_atomically(session.process().working_directory / file, planner::report_of_run(run), 0600);
}

std::filesystem::path journal_folder(const Session& session) {
    return planner::journal_folder(session.config().project.path, session.process().home);
}

std::unique_ptr<planner::RunRecorder> record_run(Session& session, const CommandLine& line) {
    const inventory::Config& config = session.config();
    const bool report = line.options.action.report.has_value();
    const bool log = line.options.action.plan_log.has_value();
    if ((!config.journal && !report && !log) || only_looks(*line.verb)) return nullptr;
    planner::RunIdentity identity{config.project.path, session.process().home, {}, std::make_shared<Json>()};
    identity.limits.age = std::chrono::hours(24) * config.journal_days;
    identity.limits.bytes = static_cast<std::uint64_t>(config.journal_size) * 1024 * 1024;
    identity.journal = config.journal;
    identity.report = report;
    Json& head = *identity.head;
    if (!config.save_rerun || noun_of(line) == "console") head["rerun"] = false;
    const std::string noun(noun_of(line));
    head["version"] = program_version;
    head["user"] = login_name();
    head["host"] = host_name();
    head["folder"] = session.process().working_directory.string();
    head["verb"] = line.verb->action.empty() ? noun : noun + " " + std::string(line.verb->action);
    head["object"] = scrub_utf8(line.object.value_or(line.options.action.code.value_or("")));
    Json words = Json::array();
    for (const std::string& word : line.leftovers) words.push_back(scrub_utf8(word));
    head["words"] = std::move(words);
    Json targets = Json::array();
    for (const std::string& spec : line.options.target.targets)
        targets.push_back(scrub_utf8(planner::without_passwords(spec)));
    head["targets"] = std::move(targets);
    head["left_out"] = Json::array();
    if (!line.resumes.id.empty()) head["resumes"] = line.resumes.id;
    for (const UnknownOutcomes& one : line.resumes.unknown)
        identity.carried.push_back({one.action, one.description, one.targets});
    planner::KnownSecrets secrets;
    add_options(line, head, secrets);
    auto recorder = std::make_unique<planner::RunRecorder>(std::move(identity));
    recorder->secrets() = std::move(secrets);
    return recorder;
}

}  // namespace volley::cli
