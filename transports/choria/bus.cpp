// The connection to Choria's brokers: requests to nodes, and which reply belongs to which of them.
#include "transports/choria/bus.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <ctime>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "support/files.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/choria/libnats.hpp"
#include "transports/errors.hpp"

namespace volley::transports::choria {

namespace asio = boost::asio;

namespace {

constexpr std::string_view logger = "transports.choria";

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// What libnats said last in this thread, beside what the status says.
std::string why(const Libnats& nats, natsStatus status) {
    natsStatus last = status;
    const char* const details = nats.nats_GetLastError(&last);
    std::string text = nats.natsStatus_GetText(status);
    if (details == nullptr || *details == '\0' || text == details) return text;
    return fmt::format("{}: {}", text, trim(details));
}

}  // namespace

/// The loop is gone from it before the bus is; libnats may still be handing a message over then.
struct Bus::Inbox {
    std::mutex mutex;
    asio::io_context* loop = nullptr;
    std::weak_ptr<Bus> bus;

    static void on_message(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
        const Libnats& nats = libnats();
        auto& inbox = **static_cast<std::shared_ptr<Inbox>*>(closure);
        // The broker answers for a node that nobody serves: with nothing, on the request's own subject.
        const bool unserved = nats.natsMsg_IsNoResponders(message);
        std::string bytes = unserved
                                ? std::string(nats.natsMsg_GetSubject(message))
                                : std::string(nats.natsMsg_GetData(message),
                                              static_cast<std::size_t>(nats.natsMsg_GetDataLength(message)));
        nats.natsMsg_Destroy(message);
        const std::lock_guard lock(inbox.mutex);
        if (inbox.loop == nullptr) return;
        asio::post(*inbox.loop, [bus = inbox.bus, bytes = std::move(bytes), unserved] {
            const auto alive = bus.lock();
            if (alive && unserved) alive->give_up(bytes);
            if (alive && !unserved) alive->deliver(bytes);
        });
    }
    static void on_complete(void* closure) { delete static_cast<std::shared_ptr<Inbox>*>(closure); }
};

/// Made by a thread that may outlive the bus, so it stands alone.
struct Bus::Broker {
    natsOptions* options = nullptr;
    natsConnection* connection = nullptr;
    natsSubscription* subscription = nullptr;

    Broker() = default;
    ~Broker() {
        const Libnats& nats = libnats();
        nats.natsSubscription_Destroy(subscription);
        nats.natsConnection_Destroy(connection);
        nats.natsOptions_Destroy(options);
    }
    Broker(const Broker&) = delete;
    Broker& operator=(const Broker&) = delete;

