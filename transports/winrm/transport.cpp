// The winrm transport: PowerShell remoting over WS-Management.
#include "transports/transport.hpp"

#include "transports/winrm/winrm_connection.hpp"

namespace volley::transports {
namespace winrm {
namespace {

class WinrmTransport final : public Transport {
public:
    explicit WinrmTransport(Runtime& runtime) : network_(std::make_shared<Network>(runtime)) {}

    Task<std::unique_ptr<Connection>> connect(TargetConfig target) override {
        auto connecting = connect_winrm(network_, target);
        co_return co_await std::move(connecting);
    }

private:
    std::shared_ptr<Network> network_;
};

}  // namespace
}  // namespace winrm

std::unique_ptr<Transport> make_winrm(Runtime& runtime) {
    return std::make_unique<winrm::WinrmTransport>(runtime);
}

}  // namespace volley::transports
