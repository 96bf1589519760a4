#include <algorithm>
#include <random>

#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

/// BND-002: some of a list, chosen at random, and the rest in its order.
Value do_canary_random_split(PlanCall& call) {
    const std::vector<Value>& all = call.arguments[0].as_array().items();
    const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(0, call.arguments[1].as_integer()));
    std::vector<std::size_t> order(all.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::mt19937_64 random{std::random_device{}()};
    std::shuffle(order.begin(), order.end(), random);
    order.resize(std::min(wanted, order.size()));
    std::vector<Value> chosen;
    std::vector<Value> rest;
    for (const std::size_t index : order) chosen.push_back(all[index]);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (std::find(order.begin(), order.end(), i) == order.end()) rest.push_back(all[i]);
    }
    return std::vector<Value>{Value(std::move(chosen)), Value(std::move(rest))};
}

}  // namespace

const Builtin& canary_random_split_function() {
    static const Builtin def{
        .name = "canary::random_split",
        .doc = "Some elements of a list, chosen at random, and the others.",
        .dispatches = {{.params = {{"Array", "arr"}, {"Integer", "size"}},
                        .call = plan_body<do_canary_random_split>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
