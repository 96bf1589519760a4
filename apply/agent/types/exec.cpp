#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/machine/process.hpp"
#include "apply/agent/transaction/run.hpp"
#include "apply/agent/types/instance.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

constexpr std::string_view digits = "0123456789";

/// As Ruby's Float() reads it: blanks around it, "_" between digits, "0x1f"; nullopt for what it refuses.
std::optional<double> ruby_float(std::string_view given) {
    std::string text;
    given = trim(given);
    for (std::size_t at = 0; at < given.size(); ++at) {
        const auto is_digit = [&](std::size_t i) {
            return i < given.size() && std::isxdigit(static_cast<unsigned char>(given[i])) != 0;
        };
        if (given[at] == '_' && at > 0 && is_digit(at - 1) && is_digit(at + 1)) continue;
        // "1." and ".e1" Ruby refuses.
        if (given[at] == '.' &&
            (at + 1 == given.size() || digits.find(given[at + 1]) == std::string_view::npos))
            return std::nullopt;
        text += given[at];
    }
    const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    const bool hexadecimal = text.compare(sign, 2, "0x") == 0 || text.compare(sign, 2, "0X") == 0;
    const char* const begin = text.data() + sign + (hexadecimal ? 2 : 0);
    const char* const end = text.data() + text.size();
    if (begin == end || *begin == '-') return std::nullopt;
    double number = 0;
    const auto [stop, fault] = std::from_chars(
        begin, end, number, hexadecimal ? std::chars_format::hex : std::chars_format::general);
    if (fault != std::errc() || stop != end || !std::isfinite(number)) return std::nullopt;
    return text.starts_with('-') ? -number : number;
}

/// A number of seconds or of tries; nullopt when it is none.
std::optional<double> number_of(const Value& value) {
    if (value.is(Value::Kind::Integer)) return static_cast<double>(value.integer());
    if (value.is(Value::Kind::Float)) return value.number();
    return ruby_float(value.to_text());
}

bool has_only(std::string_view text, std::string_view characters) {
    return text.find_first_not_of(characters) == std::string_view::npos;
}

std::string why_no_number(const Value& timeout) {
    if (timeout.is_text() || timeout.is(Value::Kind::Array)) return "The timeout must be a number.";
    const bool truth = timeout.is(Value::Kind::Boolean);
    return "can't convert " + (truth ? timeout.to_text() : std::string(ruby_class(timeout))) + " into Float";
}

bool is_variable_name(std::string_view name) {
    return std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
    });
}

/// Compatibility: one `=` somewhere that follows the last character of a name.
bool sets_something(std::string_view setting) {
    for (std::size_t at = setting.find('='); at != std::string_view::npos; at = setting.find('=', at + 1)) {
        if (at > 0 && is_variable_name(setting.substr(at - 1, 1))) return true;
    }
    return false;
}

/// As Ruby shows a command in a message: a list like ["a", "b"].
std::string command_text(const Value& command) {
    return command.is(Value::Kind::Array) ? command.inspected() : command.to_text();
}

/// The program of a command: what stands in quotes at its begin, or its first word.
std::string program_of(const Value& command) {
    if (command.is(Value::Kind::Array))
        return command.items().empty() ? std::string() : command.items()[0].to_text();
    const std::string line = command.to_text();
    if (!line.empty() && (line[0] == '"' || line[0] == '\'')) {
        const std::size_t end = line.find(line[0], 1);
        if (end != std::string::npos && end > 1) return line.substr(1, end - 1);
    }
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string::npos || start > 0) return {};
    return line.substr(0, line.find(' '));
}

class Exec final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return shell_ ? "shell" : "posix"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override { return current == wanted.value; }
    // Compatibility: a command that runs again because a check fails is never as it was.
    bool is_unchanged(const Wanted&, const Value&, const Value&) override { return false; }
    void sync(Wanted&, const Value&) override { execute(); }
    std::string change_text(const Wanted&, const Value&) override { return "executed successfully"; }
    std::vector<Autorelation> autorelations() override;
    bool can_refresh() const override { return true; }
    void refresh() override;

