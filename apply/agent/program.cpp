#include "apply/agent/program.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/facts.hpp"
#include "apply/agent/inspection/inspection.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/protocol/session.hpp"
#include "apply/agent/transaction/transaction.hpp"
#include "apply/agent/types/instance.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"
#include "support/version.hpp"

namespace volley::agent {
namespace {

/// "a, b" has two.
std::vector<std::string> tags_in(const std::string& text) {
    std::vector<std::string> tags;
    for (const std::string& tag : split(text, ',')) {
        if (const std::string_view word = trim(tag); !word.empty()) tags.emplace_back(word);
    }
    return tags;
}

constexpr const char* usage =
    "Usage:\n"
    "    volley-agent apply --catalog FILE [options]   Apply a catalog to this machine\n"
    "    volley-agent serve [--state FOLDER]           Apply what Volley sends on stdin\n"
    "    volley-agent facts [NAME...] [options]        Print facts about this machine, as Facter does\n"
    "    volley-agent resource TYPE [NAME]             Print resources as they are, as JSON\n"
    "    volley-agent types                            List the resource types it has, as JSON\n"
    "    volley-agent version                          Print the version\n"
    "\n"
    "Options of apply:\n"
    "    --report FILE        Write Puppet's report there, as JSON\n"
    "    --noop               Only report what would change\n"
    "    --show-diff          Show how the content of files changes\n"
    "    --state FOLDER       What the machine remembers from run to run\n"
    "    --tags A,B           Only resources with one of these tags\n"
    "    --skip-tags A,B      No resources with one of these tags\n"
    "    --ignore-schedules   Apply resources outside of their schedule, too\n"
    "    --log-level LEVEL    debug, info, notice, warning or err\n"
    "\n"
    "Options of facts:\n"
    "    --legacy             Also the facts that Facter hides, such as osfamily\n"
    "    --external-dir DIR   Read external facts in this folder first; may be repeated\n"
    "    --no-external        No external facts\n";

volatile std::sig_atomic_t stop_signal = 0;
void note_signal(int number) { stop_signal = number; }

class PrintedLog final : public Listener {
public:
    void logged(const LogLine& line) override {
        const std::string source = line.source == "Puppet" ? std::string() : line.source + ": ";
        std::printf("%s: %s%s\n", std::string(level_name(line.level)).c_str(), source.c_str(),
                    line.message.c_str());
    }
    bool stop_wanted() override { return stop_signal != 0; }
};

struct ApplyOptions {
    std::string catalog, report;
    Settings settings;
};

ApplyOptions read_options(const std::vector<std::string>& arguments) {
    ApplyOptions options;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const std::string& name = arguments[i];
        const auto value = [&]() -> const std::string& {
            if (i + 1 >= arguments.size()) throw ApplyError("the option " + name + " needs a value");
            return arguments[++i];
        };
        if (name == "--catalog") {
            options.catalog = value();
        } else if (name == "--report") {
            options.report = value();
        } else if (name == "--noop") {
            options.settings.noop = true;
        } else if (name == "--show-diff") {
            options.settings.show_diff = true;
        } else if (name == "--state") {
            options.settings.state_folder = value();
        } else if (name == "--tags") {
            options.settings.tags = tags_in(value());
        } else if (name == "--skip-tags") {
            options.settings.skip_tags = tags_in(value());
        } else if (name == "--ignore-schedules") {
            options.settings.ignore_schedules = true;
        } else if (name == "--log-level") {
            const auto level = level_named(value());
            if (!level) throw ApplyError("there is no log level '" + arguments[i] + "'");
            options.settings.level = *level;
        } else {
            throw ApplyError("there is no option '" + name + "'; see volley-agent help");
        }
    }
    if (options.catalog.empty()) throw ApplyError("apply needs --catalog FILE");
    return options;
}

int apply(const std::vector<std::string>& arguments) {
    const ApplyOptions options = read_options(arguments);
    std::signal(SIGTERM, note_signal);
    std::signal(SIGINT, note_signal);
    PrintedLog log;
    Run run(read_catalog(read_whole(options.catalog)), options.settings, nullptr, &log);
    Transaction transaction(run);
    try {
        transaction.apply();
    } catch (const std::runtime_error& error) {
        run.log(Level::Err, std::string("Failed to apply catalog: ") + error.what());
    }
    if (!options.report.empty()) {
        ReplacedFile file(options.report, "", 0600);
        transaction.write_report([&file](std::string_view piece) { file.write(piece); });
        file.write("\n");
        file.complete();
        file.put_into_place();
    }
    start_last_commands(run);
    return transaction.exit_code();
}

int print_facts(const std::vector<std::string>& arguments) {
    FactRequest request;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        if (word == "--legacy") {
            request.legacy = true;
        } else if (word == "--no-external") {
            request.no_external = true;
        } else if (word == "--external-dir") {
            if (++i >= arguments.size()) throw ApplyError("the option --external-dir needs a value");
            request.external_folders.push_back(arguments[i]);
        } else if (word.starts_with("-")) {
            throw ApplyError("there is no option '" + word + "'; see volley-agent help");
        } else {
            request.names.push_back(word);
        }
    }
    const FoundFacts found = find_facts(FactHost(), request);
    for (const std::string& warning : found.messages.warnings)
        std::fprintf(stderr, "Warning: %s\n", warning.c_str());
    std::puts(found.json.c_str());
    return 0;
}

