#include "apply/agent/facts/external/external.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/machine/process.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"

extern char** environ;

namespace volley::agent {
namespace {

constexpr double program_seconds = 60;
constexpr std::size_t most_printed = std::size_t{4} << 20U;

/// Where Facter and Puppet keep facts.d, in their packages of Puppet and of distributions.
std::vector<std::string> usual_folders() {
    if (::geteuid() == 0)
        return {"/opt/puppetlabs/facter/facts.d",
                "/etc/puppetlabs/facter/facts.d",
                "/etc/facter/facts.d",
                "/opt/puppetlabs/puppet/cache/facts.d",
                "/var/lib/puppet/facts.d",
                "/var/cache/puppet/facts.d"};
    const auto user = user_with(::geteuid());
    if (!user || user->home.empty()) return {};
    return {user->home + "/.puppetlabs/opt/facter/facts.d", user->home + "/.facter/facts.d"};
}

std::string extension_of(const std::string& name) {
    const std::size_t point = name.rfind('.');
    return point == std::string::npos || point == 0 ? std::string() : lower(name.substr(point + 1));
}

Json output_facts(const std::string& path) {
    Command command({path});
    command.errors = Command::Errors::Dropped;
    command.c_locale = false;
    command.timeout = program_seconds;
    for (const char* name : {"HOME", "USER", "LOGNAME"}) {
        if (const char* value = ::getenv(name)) command.environment.emplace_back(name, value);
    }
    const Finished done = run(command);
    if (done.timed_out) throw ApplyError("it ran longer than 60 seconds");
    if (done.output.size() > most_printed) throw ApplyError("it printed more than 4 MiB");
    return facts_in_output(done.output);
}

Json file_facts(const FactHost& host, const std::string& path, const std::string& place) {
    const std::string kind = extension_of(name_of(path));
    if (kind == "txt" || kind == "json" || kind == "yaml") {
        const auto stat = file_stat(place, true);
        if (!stat || stat->kind != FileKind::File) return Json::object();
        constexpr std::int64_t most = std::int64_t{4} << 20U;
        if (stat->size > most) throw ApplyError("it is larger than 4 MiB");
        const auto text = host.read(path);
        if (!text) throw ApplyError("it cannot be read");
        if (kind == "txt") return facts_in_lines(*text);
        if (kind == "json") return parse_json(*text);
        Json value = yaml_value(*text);
        if (value.is_discarded())
            throw ApplyError("it is not valid YAML, or has anchors, tags or scalars of several lines");
        return value;
    }
    static constexpr std::array<std::string_view, 4> foreign = {"bat", "cmd", "com", "exe"};
    const auto stat = file_stat(place, true);
    const bool program = stat && stat->kind == FileKind::File && ::access(place.c_str(), X_OK) == 0 &&
                         std::find(foreign.begin(), foreign.end(), kind) == foreign.end();
    return program && host.is_running() ? output_facts(place) : Json::object();
}

/// The first value of a name stays. A null is none.
void add_missing(Json& facts, const Json& more) {
    for (const auto& [name, value] : more.items()) {
        const std::string fact = lower(name);
        if (!value.is_null() && !facts.contains(fact)) facts[fact] = value;
    }
}

Json environment_facts() {
    constexpr std::string_view prefix = "FACTER_";
    Json facts = Json::object();
    for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
        const std::string_view entry = *at;
        const std::size_t equals = entry.find('=');
        if (equals == std::string_view::npos || lower(entry.substr(0, prefix.size())) != lower(prefix))
            continue;
        const std::string name = lower(entry.substr(prefix.size(), equals - prefix.size()));
        if (!name.empty()) facts[name] = scrub_utf8(entry.substr(equals + 1));
    }
    return facts;
}

void read_folder(const FactHost& host, const std::string& folder, Json& facts,
                 std::vector<std::string>& warnings) {
    std::vector<std::string> names = host.names(folder);
    std::reverse(names.begin(), names.end());
    for (const std::string& name : names) {
        if (name.starts_with('.')) continue;
        const std::string path = folder + "/" + name;
        try {
            const Json found = file_facts(host, path, host.place(path));
            if (found.is_object())
                add_missing(facts, found);
            else if (!found.is_null())
                throw ApplyError("it does not hold names with values");
        } catch (const std::exception& error) {
            warnings.push_back("The external facts of " + path + " could not be read: " + error.what());
        }
    }
}

}  // namespace

Json facts_in_lines(std::string_view text) {
    Json facts = Json::object();
    for (std::string& line : split(text, '\n')) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        const std::size_t equals = line.find('=', 1);
        if (equals == std::string::npos || equals + 1 >= line.size()) continue;
        facts[line.substr(0, equals)] = scrub_utf8(line.substr(equals + 1));
    }
    return facts;
}

Json facts_in_output(std::string_view text) {
    if (trim(text).starts_with('{')) {
        Json json = try_parse_json(text);
        if (json.is_object()) return json;
    }
    Json value = yaml_value(text);
    return value.is_object() ? value : facts_in_lines(text);
}

Json external_facts(const FactHost& host, const std::vector<std::string>& folders,
                    std::vector<std::string>& warnings) {
    Json facts = environment_facts();
    std::vector<std::string> all = folders;
    for (std::string& folder : usual_folders()) all.push_back(std::move(folder));
    for (const std::string& folder : all) read_folder(host, folder, facts, warnings);
    return facts;
}

}  // namespace volley::agent
