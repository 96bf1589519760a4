#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "transports/winrm/channel.hpp"

namespace volley::transports::winrm {

/// The channels to one target: what was given back is used again, others are opened. Loop thread only.
class Channels {
public:
    Channels(std::shared_ptr<Network> network, std::shared_ptr<const Settings> settings)
        : network_(std::move(network)), settings_(std::move(settings)) {}

    /// One on which nothing is under way. Throws TransportError, also when connect-timeout is over; a service
    /// that is overloaded (HTTP 503) is asked again within that time.
    Task<std::unique_ptr<Channel>> take();
    void give_back(std::unique_ptr<Channel> channel);

    const std::string& url() const noexcept { return settings_->url; }
    boost::asio::any_io_executor executor() const { return network_->runtime.loop().get_executor(); }

private:
    Task<std::unique_ptr<Channel>> open();
    TransportError timed_out() const;

    struct Idle {
        std::unique_ptr<Channel> channel;
        std::chrono::steady_clock::time_point since;
    };
    std::shared_ptr<Network> network_;
    std::shared_ptr<const Settings> settings_;
    std::vector<Idle> idle_;
};

/// When a request is sent again, over another channel.
enum class Resend : std::uint8_t {
    Refused,  ///< the server has certainly not looked at it: HTTP 503, or it was not sent
    Lost,     ///< also when the connection was lost: for requests that start nothing
};

/// Between attempts.
Task<void> pause_for(boost::asio::any_io_executor executor, std::chrono::seconds time);

/// A channel in use, replaced by another one when it is lost.
class ChannelLease {
public:
    /// `channels` must outlive it.
    explicit ChannelLease(Channels& channels) : channels_(&channels) {}

    /// Makes sure that there is a channel. Throws TransportError.
    Task<void> open();
    /// As Channel::exchange; pauses before each time that it sends the request again, a few times at most.
    Task<std::string> exchange(const std::string& envelope, std::chrono::milliseconds time, Resend when);
    /// How many requests were sent again after an answer to them may have been lost.
    std::size_t losses() const noexcept { return losses_; }
    void give_back() { channels_->give_back(std::move(channel_)); }

private:
    Channels* channels_;
    std::unique_ptr<Channel> channel_;
    std::size_t losses_ = 0;
};

}  // namespace volley::transports::winrm
