#include "planner/apply/puppetdb_access.hpp"

#include <boost/asio/post.hpp>
#include <chrono>
#include <future>
#include <utility>

#include "language/evaluator/environment.hpp"
#include "support/error.hpp"

namespace volley::planner {

std::shared_ptr<inventory::PuppetDb> PuppetDbAccess::database(const std::string& instance) {
    using Answer = std::promise<std::shared_ptr<inventory::PuppetDb>>;
    const auto answer = std::make_shared<Answer>();
    auto found = answer->get_future();
    boost::asio::post(loop_, [answer, instance, &inventory = inventory_] {
        try {
            answer->set_value(inventory.puppetdb(instance));
        } catch (...) {
            answer->set_exception(std::current_exception());
        }
    });
    while (found.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
        if (closed_) throw Error("volley/interrupted", "The run ended before PuppetDB could be queried");
    }
    return found.get();
}

std::shared_ptr<inventory::PuppetDb> PuppetDbUser::database(const CallContext& context,
                                                            std::span<const Value> arguments,
                                                            std::size_t index) {
    const auto* user = dynamic_cast<const PuppetDbUser*>(&context.environment().host);
    PuppetDbAccess* access = user ? user->puppetdb_access() : nullptr;
    if (!access) throw Error("bolt/puppetdb-error", "PuppetDB is not available here");
    return access->database(arguments.size() > index ? arguments[index].as_string() : user->usual_puppetdb());
}

}  // namespace volley::planner