int print_resources(const std::vector<std::string>& arguments) {
    if (arguments.size() < 2 || arguments.size() > 3) throw ApplyError("resource needs TYPE, or TYPE NAME");
    Settings settings;
    settings.level = Level::Warning;
    Run run(Catalog(), settings);
    const Json found = inspect_resources(run, {arguments[1], arguments.size() > 2 ? arguments[2] : "", {}});
    for (std::size_t number = 0; number < run.line_count(); ++number)
        std::fprintf(stderr, "Warning: %s\n", run.line(number).message.c_str());
    std::puts(found.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    return 0;
}

int print_types() {
    static constexpr const char* kinds[] = {"property", "parameter", "namevar"};
    Json list = Json::object();
    for (const TypeSpec* type : all_types()) {
        Json attributes = Json::object();
        for (const Attribute& attribute : type->attributes)
            attributes[std::string(attribute.name)] = {
                {"kind", kinds[static_cast<std::size_t>(attribute.kind)]},
                {"values", attribute.values},
                {"doc", attribute.doc}};
        Json providers = Json::array();
        for (const std::string& provider : split(type->providers, ' ')) {
            if (!provider.empty()) providers.push_back(provider);
        }
        list[std::string(type->name)] = {
            {"doc", type->doc}, {"providers", std::move(providers)}, {"attributes", std::move(attributes)}};
    }
    std::puts(list.dump(2).c_str());
    return 0;
}

}  // namespace

int run_program(const std::vector<std::string>& arguments) {
    const std::string verb = arguments.empty() ? "help" : arguments[0];
    if (verb == "apply") return apply(arguments);
    if (verb == "serve") {
        const bool has_state = arguments.size() == 3 && arguments[1] == "--state";
        if (arguments.size() != 1 && !has_state) throw ApplyError("serve has no option but --state FOLDER");
        return serve(0, 1, has_state ? arguments[2] : std::string());
    }
    if (verb == "facts") return print_facts(arguments);
    if (verb == "resource") return print_resources(arguments);
    if (verb == "types") return print_types();
    if (verb == "version" || verb == "--version") {
        std::puts(program_version);
        return 0;
    }
    if (verb == "help" || verb == "--help") {
        std::fputs(usage, stdout);
        return 0;
    }
    throw ApplyError("there is no command '" + verb + "'; see volley-agent help");
}

}  // namespace volley::agent