private:
    /// What messages show of a parameter.
    std::string shown(std::string_view name, std::string text) const {
        return is_sensitive(name) ? "[redacted]" : std::move(text);
    }
    std::string shown_program(const Value& command) const {
        return hides_commands_ ? "[redacted]" : program_of(command);
    }
    std::string shown_command() const {
        return hides_commands_ ? "[command redacted]" : "'" + command_text(command_) + "'";
    }
    void check_command(const Value& command, const std::string& what) const;
    void check_program(const Value& command) const;
    Finished run_command(const Value& command, bool check);
    bool checks_allow(bool refreshing);
    bool check_allows(std::string_view name, const Value& command);
    void execute();
    void log_output(const Finished& done, bool as_expected);
    bool expects(int code) const;
    std::vector<Value> commands(std::string_view name) const;
    void debug(const std::string& text) const {
        if (run_.logs(Level::Debug)) run_.log(Level::Debug, resource_, text);
    }

    Value command_;
    bool shell_ = false;
    bool hides_commands_ = false;  ///< one of its commands is Sensitive
    bool hides_output_ = false;    ///< anything that a command could repeat is Sensitive
    double timeout_ = 300;
    double try_sleep_ = 0;
    int tries_ = 1;
    std::vector<std::string> path_;
    bool has_path_ = false;
    std::vector<std::string> expected_;
    std::optional<mode_t> umask_;
};

void Exec::prepare() {
    const auto failed = [this](const std::string& name, const std::string& why) {
        return parameter_error(resource_, name, why);
    };
    // Compatibility: what is found while a value is converted names the value.
    const auto not_converted = [&](const std::string& name, const Value& value, const std::string& why) {
        return failed(name, "Munging failed for value " + shown(name, value.inspected()) + " in class " +
                                name + ": " + why);
    };
    const Value* command = resource_.find("command");
    command_ = command != nullptr ? *command : Value(resource_.title);
    if (!command_.is_text() && !command_.is(Value::Kind::Array))
        throw failed("command", "Command must be a String or Array<String>, got value of class " +
                                    std::string(ruby_class(command_)));
    const std::string provider = resource_.text("provider", "posix");
    if (provider != "posix" && provider != "shell")
        throw failed("provider", "Invalid exec provider '" + provider + "'");
    shell_ = provider == "shell";
    for (const char* name : {"command", "unless", "onlyif", "refresh"})
        hides_commands_ = hides_commands_ || is_sensitive(name);
    hides_output_ = !resource_.sensitive.empty();
    has_path_ = resource_.find("path") != nullptr;
    for (const Value& part : commands("path")) {
        if (!part.is_text() && !part.is(Value::Kind::Array))
            throw not_converted("path", *resource_.find("path"), not_a_text(part));
    }
    for (const std::string& part : resource_.texts("path")) {
        for (const std::string& folder : split(part, ':')) path_.push_back(folder);
    }
    if (const Value* value = resource_.find("timeout")) {
        const auto number =
            number_of(value->is(Value::Kind::Array) && !value->items().empty() ? value->items()[0] : *value);
        if (!number) throw not_converted("timeout", *value, why_no_number(*value));
        timeout_ = std::max(*number, 0.0);
    }
    if (const Value* value = resource_.find("tries")) {
        const auto number = number_of(*value);
        const bool other_text = value->is_text() && !has_only(value->to_text(), digits);
        if (!number || other_text || *number != std::floor(*number))
            throw not_converted("tries", *value, "Tries must be an integer");
        if (*number < 1) throw not_converted("tries", *value, "Tries must be an integer >= 1");
        tries_ = static_cast<int>(std::min(*number, 1e6));
    }
    if (const Value* value = resource_.find("try_sleep")) {
        const auto number = number_of(*value);
        if (value->is_text() && !number && has_only(value->to_text(), "-.0123456789"))
            throw not_converted("try_sleep", *value,
                                "invalid value for Float(): " + shown("try_sleep", value->inspected()));
        if (!number || (value->is_text() && !has_only(value->to_text(), "-.0123456789")))
            throw not_converted("try_sleep", *value, "try_sleep must be a number");
        if (*number < 0) throw not_converted("try_sleep", *value, "try_sleep cannot be a negative number");
        try_sleep_ = *number;
    }
    if (const Value* value = resource_.find("umask")) {
        unsigned mask = 0;
        const std::string text = value->to_text();
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), mask, 8);
        if (!value->is_text() || fault != std::errc() || end != text.data() + text.size() ||
            text.size() > 5 || mask > 07777U)
            throw failed("umask",
                         "The umask specification is invalid: " + shown("umask", value->inspected()));
        umask_ = static_cast<mode_t>(mask);
    }
    for (const Value& given : commands("environment")) {
        const std::string setting = given.to_text();
        if (given.is(Value::Kind::Object)) throw ApplyError(not_a_text(given));
        if (!given.is_text() || !sets_something(setting))
            throw failed("environment",
                         "Invalid environment setting '" +
                             shown("environment", given.is_text() ? setting : given.inspected()) + "'");
        if (is_sensitive("environment"))
            run_.secrets.add(std::string_view(setting).substr(setting.find('=') + 1));
    }
    if (const Value* cwd = resource_.find("cwd"); cwd != nullptr && cwd->is(Value::Kind::Array))
        throw failed("cwd", "cwd only accepts a single path, not an array of paths");
    for (const char* name : {"cwd", "creates"}) {
        for (const std::string& text : resource_.texts(name)) {
            if (!text.starts_with('/'))
                throw failed(name, std::string(name) + " must be a fully qualified path");
        }
    }
    word_parameter(resource_, "logoutput", "true, false, on_failure");
    true_or_false(resource_, "refreshonly", false);
    expected_ = resource_.texts("returns");
    if (expected_.empty() && resource_.find("returns") == nullptr) expected_.emplace_back("0");
    if (const std::string user = resource_.text("user"); !user.empty() && ::geteuid() != 0) {
        const auto own = user_with(::geteuid());
        if (!own || own->name != user) throw failed("user", "Only root can execute commands as other users");
    }
    check_command(command_, "Validation of " + resource_.reference() + " failed");
    const auto of = [this](const std::string& name) {
        return "Parameter " + name + " failed on " + resource_.reference();
    };
    for (const char* name : {"unless", "onlyif"}) {
        for (const Value& one : commands(name)) check_command(one, of(name));
    }
    if (const Value* refresh = resource_.find("refresh")) check_command(*refresh, of("refresh"));
}

