#include "apply/agent/types/augeas/augtool.hpp"

#include <unistd.h>

#include <algorithm>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// Printed between answers. No answer looks like it: values stand in quotes only where a node is printed.
constexpr std::string_view mark_command = "print /augeas/root\n";
constexpr std::string_view mark_begin = "/augeas/root = \"";

/// What augtool's reader of lines takes for a key.
void check_characters(std::string_view text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7F)
            throw ApplyError("augtool does not accept control characters");
    }
}

void add_escaped(std::string& out, char c) {
    switch (c) {
        case '\\':
            out += "\\\\";
            break;
        case '"':
            out += "\\\"";
            break;
        case '\t':
            out += "\\t";
            break;
        case '\n':
            out += "\\n";
            break;
        default:
            out += c;
    }
}

/// "/files/etc/hosts/1 = 127.0.0.1" is a node of that path. What does not begin so belongs to the value above
/// it.
std::vector<std::string> matched_paths(const std::string& answer) {
    std::vector<std::string> paths;
    for (const std::string& line : split(answer, '\n')) {
        const std::size_t equal = line.find(" = ");
        if (line.starts_with('/') && equal != std::string::npos) paths.push_back(line.substr(0, equal));
    }
    return paths;
}

/// Those of files and lenses; "/augeas/error" is the mistake in the command before it.
std::vector<std::string> errors_that_last(const std::string& answer) {
    std::vector<std::string> paths = matched_paths(answer);
    std::erase(paths, "/augeas/error");
    return paths;
}

/// augtool leaves its history in the home of its user.
class HistoryCleanup {
public:
    HistoryCleanup() {
        if (const auto user = user_with(::getuid()); user && !user->home.empty())
            folder_ = user->home + "/.augeas";
        there_ = folder_.empty() || file_exists(folder_);
    }
    ~HistoryCleanup() {
        if (there_) return;
        ::unlink((folder_ + "/history").c_str());
        ::rmdir(folder_.c_str());
    }
    HistoryCleanup(const HistoryCleanup&) = delete;
    HistoryCleanup& operator=(const HistoryCleanup&) = delete;

private:
    std::string folder_;
    bool there_ = true;
};

/// Puppet does not notice when Augeas refuses one of these.
bool may_fail(const AugeasCommand& command) { return command.name == "set" || command.name == "clearm"; }

}  // namespace

std::string augtool_path(std::string_view path) {
    check_characters(path);
    std::string out = "\"";
    for (std::size_t at = 0; at < path.size(); ++at) {
        const char next = at + 1 < path.size() ? path[at + 1] : '\0';
        if (path[at] == '\\' && (next == '[' || next == ']')) {
            out += {'\\', next};
            ++at;
        } else if (path[at] == '\\' && next == '\\') {
            out += "\\\\\\\\";
            ++at;
        } else {
            add_escaped(out, path[at]);
        }
    }
    return out + "\"";
}

std::string augtool_text(std::string_view text) {
    check_characters(text);
    std::string out = "\"";
    int brackets = 0;
    for (const char c : text) {
        brackets += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (brackets < 0)
            throw ApplyError("augtool does not accept " + Value(std::string(text)).inspected() +
                             ": unbalanced ']'");
        add_escaped(out, c);
    }
    return out + "\"";
}

std::string augtool_line(const AugeasCommand& command) {
    std::string line = command.name;
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
        const AugeasArgument& argument = command.arguments[i];
        const bool below = (command.name == "setm" || command.name == "clearm") && i == 1;
        const bool path = below || argument.kind == AugeasArgument::Kind::Path;
        line += " " + (path ? augtool_path(argument.text) : augtool_text(argument.text));
    }
    // Older ones do not know the longer name.
    return line.starts_with("remove ") ? "rm" + line.substr(6) : line;
}

std::optional<std::string> find_augtool() {
    std::vector<std::string> folders = search_path();
    folders.emplace_back("/opt/puppetlabs/puppet/bin");
    return find_program("augtool", folders);
}

/// What is loaded, and then the loading.
std::string Augtool::opening() const {
    std::string script;
    if (!settings_.incl.empty()) {
        script += "set /augeas/load/Xfm/lens " + augtool_text(settings_.lens) + "\n";
        script += "set /augeas/load/Xfm/incl " + augtool_text(settings_.incl) + "\n";
    } else if (const std::string folder = restricted(); !folder.empty()) {
        // Lenses for other files go, unless that were all of them.
        const std::string other = "'" + folder + "/' !~ glob(incl) + regexp('/.*')";
        const std::string own = "'" + folder + "/' =~ glob(incl) + regexp('/.*')";
        script += "rm \"/augeas/load/*[" + other + "][count(/augeas/load/*[" + own + "]) > 0]\"\n";
    }
    return script + "load\n";
}

/// "/etc/hosts" for the context "/files/etc/hosts"; empty when it is not such a path.
std::string Augtool::restricted() const {
    const std::string& context = settings_.context;
    if (!context.starts_with("/files/") || context.size() < 8) return {};
    if (context.find_first_of("'\"[]\\\n") != std::string::npos) return {};
    std::string folder = context.substr(6);
    if (folder.ends_with('/')) folder.pop_back();
    return folder;
}

