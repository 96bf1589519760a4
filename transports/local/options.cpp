// What can be configured for the local transport (TRN-023).
#include <vector>

#include "transports/option_tables/shared_rows.hpp"
#include "transports/transport.hpp"

namespace volley::transports {

TransportSpec local_spec() {
    static const std::vector<OptionSpec> options{
        {.name = "bundled-ruby",
         .type = OptionType::Boolean,
         .description = "Run tasks that end in .rb with the ruby on the PATH, whatever their first line is.",
         .default_json = "true"},
        rows::cleanup,
        rows::extensions,
        rows::interpreters,
        rows::run_as,
        rows::run_as_command,
        rows::sudo_executable,
        rows::sudo_password,
        rows::tmpdir,
    };
    return TransportSpec{.name = "local", .options = options, .runs_on_controller = true};
}

}  // namespace volley::transports