/// A list of commands; a list inside of it is a command in words. The whole may be one command.
std::vector<Value> Exec::commands(std::string_view name) const {
    const Value* value = resource_.find(name);
    if (value == nullptr) return {};
    return value->is(Value::Kind::Array) ? value->items() : std::vector<Value>{*value};
}

void Exec::check_command(const Value& command, const std::string& what) const {
    if (!command.is_text() && !command.is(Value::Kind::Array)) throw ApplyError(not_a_text(command));
    const std::string program = program_of(command);
    if (shell_ || program.starts_with('/') || has_path_) return;
    throw ApplyError(
        what + ": '" + shown_program(command) +
        "' is not qualified and no path was specified. Please qualify the command or specify a path.");
}

void Exec::check_program(const Value& command) const {
    const std::string program = program_of(command), named = "'" + shown_program(command) + "'";
    if (program.starts_with('/') && plain_path(program) == program) {
        const auto stat = file_stat(program, true);
        if (!stat) throw ApplyError("Could not find command " + named);
        if (stat->kind != FileKind::File)
            throw ApplyError(named + " is a " + std::string(kind_word(stat->kind)) + ", not a file");
        if (::access(program.c_str(), X_OK) != 0) throw ApplyError(named + " is not executable");
        return;
    }
    if (has_path_ && find_program(program, path_)) return;
    throw ApplyError("Could not find command " + named);
}

