#include "planner/apply/agentless/content/fact_code.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// Below lib/puppet: what the compiler and the agent load by themselves, and no fact does.
constexpr std::array<std::string_view, 10> only_puppet = {"application", "datatypes", "face",   "faces",
                                                          "feature",     "functions", "parser", "provider",
                                                          "reports",     "type"};

/// What the agent finds without Ruby (apply/agent/facts/stdlib.hpp). Their Ruby loads all of Puppet, and its
/// packages and services, for it: more than a second of each run on a machine that has Puppet.
constexpr std::array<std::string_view, 3> known_to_agent = {"stdlib/lib/facter/package_provider.rb",
                                                            "stdlib/lib/facter/root_home.rb",
                                                            "stdlib/lib/facter/service_provider.rb"};

/// "ntp/lib/facter/ntp.rb"
bool defines_facts(const std::vector<std::string>& words) {
    return words.size() == 4 && words[1] == "lib" && words[2] == "facter" && words[3].ends_with(".rb");
}

bool is_external(const std::vector<std::string>& words) { return words.size() == 3 && words[1] == "facts.d"; }

bool is_library(const std::vector<std::string>& words) {
    if (words.size() < 3 || words[1] != "lib") return false;
    const bool of_puppet = words.size() > 4 && words[2] == "puppet";
    return !of_puppet || std::find(only_puppet.begin(), only_puppet.end(), words[3]) == only_puppet.end();
}

AgentQuestion question_with(const std::vector<DeliveredFile>& code, Json order) {
    auto files = std::make_shared<const std::vector<DeliveredFile>>(fact_code(code));
    Json& list = order["files"] = Json::array();
    for (const DeliveredFile& file : *files)
        list.push_back({{"path", file.path}, {"sum", file.sum}, {"mode", file.mode}});
    return AgentQuestion(AgentQuestion::About::Facts, compact_json(order), std::move(files));
}

}  // namespace

std::vector<DeliveredFile> fact_code(const std::vector<DeliveredFile>& code) {
    const bool ruby = std::any_of(code.begin(), code.end(), [](const DeliveredFile& file) {
        return defines_facts(split(file.path, '/'));
    });
    std::vector<DeliveredFile> wanted;
    for (const DeliveredFile& file : code) {
        const std::vector<std::string> words = split(file.path, '/');
        if (!file.folder && (is_external(words) || (ruby && is_library(words)))) wanted.push_back(file);
    }
    return wanted;
}

AgentQuestion facts_question(const std::vector<DeliveredFile>& code, const std::vector<std::string>& names,
                             bool legacy) {
    return question_with(code, Json{{"names", names}, {"legacy", legacy}});
}

AgentQuestion catalog_facts_question(const std::vector<DeliveredFile>& code, bool catalog_follows) {
    std::vector<DeliveredFile> others = code;
    std::erase_if(others, [](const DeliveredFile& file) {
        return std::find(known_to_agent.begin(), known_to_agent.end(), file.path) != known_to_agent.end();
    });
    return question_with(others,
                         Json{{"legacy", true}, {"stdlib", true}, {"catalog_follows", catalog_follows}});
}

}  // namespace volley::planner
