#include "cli/options/parser.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/options/groups.hpp"
#include "cli/options/normaliser.hpp"
#include "support/error.hpp"

namespace volley::cli {

struct OptionReader::State {
    explicit State(ParserHost the_host) : host(std::move(the_host)), builder(app, infos, host) {
        app.set_help_flag();  // help is an option like any other: it must not stop the reading of the rest
    }

    ParserHost host;
    CLI::App app;
    std::vector<OptionInfo> infos;
    OptionBuilder builder;
};

OptionReader::OptionReader(ParserHost host) : state_(std::make_unique<State>(std::move(host))) {}
OptionReader::~OptionReader() = default;

OptionBuilder& OptionReader::builder() noexcept { return state_->builder; }
std::span<const OptionInfo> OptionReader::options() const noexcept { return state_->infos; }

std::vector<std::string> OptionReader::read(std::span<const std::string> arguments) {
    Normalised normalised = normalise(arguments, state_->infos);
    std::reverse(normalised.options.begin(), normalised.options.end());  // CLI11 takes them from the back
    try {
        state_->app.parse(std::move(normalised.options));
    } catch (const CLI::ParseError& error) {
        throw Error("bolt/cli-error", error.what());
    }
    return std::move(normalised.words);
}

struct OptionParser::State {
    explicit State(ParserHost host) : reader(std::move(host)) {
        OptionBuilder& builder = reader.builder();
        builder.note_in(result.given);
        add_target_options(builder, result.target, result.action, result.display);
        add_authentication_options(builder, result.transport);
        add_escalation_options(builder, result.transport);
        add_run_options(builder, result.run, result.transport, result.action);
        add_rollout_options(builder, result.rollout);
        add_transport_options(builder, result.transport);
        add_content_options(builder, result.action, result.lookup);
        add_display_options(builder, result.display, result.action);
        add_global_options(builder, result);
    }

    Options result;
    OptionReader reader;
};

OptionParser::OptionParser(ParserHost host) : state_(std::make_unique<State>(std::move(host))) {}
OptionParser::~OptionParser() = default;

std::span<const OptionInfo> OptionParser::options() const noexcept { return state_->reader.options(); }
const Options& OptionParser::result() const noexcept { return state_->result; }

std::vector<std::string> OptionParser::parse(std::span<const std::string> arguments) {
    return state_->reader.read(arguments);
}

}  // namespace volley::cli