Finished Exec::run_command(const Value& command, bool check) {
    const Value line =
        shell_ ? Value(Value::Items{Value(std::string("/bin/sh")), Value(std::string("-c")), command})
               : command;
    check_program(line);
    debug(std::string("Executing") + (check ? " check" : "") + " '" +
          (hides_commands_ ? "[redacted]" : command_text(line)) + "'");
    Command child;
    child.c_locale = false;
    if (line.is(Value::Kind::Array)) {
        for (const Value& word : line.items()) {
            if (word.is(Value::Kind::Array)) {
                // Compatibility: of a list that a shell shall run the first word is the line.
                for (const Value& part : word.items()) child.argv.push_back(part.to_text());
            } else {
                child.argv.push_back(word.to_text());
            }
        }
    } else {
        child.argv = command_words(line.to_text());
    }
    if (has_path_) child.environment.emplace_back("PATH", join(path_, ":"));
    for (const std::string& setting : resource_.texts("environment")) {
        const std::size_t equal = setting.find('=');
        const std::string name = setting.substr(0, equal);
        if (name.empty() || !is_variable_name(name)) {
            run_.log_by_provider(
                Level::Warning, resource_,
                "Cannot understand environment setting " + shown("environment", Value(setting).inspected()));
            continue;
        }
        if (equal + 1 == setting.size())
            run_.warn_once("Empty environment setting '" + name + "'\n   (file: " + resource_.file +
                           ", line: " + std::to_string(resource_.line) + ")");
        const auto known = std::find_if(child.environment.begin(), child.environment.end(),
                                        [&](const auto& own) { return own.first == name; });
        if (known != child.environment.end()) {
            run_.log_by_provider(Level::Warning, resource_,
                                 "Overriding environment setting '" + name + "' with '" +
                                     shown("environment", setting.substr(equal + 1)) + "'");
            known->second = setting.substr(equal + 1);
        } else {
            child.environment.emplace_back(name, setting.substr(equal + 1));
        }
    }
    child.directory = resource_.text("cwd");
    child.umask = umask_;
    for (const char* name : {"user", "group"}) {
        // No name is not the agent's own.
        if (resource_.find(name) != nullptr && resource_.text(name).empty())
            throw ApplyError(std::string("Invalid ") + name + ": the name is empty");
    }
    child.user = resource_.text("user");
    child.group = resource_.text("group");
    child.timeout = timeout_;
    Finished done = run(child);
    // Compatibility: what a shell says of a program that it does not find is the error.
    if (!done.timed_out && done.exit_code == 127)
        throw ApplyError(hides_output_ ? "The command was not found: [output redacted]" : done.output);
    return done;
}

bool Exec::check_allows(std::string_view name, const Value& command) {
    const Finished done = run_command(command, true);
    if (done.timed_out) {
        run_.log(Level::Err, resource_, std::string(name),
                 "Check " + (hides_commands_ ? "[redacted]" : command.inspected()) + " exceeded timeout");
        return false;
    }
    if (run_.logs(Level::Debug)) {
        for (const std::string& line : split(done.output, '\n')) {
            if (!line.empty())
                run_.log(Level::Debug, resource_, std::string(name),
                         hides_output_ ? "[output redacted]" : line);
        }
    }
    return (done.exit_code == 0) == (name == "onlyif");
}

/// In the order of their definition.
bool Exec::checks_allow(bool refreshing) {
    const auto refused = [this](const char* name) {
        debug("'" + (hides_commands_ ? "[command redacted]" : command_text(command_)) +
              "' won't be executed because of failed check '" + name + "'");
        return false;
    };
    if (!refreshing && resource_.text("refreshonly") == "true") return refused("refreshonly");
    for (const std::string& path : resource_.texts("creates")) {
        if (file_exists(path)) return refused("creates");
    }
    for (const char* name : {"unless", "onlyif"}) {
        for (const Value& command : commands(name)) {
            if (!check_allows(name, command)) return refused(name);
        }
    }
    return true;
}

Current Exec::retrieve() {
    Value::Items expected;
    for (const std::string& code : expected_) expected.emplace_back(code);
    Current current;
    current.set("returns", checks_allow(false) ? Value::symbol("notrun") : Value(std::move(expected)));
    return current;
}

std::vector<Wanted> Exec::wanted() {
    // Compatibility: where no exit code is expected, nothing is wanted.
    if (expected_.empty()) return {};
    Wanted returns;
    returns.name = "returns";
    returns.event = "executed_command";
    Value::Items expected;
    for (const std::string& code : expected_) expected.emplace_back(code);
    returns.value = Value(std::move(expected));
    returns.sensitive = is_sensitive("returns");
    return {returns};
}

bool Exec::expects(int code) const {
    return std::find(expected_.begin(), expected_.end(), std::to_string(code)) != expected_.end();
}

void Exec::execute() {
    Finished done;
    for (int attempt = 1; attempt <= tries_; ++attempt) {
        if (tries_ > 1) debug("Exec try " + std::to_string(attempt) + "/" + std::to_string(tries_));
        done = run_command(command_, false);
        if (done.timed_out) throw ApplyError("Command exceeded timeout");
        if (expects(done.exit_code)) break;
        // Compatibility: after the last try, too.
        if (try_sleep_ > 0 && tries_ > 1)
            ::usleep(static_cast<useconds_t>(std::min(try_sleep_, 4000.0) * 1e6));
    }
    const bool fine = expects(done.exit_code);
    log_output(done, fine);
    if (fine) return;
    throw ApplyError(shown_command() + " returned " + std::to_string(done.exit_code) +
                     " instead of one of [" + join(expected_, ",") + "]");
}