Finished Augtool::execute(const std::string& script) {
    Command command(
        {find_augtool().value_or("augtool"), settings_.incl.empty() ? "-L" : "-A", "-r", settings_.root});
    for (const std::string& folder : settings_.load_path) {
        command.argv.emplace_back("-I");
        command.argv.push_back(folder);
    }
    if (settings_.type_check) command.argv.emplace_back("-c");
    command.input = script;
    command.errors = Command::Errors::Dropped;
    command.c_locale = false;
    command.environment = {{"LC_ALL", "C.UTF-8"}, {"INPUTRC", "/dev/null"}, {"TERM", "dumb"}};
    if (run_.logs(Level::Debug)) run_.log(Level::Debug, "Executing: '" + join(command.argv, " ") + "'");
    const HistoryCleanup cleanup;
    return run(command);
}

Augtool::Answer Augtool::ask(const std::vector<std::string>& lines) {
    const std::string folder = restricted();
    std::string script = opening() + std::string(mark_command) + "match /augeas//error\n";
    script += mark_command;
    if (!settings_.incl.empty())
        script += "match /augeas//error\n";
    else if (!folder.empty())
        script += "match " + augtool_path("/augeas/files" + folder + "//error") + "\n";
    script += mark_command;
    for (const std::string& line : lines) script += line + "\n" + std::string(mark_command);
    const Finished done = execute(script);
    Answer answer;
    answer.exit_code = done.exit_code;
    std::size_t at = 0;
    while (at < done.output.size()) {
        const std::size_t mark = done.output.compare(at, mark_begin.size(), mark_begin) == 0
                                     ? at
                                     : done.output.find("\n" + std::string(mark_begin), at);
        if (mark == std::string::npos) break;
        const std::size_t begin = mark == at ? at : mark + 1;
        answer.parts.push_back(done.output.substr(at, begin - at));
        at = std::min(done.output.find('\n', begin), done.output.size() - 1) + 1;
    }
    if (answer.parts.size() < 3) throw ApplyError("unknown error - Failed to initialize Augeas");
    answer.errors = answer.parts[1];
    load_failed_ = !matched_paths(answer.parts[1]).empty() && !matched_paths(answer.parts[2]).empty();
    answer.parts.erase(answer.parts.begin(), answer.parts.begin() + 3);
    answer.parts.resize(lines.size());
    return answer;
}

std::vector<std::optional<std::vector<std::string>>> Augtool::matches(const std::vector<std::string>& paths) {
    std::vector<std::string> lines;
    for (const std::string& path : paths) lines.push_back("match " + augtool_path(path));
    std::vector<std::optional<std::vector<std::string>>> found;
    for (const std::string& part : ask(lines).parts) {
        if (part.empty())
            found.emplace_back(std::nullopt);
        else
            found.emplace_back(matched_paths(part));
    }
    return found;
}

std::vector<std::optional<std::string>> Augtool::values(const std::vector<std::string>& paths) {
    std::vector<std::string> lines;
    for (const std::string& path : paths) lines.push_back("get " + augtool_path(path));
    const Answer answer = ask(lines);
    std::vector<std::optional<std::string>> found;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        std::string path = paths[i];
        while (path.size() > 1 && path.back() == '/') path.pop_back();
        const std::string begin = path + " = ";
        const std::string& part = answer.parts[i];
        if (part.starts_with(begin) && part.ends_with('\n'))
            found.emplace_back(part.substr(begin.size(), part.size() - begin.size() - 1));
        else
            found.emplace_back(std::nullopt);
    }
    return found;
}

Augtool::Outcome Augtool::change(const std::vector<AugeasCommand>& commands, bool only_beside) {
    std::vector<std::string> lines = {std::string("set /augeas/save ") +
                                      (only_beside ? "newfile" : "overwrite")};
    for (const AugeasCommand& command : commands) lines.push_back(augtool_line(command));
    lines.emplace_back("save");
    lines.emplace_back("match /augeas/events/saved");
    lines.emplace_back("match /augeas//error");
    const Answer answer = ask(lines);
    Outcome outcome;
    for (const std::string& line : split(answer.parts[answer.parts.size() - 2], '\n')) {
        const std::size_t equal = line.find(" = ");
        if (!line.starts_with('/') || equal == std::string::npos) continue;
        const std::string file = line.substr(equal + 3);
        if (std::find(outcome.files.begin(), outcome.files.end(), file) == outcome.files.end())
            outcome.files.push_back(file);
    }
    if (answer.exit_code == 0) return outcome;
    if (refuses(commands, commands.size())) {
        outcome.failed = first_refused(commands);
        outcome.saved =
            errors_that_last(answer.parts.back()) == errors_that_last(answer.errors) && !refuses({}, 0);
    } else {
        outcome.saved = false;
    }
    return outcome;
}

bool Augtool::refuses(const std::vector<AugeasCommand>& commands, std::size_t count) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < count; ++i) lines.push_back(augtool_line(commands[i]));
    return ask(lines).exit_code != 0;
}

/// augtool only says that something failed, so the first commands are tried again: half of them, and so on.
std::optional<std::size_t> Augtool::first_refused(const std::vector<AugeasCommand>& commands) {
    if (!refuses(commands, commands.size())) return std::nullopt;
    std::vector<AugeasCommand> rest = commands;
    std::vector<std::size_t> places(commands.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    if (refuses({}, 0)) return std::nullopt;  // something else than the commands
    while (!rest.empty() && refuses(rest, rest.size())) {
        std::size_t fine = 0, bad = rest.size();
        while (bad - fine > 1) {
            const std::size_t middle = fine + (bad - fine) / 2;
            (refuses(rest, middle) ? bad : fine) = middle;
        }
        if (!may_fail(rest[fine])) return places[fine];
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(fine));
        places.erase(places.begin() + static_cast<std::ptrdiff_t>(fine));
    }
    return std::nullopt;
}

}  // namespace volley::agent
