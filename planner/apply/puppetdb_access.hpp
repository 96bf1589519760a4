#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>

#include "inventory/inventory.hpp"
#include "inventory/puppetdb/puppetdb.hpp"
#include "language/functions/builtin.hpp"

namespace volley::planner {

/// Connects threads that compile catalogs to the project's PuppetDB (FN-015, FN-016). Its configuration may
/// hold references to plugins, and the inventory belongs to the loop's thread, so it is asked there.
class PuppetDbAccess {
public:
    /// Both must outlive it.
    PuppetDbAccess(boost::asio::io_context& loop, inventory::Inventory& inventory)
        : loop_(loop), inventory_(inventory) {}

    /// `instance`: a name of puppetdb-instances; empty: the default one. From any thread but the loop's;
    /// waits for the loop. Throws Error bolt/puppetdb-error, and volley/interrupted once it is closed.
    std::shared_ptr<inventory::PuppetDb> database(const std::string& instance);
    /// The loop will not run any more: those who wait are sent away.
    void close() noexcept { closed_ = true; }

private:
    boost::asio::io_context& loop_;
    inventory::Inventory& inventory_;
    std::atomic<bool> closed_ = false;
};

/// What the host of a compilation is that may ask a PuppetDB.
class PuppetDbUser {
public:
    virtual ~PuppetDbUser() = default;
    /// Null: there is none to ask.
    virtual PuppetDbAccess* puppetdb_access() const noexcept = 0;
    /// The instance that is asked when none is named; empty: the project's default one.
    virtual const std::string& usual_puppetdb() const noexcept = 0;

    /// For the function that is called: the database that the argument at `index` names (absent: the usual
    /// one). Throws Error as database() does.
    static std::shared_ptr<inventory::PuppetDb> database(const CallContext& context,
                                                         std::span<const Value> arguments, std::size_t index);
};

}  // namespace volley::planner
