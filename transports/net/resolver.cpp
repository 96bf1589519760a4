#include "transports/net/resolver.hpp"

#include <fmt/format.h>
#include <netdb.h>

#include <boost/asio/ip/address.hpp>
#include <deque>
#include <list>
#include <map>
#include <system_error>

#include "transports/errors.hpp"
#include "transports/promise.hpp"

namespace volley::transports {
namespace {

using boost::asio::ip::tcp;

struct Addresses {
    std::vector<boost::asio::ip::address> addresses;
    std::string error;
};

using Query = std::pair<std::string, Resolver::Family>;

int to_af(Resolver::Family family) {
    if (family == Resolver::Family::Inet) return AF_INET;
    return family == Resolver::Family::Inet6 ? AF_INET6 : AF_UNSPEC;
}

Addresses ask(const Query& query) {
    addrinfo hints{};
    hints.ai_family = to_af(query.second);
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    addrinfo* list = nullptr;
    Addresses answer;
    const int rc = ::getaddrinfo(query.first.c_str(), nullptr, &hints, &list);
    if (rc != 0) {
        answer.error = ::gai_strerror(rc);
        return answer;
    }
    for (const addrinfo* each = list; each != nullptr; each = each->ai_next) {
        tcp::endpoint endpoint;
        if (each->ai_addrlen > endpoint.capacity()) continue;
        std::memcpy(endpoint.data(), each->ai_addr, each->ai_addrlen);
        endpoint.resize(each->ai_addrlen);
        answer.addresses.push_back(endpoint.address());
    }
    ::freeaddrinfo(list);
    return answer;
}

/// RFC 8305, section 4: the first family keeps its lead, then they alternate.
std::vector<boost::asio::ip::address> interleave(const std::vector<boost::asio::ip::address>& addresses) {
    std::deque<boost::asio::ip::address> first, second;
    for (const auto& each : addresses) {
        (each.is_v6() == addresses.front().is_v6() ? first : second).push_back(each);
    }
    std::vector<boost::asio::ip::address> mixed;
    while (!first.empty() || !second.empty()) {
        if (!first.empty()) mixed.push_back(first.front()), first.pop_front();
        if (!second.empty()) mixed.push_back(second.front()), second.pop_front();
    }
    return mixed;
}

struct Lookup {
    std::optional<Addresses> answer;
    std::list<Promise<bool>*> waiting;
};

}  // namespace

struct Resolver::State {
    explicit State(boost::asio::io_context& io) : loop(io) {}

    boost::asio::io_context& loop;
    std::map<Query, Lookup> lookups;

    void answered(const Query& query, Addresses answer) {
        Lookup& lookup = lookups.at(query);
        lookup.answer = std::move(answer);
        for (Promise<bool>* each : lookup.waiting) each->set(true);
    }
};

namespace {

/// Throws TransportError CONNECT_ERROR when no thread can be started.
void start_lookup(DetachedThreads& threads, const std::shared_ptr<Resolver::State>& state,
                  const Query& query) {
    auto work = [weak = std::weak_ptr(state), query]() -> std::function<void()> {
        return [weak, query, answer = ask(query)] {
            if (const auto there = weak.lock()) there->answered(query, answer);
        };
    };
    try {
        threads.post(std::move(work));
    } catch (const std::system_error& error) {
        throw connect_error(fmt::format("could not resolve host name {}: no thread could be started ({})",
                                        query.first, error.code().message()));
    }
}

}  // namespace

Resolver::Resolver(boost::asio::io_context& loop, unsigned threads, DetachedThreads::StartThread start_thread)
    : state_(std::make_shared<State>(loop)), threads_(loop, threads, std::move(start_thread)) {}

Resolver::~Resolver() = default;

Task<Endpoints> Resolver::resolve(std::string host, int port, Family family) {
    const auto state = state_;
    const auto port_number = static_cast<unsigned short>(port);
    boost::system::error_code not_an_address;
    const auto literal = boost::asio::ip::make_address(host, not_an_address);
    if (!not_an_address) co_return Endpoints{tcp::endpoint(literal, port_number)};

    const Query query(host, family);
    const auto [entry, is_new] = state->lookups.try_emplace(query);
    Lookup& lookup = entry->second;  // entries stay for the run
    try {
        if (is_new) start_lookup(threads_, state, query);
    } catch (...) {
        state->lookups.erase(entry);  // the next one asks anew
        throw;
    }
    if (!lookup.answer) {
        Promise<bool> answered(state->loop);
        struct Waiting {
            std::list<Promise<bool>*>& list;
            std::list<Promise<bool>*>::iterator place;
            ~Waiting() { list.erase(place); }
        };
        const Waiting waiting{lookup.waiting, lookup.waiting.insert(lookup.waiting.end(), &answered)};
        co_await answered.wait();
    }
    if (lookup.answer->addresses.empty()) {
        throw connect_error(fmt::format("could not resolve host name {}: {}", host, lookup.answer->error));
    }
    Endpoints endpoints;
    for (const auto& address : interleave(lookup.answer->addresses))
        endpoints.emplace_back(address, port_number);
    co_return endpoints;
}

}  // namespace volley::transports
