#include "cli/options/parser.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/options/groups.hpp"
#include "cli/options/normaliser.hpp"
#include "support/error.hpp"

namespace volley::cli {

struct OptionParser::State {
    explicit State(ParserHost the_host) : host(std::move(the_host)) {
        app.set_help_flag();  // help is an option like any other: it must not stop the reading of the rest
        OptionBuilder builder(app, infos, host);
        infos.reserve(128);
        add_target_options(builder, result.target, result.action, result.display);
        add_authentication_options(builder, result.transport);
        add_escalation_options(builder, result.transport);
        add_run_options(builder, result.run, result.transport, result.action);
        add_transport_options(builder, result.transport);
        add_content_options(builder, result.action, result.lookup);
        add_display_options(builder, result.display, result.action);
        add_global_options(builder, result);
    }

    ParserHost host;
    Options result;
    CLI::App app;
    std::vector<OptionInfo> infos;
};

OptionParser::OptionParser(ParserHost host) : state_(std::make_unique<State>(std::move(host))) {}
OptionParser::~OptionParser() = default;

std::span<const OptionInfo> OptionParser::options() const noexcept { return state_->infos; }
const Options& OptionParser::result() const noexcept { return state_->result; }

std::vector<std::string> OptionParser::parse(std::span<const std::string> arguments) {
    Normalised normalised = normalise(arguments, state_->infos);
    std::reverse(normalised.options.begin(), normalised.options.end());  // CLI11 takes them from the back
    try {
        state_->app.parse(std::move(normalised.options));
    } catch (const CLI::ParseError& error) {
        throw Error("bolt/cli-error", error.what());
    }
    return std::move(normalised.words);
}

}  // namespace volley::cli
