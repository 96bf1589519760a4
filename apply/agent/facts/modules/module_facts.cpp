#include "apply/agent/facts/modules/module_facts.hpp"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/machine/process.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// Longer than a command in a fact may take.
constexpr double bridge_seconds = 400;
constexpr JsonLimits answer_limits{.depth = 100, .values = 1'000'000, .bytes = std::size_t{64} << 20U};

constexpr std::string_view bridge_program =
#include "apply/agent/facts/modules/bridge.inc"
    ;
/// Loaded when a fact speaks of Puppet, where there is one.
constexpr std::string_view puppet_settings =
    "require 'puppet'\nPuppet.initialize_settings unless Puppet.settings.app_defaults_initialized?\n";

const std::map<std::string, std::string>& own_files() {
    static const std::map<std::string, std::string> files{
        {"bridge.rb", std::string(bridge_program)}, {"puppet_settings.rb", std::string(puppet_settings)}};
    return files;
}

/// "ntp/lib/facter/ntp.rb", but nothing below another folder: those are for others to require.
bool defines_facts(const std::string& path) {
    const std::vector<std::string> words = split(path, '/');
    return words.size() == 4 && words[1] == "lib" && words[2] == "facter" && words[3].ends_with(".rb");
}

std::optional<std::string> find_ruby() {
    static constexpr const char* of_puppet = "/opt/puppetlabs/puppet/bin/ruby";
    return file_exists(of_puppet) ? std::optional<std::string>(of_puppet)
                                  : find_program("ruby", search_path());
}

}  // namespace

ModuleFacts::ModuleFacts(std::string state_folder, std::vector<FactFile> files, FetchContents fetch)
    : state_folder_(std::move(state_folder)), files_(std::move(files)), fetch_(std::move(fetch)) {
    has_ruby_facts_ = std::any_of(files_.begin(), files_.end(),
                                  [](const FactFile& file) { return defines_facts(file.path); });
}

std::string ModuleFacts::folder() {
    if (folder_.empty()) folder_ = code_folder(state_folder_, files_, own_files(), fetch_);
    return folder_;
}

std::vector<std::string> ModuleFacts::external_folders() {
    std::vector<std::string> folders;
    for (const FactFile& file : files_) {
        const std::vector<std::string> words = split(file.path, '/');
        if (words.size() != 3 || words[1] != "facts.d") continue;
        std::string place = folder() + "/" + words[0] + "/facts.d";
        if (std::find(folders.begin(), folders.end(), place) == folders.end())
            folders.push_back(std::move(place));
    }
    return folders;
}

std::vector<std::string> ModuleFacts::library_folders() const {
    std::vector<std::string> folders;
    for (const FactFile& file : files_) {
        const std::vector<std::string> words = split(file.path, '/');
        if (words.size() < 3 || words[1] != "lib") continue;
        std::string place = folder_ + "/" + words[0] + "/lib";
        if (std::find(folders.begin(), folders.end(), place) == folders.end())
            folders.push_back(std::move(place));
    }
    return folders;
}

Json ModuleFacts::resolve(const Json& known, const Json& external, FactMessages& messages) {
    if (!has_ruby_facts_) return Json::object();
    try {
        const auto ruby = find_ruby();
        if (!ruby) {
            messages.notes.push_back("Facts that modules define in Ruby are not there: it has no Ruby");
            return Json::object();
        }
        static_cast<void>(folder());
        return run_bridge(*ruby, known, external, messages);
    } catch (const std::exception& error) {
        messages.warnings.push_back(std::string("The facts of modules could not be determined: ") +
                                    error.what());
        return Json::object();
    }
}

Json ModuleFacts::run_bridge(const std::string& ruby, const Json& known, const Json& external,
                             FactMessages& messages) {
    Json names = Json::array();
    for (const auto& [name, value] : external.items()) names.push_back(name);
    const Json request{{"facts", known}, {"external", std::move(names)}, {"folders", library_folders()}};
    Command command({ruby, folder_ + "/bridge.rb"});
    command.errors = Command::Errors::Dropped;
    command.c_locale = false;
    command.timeout = bridge_seconds;
    command.input = compact_json(request);
    for (const char* name : {"HOME", "USER", "LOGNAME"}) {
        if (const char* value = ::getenv(name)) command.environment.emplace_back(name, value);
    }
    const Finished done = run(command);
    if (done.timed_out) throw ApplyError("they took longer than 400 seconds");
    const Json answer = try_parse_json(done.output, answer_limits);
    if (!answer.is_object() || !answer.contains("facts") || !answer["facts"].is_object())
        throw ApplyError(ruby + " ended with exit code " + std::to_string(done.exit_code) +
                         " and without an answer");
    if (const auto warnings = answer.find("warnings"); warnings != answer.end() && warnings->is_array()) {
        for (const Json& warning : *warnings) {
            if (warning.is_string()) messages.warnings.push_back(warning.get<std::string>());
        }
    }
    return answer["facts"];
}

}  // namespace volley::agent
