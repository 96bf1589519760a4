#include "cli/options/command_line.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/options/parser.hpp"
#include "cli/verb.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

using Words = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

ParserHost host() {
    ParserHost host;
    host.expand_path = [](const std::string& path) { return "/work/" + path; };
    host.read_argument = [](const std::string& value) {
        return value.starts_with('@') ? "content of " + value.substr(1) + "\n" : value;
    };
    host.read_password = [](std::string_view prompt) { return "typed after " + std::string(prompt); };
    return host;
}

CommandLine read(const Words& arguments, const ParserHost& the_host = host()) {
    OptionParser parser(the_host);
    Words words = parser.parse(arguments);
    return read_command_line(std::move(words), parser.result(), the_host.read_argument);
}

std::string complaint(const Words& arguments, const ParserHost& the_host = host()) {
    try {
        read(arguments, the_host);
    } catch (const Error& error) {
        CHECK(error.info().kind() == "bolt/cli-error");
        return error.what();
    }
    return "no error";
}

TEST_CASE("OPT-001 OPT-008 transport options keep their configuration names and types", "[cli]") {
    const CommandLine line =
        read({"command", "run", "true", "-t", "a b", "-t", "@list", "-u", "root", "--no-tty",
              "--connect-timeout", "5", "--private-key", "id", "--run-as=admin"});
    CHECK(line.options.target.targets == Words{"a b", "content of list\n"});
    CHECK(line.options.transport.values->dump() ==
          R"({"user":"root","tty":false,"connect-timeout":5,"private-key":"/work/id","run-as":"admin"})");
}

TEST_CASE("OPT-001 values that look like lists or are empty stay as they are", "[cli]") {
    const CommandLine line = read({"command", "run", "true", "-t", "[::1]", "-t", "[a,b]", "-t", "{}", "-t",
                                   "", "--password=", "--user", "-x"});
    CHECK(line.options.target.targets == Words{"[::1]", "[a,b]", "{}", ""});
    CHECK(line.options.transport.values->dump() == R"({"password":"","user":"-x"})");
}

TEST_CASE("OPT-010 OPT-015 prompts are asked while options are read", "[cli]") {
    const CommandLine line =
        read({"command", "run", "true", "-t", "a", "--password-prompt", "--sudo-password-prompt"});
    CHECK(line.options.transport.values->at("password") == "typed after Please enter your password: ");
    CHECK(line.options.transport.values->at("sudo-password") ==
          "typed after Please enter your privilege escalation password: ");
}

TEST_CASE("OPT-040 the last of a toggle and its opposite counts", "[cli]") {
    const auto verbose = [](const Words& more) {
        Words words{"command", "run", "true", "-t", "a"};
        words.insert(words.end(), more.begin(), more.end());
        return read(words).verbose();
    };
    CHECK(verbose({}));
    CHECK_FALSE(verbose({"-v", "--no-verbose"}));
    CHECK(verbose({"--no-verbose", "-v"}));
}

TEST_CASE("OPT-017 OPT-027 OPT-037 OPT-045 bad values are reported with the option and what it takes",
          "[cli]") {
    const auto with = [](const std::string& option, const std::string& value) {
        return complaint({"command", "run", "true", "-t", "a", option, value});
    };
    CHECK(with("--concurrency", "many") ==
          "Invalid parameter specified for option '--concurrency': many (a whole number is needed)");
    CHECK_THAT(with("-c", "5x"), Catch::Contains("'--concurrency': 5x"));
    CHECK_THAT(with("--transport", "l"), Catch::Contains("'--transport': l (one of choria, docker"));
    CHECK_THAT(with("--log-level", "loud"), Catch::Contains("trace, debug, info, warn, error, fatal"));
    CHECK_THAT(complaint({"task", "show", "--filter", "A*"}),
               Catch::Contains("Illegal characters in filter string 'A*'"));
    CHECK(read({"command", "run", "true", "-t", "a", "--filter", "$ok"}).options.display.filter == "$ok");
    CHECK(read({"command", "run", "true", "-t", "a", "--transport", "loc"}).options.transport.transport ==
          "local");
}

