#include "planner/apply/agentless/prepared_order.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "planner/apply/agentless/agent_program.hpp"
#include "planner/apply/agentless/agentless.hpp"
#include "planner/apply/agentless/config_types.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"
#include "transports/coroutines/start.hpp"

namespace volley::planner {
namespace {

bool is_url(const std::string& path) { return path.starts_with("http://") || path.starts_with("https://"); }

/// The names of "a,b".
std::vector<std::string> split_names(const std::string& list) {
    std::vector<std::string> names = split(list, ',');
    std::erase(names, "");
    return names;
}

/// The agent names what it lacks as a source does: puppet:///modules/ntp/x is ntp/files/x.
std::string name_of_file(const DeliveredFile& file) {
    if (is_url(file.path) || file.later) return file.path;
    const std::size_t slash = file.path.find('/');
    const std::string_view inside = std::string_view(file.path).substr(std::min(slash, file.path.size()));
    const std::string module = file.path.substr(0, slash);
    if (inside.starts_with("/files")) return "modules/" + module + std::string(inside.substr(6));
    if (inside.starts_with("/scripts")) return "scripts/" + module + std::string(inside.substr(8));
    return "modules/" + file.path;
}

std::string settings_text(const Json& wanted, const CompiledCatalog& catalog, bool noop) {
    Json settings{{"noop", noop},
                  {"show_diff", wanted.value("show_diff", false)},
                  {"ignore_schedules", wanted.value("ignoreschedules", false)},
                  {"tags", split_names(wanted.value("tags", ""))},
                  {"skip_tags", split_names(wanted.value("skip_tags", ""))},
                  {"level", wanted.value("log_level", "notice")}};
    if (wanted.contains("lock_wait")) settings["lock_wait"] = wanted.at("lock_wait");
    Json files = Json::array();
    for (const DeliveredFile& file : catalog.files) {
        if (file.code) continue;
        Json entry{{"path", name_of_file(file)}, {"mode", file.mode}};
        if (file.folder)
            entry["folder"] = true;
        else
            entry["sum"] = file.sum;
        files.push_back(std::move(entry));
    }
    settings["files"] = std::move(files);
    return compact_json(settings);
}

/// Nothing is thrown.
transports::Task<void> fetch_late(transports::Runtime& runtime, std::shared_ptr<FetchedSources> sources,
                                  std::shared_ptr<const std::vector<LateSource>> late, std::string name,
                                  AgentSession::FetchDone done) {
    std::optional<DeliveredFile> file;
    std::string why;
    auto fetch = [sources, late, name] {
        const auto found = std::find_if(late->begin(), late->end(),
                                        [&](const LateSource& source) { return source.name == name; });
        if (found == late->end()) throw Error("bolt/apply-error", "it is not a file of this run");
        return sources->fetched(*found);
    };
    try {
        auto fetching = runtime.blocking(std::move(fetch));
        file = co_await std::move(fetching);
    } catch (const std::exception& error) {
        why = error.what();
    }
    done(std::move(file), why);
}

}  // namespace

PreparedOrder prepare_order(const std::shared_ptr<const CompiledCatalog>& catalog, FetchedSources& sources,
                            const Json& settings, bool noop) {
    PreparedOrder prepared;
    std::shared_ptr<const CompiledCatalog> extended = with_config_types(catalog);
    if (const std::string lacking = not_for_agent(*extended); !lacking.empty()) {
        prepared.why = "Volley's agent does not have " + lacking;
        return prepared;
    }
    static_cast<void>(agent_programs());
    std::vector<DeliveredFile> fetched = sources.of(*extended->document);
    prepared.late = std::make_shared<const std::vector<LateSource>>(late_sources(*extended->document));
    for (const LateSource& source : *prepared.late) {
        DeliveredFile file;
        file.path = file.sum = source.name;
        file.later = true;
        fetched.push_back(std::move(file));
    }
    if (!fetched.empty()) {
        auto complete = std::make_shared<CompiledCatalog>(*extended);
        for (DeliveredFile& file : fetched) complete->files.push_back(std::move(file));
        extended = std::move(complete);
    }
    prepared.order.settings = settings_text(settings, *extended, noop);
    prepared.order.catalog = std::move(extended);
    return prepared;
}

AgentSession::FetchLater fetch_later(transports::Runtime& runtime, std::shared_ptr<FetchedSources> sources,
                                     std::shared_ptr<const std::vector<LateSource>> late) {
    return [&runtime, sources = std::move(sources), late = std::move(late)](const std::string& path,
                                                                            AgentSession::FetchDone done) {
        auto fetching = fetch_late(runtime, sources, late, path, std::move(done));
        transports::start(runtime.loop().get_executor(), std::move(fetching));
    };
}

}  // namespace volley::planner