    /// Empty, or why not. Blocks up to the time limit per broker.
    std::string connect(const Settings& settings, const std::string& reply_to, std::shared_ptr<Inbox> inbox) {
        const Libnats& nats = libnats();
        std::vector<std::string> urls;
        for (const std::string& broker : settings.brokers) urls.push_back("tls://" + broker);
        std::vector<const char*> servers;
        for (const std::string& url : urls) servers.push_back(url.c_str());
        natsStatus status = nats.natsOptions_Create(&options);
        const auto then = [&](natsStatus next) {
            if (status == NATS_OK) status = next;
        };
        const auto milliseconds = std::chrono::milliseconds(settings.broker_timeout).count();
        if (status == NATS_OK) {
            then(nats.natsOptions_SetServers(options, servers.data(), static_cast<int>(servers.size())));
            then(nats.natsOptions_SetName(options, settings.identity.c_str()));
            then(nats.natsOptions_SetTimeout(options, milliseconds));
            then(nats.natsOptions_SetSecure(options, true));
            then(nats.natsOptions_SetMaxReconnect(options, 60));
            then(nats.natsOptions_SetReconnectWait(options, 1000));
        }
        if (status == NATS_OK) then(nats.natsOptions_LoadCATrustedCertificates(options, settings.ca.c_str()));
        if (status == NATS_OK)
            then(nats.natsOptions_LoadCertificatesChain(options, settings.certificate.c_str(),
                                                        settings.key.c_str()));
        if (status == NATS_OK && !settings.user.empty())
            then(nats.natsOptions_SetUserInfo(options, settings.user.c_str(), settings.password.c_str()));
        if (status == NATS_OK) then(nats.natsConnection_Connect(&connection, options));
        if (status == NATS_OK) {
            const std::string subject = reply_to + ".*";
            auto* const closure = new std::shared_ptr<Inbox>(std::move(inbox));  // deleted by on_complete
            then(nats.natsConnection_Subscribe(&subscription, connection, subject.c_str(), Inbox::on_message,
                                               closure));
            if (status == NATS_OK)
                then(nats.natsSubscription_SetOnCompleteCB(subscription, Inbox::on_complete, closure));
            else
                Inbox::on_complete(closure);
        }
        return status == NATS_OK ? std::string() : why(nats, status);
    }
};

Bus::Bus(Runtime& runtime, Settings settings)
    : runtime_(runtime),
      settings_(std::move(settings)),
      caller_("choria=" + settings_.certname),
      threads_(runtime.loop(), 1) {
    static std::atomic<unsigned> number{0};
    reply_to_ = reply_subject(settings_.collective, caller_, fmt::format("{}.{}", ::getpid(), ++number));
}

Bus::~Bus() {
    if (!inbox_) return;
    const std::lock_guard lock(inbox_->mutex);
    inbox_->loop = nullptr;
}

bool Bus::alive() const noexcept {
    return broker_ != nullptr && !libnats().natsConnection_IsClosed(broker_->connection);
}

Task<void> Bus::open() {
    while (!alive()) {
        if (opening_) {
            const auto waited = opening_;
            boost::system::error_code ended;
            co_await waited->timer.async_wait(asio::redirect_error(asio::use_awaitable, ended));
            continue;  // its own attempt, when that one failed: then the next caller gets the error
        }
        opening_ = std::make_shared<Wakeup>(runtime_.loop().get_executor());
        const auto opening = opening_;
        std::exception_ptr failure;
        try {
            auto connecting = connect();
            co_await std::move(connecting);
        } catch (...) {
            failure = std::current_exception();
        }
        opening_.reset();
        opening->notify();
        if (failure) std::rethrow_exception(failure);
    }
}

Task<void> Bus::connect() {
    libnats();
    if (!signer_) {
        try {
            signer_ = std::make_unique<Signer>(read_file(settings_.key, "private key"),
                                               read_file(settings_.certificate, "certificate"));
        } catch (const std::runtime_error& error) {
            throw TransportError(
                "bolt/choria-config-failed",
                fmt::format("Choria client configuration failed: {}: {}", settings_.key, error.what()));
        }
    }
    broker_.reset();
    inbox_ = std::make_shared<Inbox>();
    inbox_->loop = &runtime_.loop();
    inbox_->bus = weak_from_this();
    const auto broker = std::make_shared<Broker>();
    std::function<std::string()> work = [broker, inbox = inbox_, settings = settings_, reply_to = reply_to_] {
        return broker->connect(settings, reply_to, inbox);
    };
    auto connecting = threads_.run(std::move(work));
    const std::string fault = co_await std::move(connecting);
    if (!fault.empty())
        throw connect_error(
            fmt::format("Failed to connect to the Choria brokers {}: {}", joined(settings_.brokers), fault));
    broker_ = broker;
}

Task<std::shared_ptr<const Reply>> Bus::ask(Question question) {
    const std::string what = question.agent + "." + question.action;
    const Libnats& nats = libnats();
    if (!alive()) throw NotStarted("The connection to the Choria brokers was lost");
    Request request;
    request.id = random_uuid();
    std::erase(request.id, '-');
    request.sender = settings_.identity;
    request.caller = caller_;
    request.collective = settings_.collective;
    request.agent = question.agent;
    request.action = question.action;
    request.data = question.data;
    request.reply_to = fmt::format("{}.{}", reply_to_, request.id);
    request.time = static_cast<std::int64_t>(std::time(nullptr));
    request.ttl = static_cast<int>(std::max<std::int64_t>(60, question.timeout.count()));
    const std::string message = encode(request, *signer_);
    const auto limit = nats.natsConnection_GetMaxPayload(broker_->connection);
    if (static_cast<std::int64_t>(message.size()) > limit)
        throw TransportError("bolt/choria-rpc-failed",
                             fmt::format("{} failed on {}: the request has {} bytes, and the broker takes {}",
                                         what, question.node, message.size(), limit));
    const auto waiting = std::make_shared<Waiting>();
    waiting->node = question.node;
    waiting->wakeup = std::make_shared<Wakeup>(runtime_.loop().get_executor());
    waiting->wakeup->timer.expires_after(question.timeout);
    waiting_[request.id] = waiting;
    struct Forget {
        std::map<std::string, std::shared_ptr<Waiting>>& all;
        const std::string& id;
        ~Forget() { all.erase(id); }
    } const forget{waiting_, request.id};
    const std::string subject = fmt::format("{}.node.{}", settings_.collective, question.node);
    const natsStatus sent =
        nats.natsConnection_PublishRequest(broker_->connection, subject.c_str(), request.reply_to.c_str(),
                                           message.data(), static_cast<int>(message.size()));
    if (sent != NATS_OK)
        throw TransportError("bolt/choria-rpc-failed",
                             fmt::format("{} failed on {}: {}", what, question.node, why(nats, sent)));
    boost::system::error_code ended;
    co_await waiting->wakeup->timer.async_wait(asio::redirect_error(asio::use_awaitable, ended));
    if (waiting->unserved)
        throw TransportError(
            "bolt/choria-no-response",
            fmt::format("No response from {} for {}: no node of this name is connected to the "
                        "brokers, in the collective {}",
                        question.node, what, settings_.collective));
    if (!waiting->reply && ended) throw boost::system::system_error(ended);
    if (!waiting->reply)
        throw TransportError("bolt/choria-no-response",
                             fmt::format("No response from {} for {}", question.node, what));
    if (waiting->reply->status > 1)
        throw TransportError("bolt/choria-rpc-error",
                             fmt::format("{} on {} returned RPC error: {} (code {})", what, question.node,
                                         scrub_utf8(waiting->reply->status_text), waiting->reply->status));
    co_return waiting->reply;
}

void Bus::give_up(const std::string& subject) {
    const auto found = waiting_.find(subject.substr(subject.rfind('.') + 1));
    if (found == waiting_.end() || found->second->reply) return;
    found->second->unserved = true;
    found->second->wakeup->notify();
}

void Bus::deliver(const std::string& message) {
    std::shared_ptr<Reply> reply;
    try {
        reply = std::make_shared<Reply>(decode(message));
    } catch (const BadReply& error) {
        log(LogLevel::Warn, logger,
            fmt::format("Discarding a reply from the Choria network: {}", error.what()));
        return;
    }
    const auto found = waiting_.find(reply->request);
    if (found == waiting_.end()) return;  // too late, or twice
    if (reply->sender != found->second->node) {
        log(LogLevel::Warn, logger,
            fmt::format("Discarding a response from unexpected sender '{}'", scrub_utf8(reply->sender)));
        return;
    }
    if (found->second->reply) return;
    found->second->reply = std::move(reply);
    found->second->wakeup->notify();
}

std::shared_ptr<Bus> Buses::find(const Settings& settings) {
    for (const auto& bus : buses_) {
        if (bus->settings() == settings) return bus;
    }
    return buses_.emplace_back(std::make_shared<Bus>(runtime_, settings));
}

}  // namespace volley::transports::choria
