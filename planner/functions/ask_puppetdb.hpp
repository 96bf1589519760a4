#pragma once

#include <utility>

#include "inventory/puppetdb/puppetdb.hpp"
#include "planner/functions/plan_function.hpp"
#include "transports/runtime.hpp"

namespace volley::planner {

/// From a fiber: passes `work` the PuppetDB that the argument at `index` names (absent: the default one), on
/// a worker thread, so that other fibers and targets go on. `work` owns what it uses.
template <class Work>
Json ask_puppetdb(const PlanCall& call, std::size_t index, Work work) {
    auto database = call.run.inventory().puppetdb(call.has(index) ? call.text(index) : std::string());
    auto job = [database = std::move(database), work = std::move(work)] { return work(*database); };
    return call.run.fibers().await(call.run.runtime().blocking(std::move(job)));
}

}  // namespace volley::planner
