#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/groups.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr const char* puppets_ruby = "/opt/puppetlabs/puppet/bin/ruby";

constexpr std::string_view files_mark = "-- files";
constexpr std::string_view end_mark = "-- end";

/// Prints platform, version and folder of Ruby, then the version of the Augeas that it is bound to, if any;
/// then every file that went into the answer, and every folder in which another one could have been found.
/// RubyGems takes as long as the rest to load, so it is asked for only when it is needed. The flags keep
/// Augeas from reading its lenses and the files of the machine: 32 | 64.
constexpr const char* ruby_question =
    "require 'rbconfig'\n"
    "puts RUBY_PLATFORM, RUBY_VERSION, RbConfig::CONFIG['sitelibdir'].to_s\n"
    "begin\n"
    "  begin\n"
    "    require 'augeas'\n"
    "  rescue LoadError\n"
    "    require 'rubygems'\n"
    "    require 'augeas'\n"
    "  end\n"
    "  puts Augeas.open(nil, nil, 96).get('/augeas/version')\n"
    "rescue LoadError\n"
    "end if ARGV[0]\n"
    "puts '-- files'\n"
    "begin\n"
    "  maps = File.readlines('/proc/self/maps').map { |line| line.chomp.split(' ', 6)[5] }\n"
    "  puts maps.compact.uniq, $LOADED_FEATURES, $LOAD_PATH\n"
    "  puts Gem.path.map { |path| [path, path + '/specifications', path + '/gems'] } if defined?(Gem)\n"
    "  puts '-- end'\n"
    "rescue StandardError\n"
    "end\n";

/// A wrapper that looks for the right Ruby may go by anything; the program itself is among its own files.
std::optional<std::vector<std::string>> files_read_by_ruby(const std::string& program,
                                                           const std::string& answer) {
    std::vector<std::string> files = split(trim(answer), '\n');
    const auto mark = std::find(files.begin(), files.end(), files_mark);
    if (mark == files.end() || files.back() != end_mark) return std::nullopt;
    files.pop_back();
    files.erase(files.begin(), mark + 1);
    if (std::find(files.begin(), files.end(), program) == files.end()) return std::nullopt;
    if (std::any_of(files.begin(), files.end(),
                    [](const std::string& file) { return file.ends_with(" (deleted)"); }))
        return std::nullopt;
    // What is built into it has no path: "[heap]", "thread.rb".
    std::erase_if(files, [](const std::string& file) { return !file.starts_with('/'); });
    files.emplace_back("/etc/ld.so.cache");
    return files;
}

LastingQuestion question_to_ruby(const FactHost& host, bool augeas_too) {
    LastingQuestion question{
        "ruby",
        {host.exists(puppets_ruby) ? puppets_ruby : "ruby", "--disable=gems", "-e", ruby_question},
        10,
        files_read_by_ruby};
    if (augeas_too) question.argv.emplace_back("augeas");
    return question;
}

/// "1.14.0" of "augparse 1.14.0 <http://augeas.net/>".
std::string version_after(const std::string& text, const std::string& program) {
    for (const std::string& line : split(text, '\n')) {
        if (!line.starts_with(program + " ")) continue;
        const std::size_t start = program.size() + 1;
        return line.substr(start, line.find_first_not_of("0123456789.", start) - start);
    }
    return {};
}

/// Where the library may lie that knows the version; the loader's cache is another one after most changes.
std::vector<std::string> libraries_of_augeas(const FactHost& host, const std::string& program) {
    const std::string prefix = program.substr(0, program.rfind("/bin/"));
    std::vector<std::string> folders{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"};
    for (const char* folder : {"/lib", "/lib64"}) folders.push_back(prefix + folder);
    for (const char* above : {"/lib", "/usr/lib"}) {
        for (const std::string& name : host.names(above)) {
            if (name.find("-linux-") != std::string::npos) folders.push_back(above + ("/" + name));
        }
    }
    for (std::string& folder : folders) folder += "/libaugeas.so.0";
    folders.emplace_back("/etc/ld.so.cache");
    return folders;
}

/// They say it on stderr, and read all their lenses first.
LastingQuestion version_question(const FactHost& host, const std::string& program) {
    const auto depends_on = [&host, program](const std::string&,
                                             const std::string&) -> std::optional<std::vector<std::string>> {
        const auto path = host.program_path(program);
        if (!path || !is_compiled(*path)) return std::nullopt;
        std::vector<std::string> files = libraries_of_augeas(host, *path);
        files.push_back(*path);
        return files;
    };
    return {program,
            {"/bin/sh", "-c", program + " --version 2>&1"},
            5,
            depends_on,
            host.program_path(program).value_or("")};
}

std::string augeas_version(const FactHost& host) {
    for (const std::string program : {"augparse", "augtool"}) {
        if (!host.has_program(program)) continue;
        const auto text = host.answer_to(version_question(host, program));
        if (std::string version = version_after(text.value_or(""), program); !version.empty()) return version;
    }
    return {};
}

void begin_programs(const FactHost& host) {
    const bool augeas_is_there = host.has_program("augparse") || host.has_program("augtool");
    host.begin_asking(question_to_ruby(host, !augeas_is_there));
    if (host.has_program("augparse")) host.begin_asking(version_question(host, "augparse"));
}

Json find_programs(const FactHost& host) {
    Json facts = Json::object();
    std::string augeas = augeas_version(host);
    const std::string text = host.answer_to(question_to_ruby(host, augeas.empty())).value_or("");
    const std::string printed = text.substr(0, text.find(std::string(files_mark) + "\n"));
    const std::vector<std::string> answer = split(trim(printed), '\n');
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
    static const FactGroup group{{"augeas", "ruby"}, find_programs, begin_programs};
    return group;
}

}  // namespace volley::agent
