#include <nlohmann/json.hpp>

#include "apply/agent/facts/groups.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr const char* puppets_ruby = "/opt/puppetlabs/puppet/bin/ruby";

/// Prints platform, version and folder of Ruby, then the version of the Augeas that it is bound to, if any.
/// RubyGems takes as long as the rest to load, so it is asked for only when it is needed. The flags keep
/// Augeas from reading its lenses and the files of the machine: 32 | 64.
constexpr const char* ruby_question =
    "require 'rbconfig'\n"
    "puts RUBY_PLATFORM, RUBY_VERSION, RbConfig::CONFIG['sitelibdir'].to_s\n"
    "exit unless ARGV[0]\n"
    "begin\n"
    "  begin\n"
    "    require 'augeas'\n"
    "  rescue LoadError\n"
    "    require 'rubygems'\n"
    "    require 'augeas'\n"
    "  end\n"
    "  puts Augeas.open(nil, nil, 96).get('/augeas/version')\n"
    "rescue LoadError\n"
    "end\n";

/// "1.14.0" of "augparse 1.14.0 <http://augeas.net/>".
std::string version_after(const std::string& text, const std::string& program) {
    for (const std::string& line : split(text, '\n')) {
        if (!line.starts_with(program + " ")) continue;
        const std::size_t start = program.size() + 1;
        return line.substr(start, line.find_first_not_of("0123456789.", start) - start);
    }
    return {};
}

std::string augeas_version(const FactHost& host) {
    // They say it on stderr.
    for (const std::string program : {"augparse", "augtool"}) {
        if (!host.has_program(program)) continue;
        const auto text = host.output_of({"/bin/sh", "-c", program + " --version 2>&1"}, 5);
        if (std::string version = version_after(text.value_or(""), program); !version.empty()) return version;
    }
    return {};
}

Json find_programs(const FactHost& host) {
    Json facts = Json::object();
    std::string augeas = augeas_version(host);
    const std::string ruby = host.exists(puppets_ruby) ? puppets_ruby : "ruby";
    std::vector<std::string> question = {ruby, "--disable=gems", "-e", ruby_question};
    if (augeas.empty()) question.emplace_back("augeas");
    const std::vector<std::string> answer = split(trim(host.output_of(question, 10).value_or("")), '\n');
    if (answer.size() >= 3) {
        facts["ruby"] = Json{{"platform", answer[0]}, {"version", answer[1]}};
        if (!answer[2].empty()) facts["ruby"]["sitedir"] = answer[2];
    }
    if (augeas.empty() && answer.size() > 3) augeas = answer[3];
    if (!augeas.empty()) facts["augeas"] = Json{{"version", augeas}};
    return facts;
}

}  // namespace

const FactGroup& program_facts() {
    static const FactGroup group{{"augeas", "ruby"}, find_programs};
    return group;
}

}  // namespace volley::agent
