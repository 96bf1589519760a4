#include "cli/options/parser.hpp"

#include "cli/options/groups.hpp"

namespace volley::cli {

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
