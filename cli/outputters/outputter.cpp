#include "cli/outputters/outputter.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "support/text.hpp"

namespace volley::cli {

#define VOLLEY_OUTPUTTER(name) std::unique_ptr<Outputter> make_##name##_outputter(Console&, OutputSettings);
#include "cli/outputters/registry.def"
#undef VOLLEY_OUTPUTTER

void Outputter::set_display_names(std::function<std::string(std::string_view)> display_name) {
    display_name_ = std::move(display_name);
}

std::string Outputter::display_name(std::string_view name) const {
    return display_name_ ? display_name_(name) : std::string(name);
}

void Outputter::set_filter(std::function<bool(const planner::Result&)> wanted) {
    wanted_ = std::move(wanted);
}

planner::ResultSet Outputter::wanted(const planner::ResultSet& results) const {
    if (!wanted_) return results;
    std::vector<planner::Result> shown;
    std::ranges::copy_if(results.results(), std::back_inserter(shown), wanted_);
    return planner::ResultSet(std::move(shown));
}

std::vector<std::string> output_formats() {
    std::vector<std::string> names{
#define VOLLEY_OUTPUTTER(name) #name,
#include "cli/outputters/registry.def"
#undef VOLLEY_OUTPUTTER
    };
    std::ranges::sort(names);
    return names;
}

std::unique_ptr<Outputter> make_outputter(std::string_view format, Console& console,
                                          OutputSettings settings) {
#define VOLLEY_OUTPUTTER(name) \
    if (format == #name) return make_##name##_outputter(console, settings);
#include "cli/outputters/registry.def"
#undef VOLLEY_OUTPUTTER
    const std::string meant = did_you_mean(format, output_formats());
    throw Error("bolt/cli-error", "Unknown output format '" + std::string(format) + "': use one of " +
                                      join(output_formats(), ", ") + (meant.empty() ? "" : "." + meant));
}

}  // namespace volley::cli
