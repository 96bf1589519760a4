// The remote transport has no sessions: its tasks run on another target, its proxy (REM-001).
#include "support/error.hpp"
#include "transports/transport.hpp"

namespace volley::transports {

/// TRN-028: every other key belongs to the tasks and is kept.
TransportSpec remote_spec() {
    static const std::vector<OptionSpec> options{
        {.name = "run-on",
         .type = OptionType::String,
         .description = "The target that tasks for this one run on.",
         .default_json = R"("localhost")"},
    };
    return TransportSpec{
        .name = "remote", .options = options, .keeps_unknown_options = true, .uses_proxy_target = true};
}

std::unique_ptr<Transport> make_remote(Runtime&) {
    throw Error("bolt/unknown-transport",
                "A remote target has no connection of its own; tasks for it run on its 'run-on' target");
}

}  // namespace volley::transports