void Exec::log_output(const Finished& done, bool as_expected) {
    const std::string wanted = resource_.text("logoutput", "on_failure");
    if (wanted == "false" || (wanted == "on_failure" && as_expected)) return;
    const Level level = Run::level_of(resource_);
    if (hides_output_) {
        run_.log(level, resource_, "returns", "[output redacted]");
        return;
    }
    std::vector<std::string> lines = split(done.output, '\n');
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    for (std::string& line : lines) run_.log(level, resource_, "returns", std::move(line));
}

void Exec::refresh() {
    if (!checks_allow(true)) return;
    const Value* command = resource_.find("refresh");
    if (command == nullptr) return execute();
    // Compatibility: whatever its exit code is, it is fine.
    if (run_command(*command, false).timed_out) throw ApplyError("execution expired");
}

std::vector<Autorelation> Exec::autorelations() {
    std::vector<Autorelation> list;
    const auto require_file = [&](std::string path) {
        if (path.starts_with('/')) list.push_back({Autorelation::Kind::Require, "File", std::move(path)});
    };
    const auto first_path = [&](const Value& command) {
        std::string line = command.is(Value::Kind::Array)
                               ? (command.items().empty() ? std::string() : command.items()[0].to_text())
                               : command.to_text();
        for (const std::string& part : split(line, '\n')) {
            if (part.starts_with('/')) require_file(part.substr(0, part.find_first_of(" \t\r\f\v")));
        }
        return line;
    };
    require_file(resource_.text("cwd"));
    const std::string line = first_path(command_);
    if (line.starts_with('"') && line.find('"', 1) != std::string::npos)
        require_file(line.substr(1, line.find('"', 1) - 1));
    for (const char* name : {"onlyif", "unless"}) {
        for (const Value& command : commands(name)) first_path(command);
    }
    const std::string user = resource_.text("user");
    if (!user.empty() && !decimal(user)) list.push_back({Autorelation::Kind::Require, "User", user});
    return list;
}

constexpr std::array<Attribute, 18> exec_attributes = {
    {{"command", Kind::Namevar, "Variant[String, Array[String]]",
      "What to run: a line for a shell or, as an array, a program and its arguments. Without `path`, the "
      "program's full path."},
     {"returns", Kind::Property, "Variant[Integer, Array[Integer]]", "Exit codes that mean success (0)."},
     {"path", Kind::Parameter, "Variant[String, Array[String]]", "Folders in which programs are looked for."},
     {"user", Kind::Parameter, "String", "Who runs it."},
     {"group", Kind::Parameter, "String", "With which group it runs."},
     {"cwd", Kind::Parameter, "String", "The folder in which it runs; it must exist."},
     {"logoutput", Kind::Parameter, "Variant[Boolean, Enum[on_failure]]",
      "Whether its output is logged: always, never, or when it fails (on_failure)."},
     {"refresh", Kind::Parameter, "String", "What to run instead when the resource is notified."},
     {"environment", Kind::Parameter, "Variant[String, Array[String]]", "Variables as \"NAME=value\"."},
     {"umask", Kind::Parameter, "String", "The umask of the process, in octal."},
     {"timeout", Kind::Parameter, "Numeric",
      "Seconds after which it is ended (300); 0 for never. Counts for each try."},
     {"tries", Kind::Parameter, "Integer[1]", "How often it is tried (1)."},
     {"try_sleep", Kind::Parameter, "Numeric", "Seconds between tries (0)."},
     {"refreshonly", Kind::Parameter, "Boolean", "Run only when notified (false)."},
     {"creates", Kind::Parameter, "Variant[String, Array[String]]",
      "Files that make it unnecessary: when one of them exists it does not run."},
     {"unless", Kind::Parameter, "Variant[String, Array[String]]",
      "A command that makes it unnecessary when it succeeds. In an array, one that succeeds is enough."},
     {"onlyif", Kind::Parameter, "Variant[String, Array[String]]",
      "A command that must succeed first. In an array, all must."},
     {"provider", Kind::Parameter, "Enum[posix, shell]",
      "posix runs the program itself, shell hands the line to /bin/sh (posix)."}}};

}  // namespace

const TypeSpec& exec_type() {
    static const TypeSpec spec{"exec", "Runs a command, under conditions.", "posix shell", exec_attributes,
                               make_instance_of<Exec>};
    return spec;
}

}  // namespace volley::agent