TEST_CASE("OPT-005 ARG-007 --params is one JSON object", "[cli]") {
    CHECK(read({"task", "run", "a", "-t", "x", "--params", R"({"b": [1, null]})"})
              .options.action.params->dump() == R"({"b":[1,null]})");
    CHECK(read({"task", "run", "a", "-t", "x", "--params", "{}"}).options.action.params->dump() == "{}");
    CHECK_THAT(complaint({"task", "run", "a", "-t", "x", "--params", "{secret"}),
               Catch::StartsWith("Unable to parse --params value as JSON") && !Catch::Contains("secret"));
    CHECK_THAT(complaint({"task", "run", "a", "-t", "x", "--params", "[1]"}),
               Catch::Contains("must be a JSON object"));
    CHECK_THAT(complaint({"task", "run", "a", "-t", "x", "--params", "{}", "b=1"}),
               Catch::Contains("not both"));
}

TEST_CASE("OPT-023 --inventoryfile and BOLT_INVENTORY exclude each other", "[cli]") {
    ParserHost with_variable = host();
    with_variable.inventory_in_environment = true;
    CHECK(complaint({"inventory", "show", "-i", "x"}, with_variable) ==
          "Cannot pass inventory file when BOLT_INVENTORY is set");
    CHECK(read({"inventory", "show", "-i", "x"}).options.run.inventory_file == "/work/x");
}

TEST_CASE("OPT-026 --env-var needs NAME=VALUE and belongs to command and script", "[cli]") {
    const CommandLine line =
        read({"script", "run", "s", "-t", "a", "--env-var", "A=1", "--env-var", "B=x=y", "--env-var", "A=2"});
    CHECK(line.options.action.environment == Pairs{{"B", "x=y"}, {"A", "2"}});
    CHECK(complaint({"script", "run", "s", "-t", "a", "--env-var", "A"}) ==
          "Environment variables must be given as 'NAME=VALUE', which 'A' is not");
    CHECK_THAT(complaint({"task", "run", "s", "-t", "a", "--env-var", "A=1"}),
               Catch::StartsWith("Option '--env-var'"));
}

TEST_CASE("CLI-003 CLI-004 CLI-014 CLI-016 words are sorted by verb", "[cli]") {
    CHECK(read({"command", "run", "@file", "-t", "a"}).object == "content of file\n");
    const CommandLine script = read({"script", "run", "s.sh", "-t", "a", "one", "b=2", "--", "-x"});
    CHECK(script.object == "s.sh");
    CHECK(script.leftovers == Words{"one", "b=2", "-x"});
    const CommandLine task = read({"task", "run", "a::b", "x=1", "y==", "x=2", "-t", "z"});
    CHECK(task.params == Pairs{{"y", "="}, {"x", "2"}});
    const CommandLine upload = read({"file", "upload", "s", "d", "-t", "a"});
    CHECK(upload.object == "s");
    CHECK(upload.leftovers == Words{"d"});
}

