// The choria transport: agents of nodes on a Choria network, asked over NATS (CHO-001).
#include "transports/transport.hpp"

#include "transports/choria/bus.hpp"
#include "transports/choria/choria_connection.hpp"
#include "transports/choria/settings.hpp"

namespace volley::transports {
namespace choria {
namespace {

class ChoriaTransport final : public Transport {
public:
    explicit ChoriaTransport(Runtime& runtime) : buses_(runtime) {}

    Task<std::unique_ptr<Connection>> connect(TargetConfig target) override {
        const Settings settings = read_settings(target);
        const std::shared_ptr<Bus> bus = buses_.find(settings);
        auto opening = bus->open();
        co_await std::move(opening);
        auto connecting = connect_choria(bus, target);
        co_return co_await std::move(connecting);
    }

private:
    Buses buses_;
};

}  // namespace
}  // namespace choria

std::unique_ptr<Transport> make_choria(Runtime& runtime) {
    return std::make_unique<choria::ChoriaTransport>(runtime);
}

}  // namespace volley::transports
