#include "planner/record/target_members.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/results/result_text.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

/// null: they are not valid.
std::shared_ptr<const Json> options_of(const inventory::Target& target) {
    try {
        return target.options();
    } catch (const Error&) {
        return nullptr;
    }
}

}  // namespace

/// Ids depend on options, which are other ones, elsewhere in memory, as soon as a plan changes something that
/// they are made of.
bool TargetMembers::are_as_before(std::span<const inventory::Target> on) {
    if (!last_ || !std::ranges::equal(on, last_on_)) return false;
    return !ids_ || std::ranges::equal(on, last_options_, [](const auto& target, const auto& options) {
        return options && options_of(target) == options;
    });
}

TargetMembers::Shared TargetMembers::of(const Action& action, std::span<const inventory::Target> on) {
    const bool shared = !ids_ || !TargetIds::are_of_action(action);
    if (shared && are_as_before(on)) return last_;
    auto made = std::make_shared<OfStep>();
    made->members.reserve(on.size());
    for (const inventory::Target& target : on) {
        const std::string name = json_string(target.safe_name());
        if (!made->names.empty()) made->names += ',';
        made->names += name;
        std::string& members = made->members.emplace_back("\"target\":" + name);
        if (ids_) members += ",\"id\":\"" + ids_->of(action, target) + '"';
    }
    if (!shared) return made;
    last_ = made;
    last_on_.assign(on.begin(), on.end());
    last_options_.clear();
    if (ids_) std::ranges::transform(on, std::back_inserter(last_options_), options_of);
    return made;
}

}  // namespace volley::planner