TEST_CASE("CLI-017 CLI-018 CLI-021 ARG-003 ARG-004 OPT-004 misuse is one clear sentence", "[cli]") {
    struct Row {
        Words given;
        std::string want;
    };
    const std::string targeting = "'--targets', '--rerun', or '--query'";
    const Row rows[] = {
        {{"comand"}, "'comand' is not a Volley command. Did you mean 'command'? See 'volley help'."},
        {{"zzz"}, "'zzz' is not a Volley command. See 'volley help'."},
        {{"file"},
         "Expected an action of the form 'volley file <action>', where <action> is one of download, upload"},
        {{"command", "walk"}, "Expected action 'walk' to be one of run"},
        {{"task", "walk"}, "Expected action 'walk' to be one of show, run"},
        {{"command", "run", "-t", "a"}, "Must specify a command to run"},
        {{"command", "run", "", "-t", "a"}, "Must specify a command to run"},
        {{"script", "run", "-t", "a"}, "Must specify a script to run"},
        {{"task", "run", "-t", "a"}, "Must specify a task to run"},
        {{"task", "run", "a=b", "-t", "a"}, "Invalid task 'a=b'"},
        {{"task", "run", "A::b", "-t", "a"}, "Invalid task 'A::b'"},
        {{"task", "run", "a::", "-t", "a"}, "Invalid task 'a::'"},
        {{"task", "run", "a", "b", "c=1", "-t", "a"}, "Unknown argument(s) b"},
        {{"command", "run", "a", "b", "c", "-t", "a"}, "Unknown argument(s) b, c"},
        {{"file", "upload", "-t", "a"}, "Must specify a source"},
        {{"file", "upload", "s", "-t", "a"}, "Must specify a destination"},
        {{"file", "download", "s", "d", "e", "-t", "a"}, "Unknown arguments e"},
        {{"group", "show", "x"}, "Unknown argument x"},
        {{"command", "run", "true"}, "Command requires a targeting option: " + targeting},
        {{"file", "upload", "s", "d"}, "Command requires a targeting option: " + targeting},
        {{"command", "run", "true", "-t", "a", "--rerun", "all"},
         "Only one targeting option can be specified: " + targeting},
        {{"command", "run", "true", "-t", "a", "--noop"},
         "Option '--noop' can only be specified when running a task or applying manifest code"},
        {{"module", "install", "x"},
         "Invalid argument 'x'. To add a new module to the project, run 'volley module add x'."},
        {{"module", "add"}, "Must specify a module name."},
        {{"module", "generate-types", "x"}, "Unknown argument x"},
        {{"command", "run", "true", "-t", "a", "-q", "x"},
         "Only one targeting option can be specified: " + targeting},
        {{"apply", "-t", "a"}, "a manifest file or --execute is required"},
        {{"apply", "x.pp", "-e", "notice(1)", "-t", "a"},
         "--execute is unsupported when specifying a manifest file"},
        {{"apply", "x.pp"}, "Command requires a targeting option: " + targeting},
        {{"policy", "apply", "-t", "a"}, "Must specify one or more policies to apply."},
        {{"policy", "apply", "x", "y", "-t", "a"},
         "Unknown argument(s) y. To apply multiple policies, provide a comma-separated list of policy "
         "names."},
        {{"policy", "new"}, "Must specify a name for the new policy."},
        {{"policy", "show", "x"}, "Unknown argument x."},
    };
    for (const Row& row : rows) {
        INFO(row.given.front());
        CHECK(complaint(row.given) == row.want);
    }
}

TEST_CASE("CLI-024 options that a verb has no use for are accepted", "[cli]") {
    CHECK(read({"group", "show", "--user", "x", "--plan-hierarchy", "--pp"}).verb->noun == "group");
}

TEST_CASE("CLI-001 every noun of Bolt is known", "[cli]") {
    Words names;
    for (const Noun& noun : nouns()) names.emplace_back(noun.name);
    CHECK(names == Words{"apply",  "catalog", "command", "console",   "doctor",  "eval",     "facts",
                         "file",   "group",   "guide",   "inventory", "lookup",  "module",   "parse",
                         "ping",   "plan",    "plugin",  "policy",    "project", "resource", "run",
                         "script", "secret",  "task",    "validate"});
    for (const Noun& noun : nouns()) {
        bool has_verb = false;
        for (const Verb* verb : verbs()) has_verb = has_verb || verb->noun == noun.name;
        CHECK(has_verb);
    }
}

TEST_CASE("CLI-027 every option that a verb lists exists", "[cli]") {
    const OptionParser parser(host());
    for (const Verb* verb : verbs()) {
        for (const std::string_view name : verb->options) {
            INFO(verb->noun << " " << name);
            CHECK(find_option(verb->own_options ? verb->own_options() : parser.options(), name) != nullptr);
        }
    }
}

}  // namespace
}  // namespace volley::cli
