#include "transports/ssh/gate.hpp"

#include <algorithm>
#include <list>

#include "transports/ssh/one_shot.hpp"

namespace volley::transports::ssh {

struct Gate::Queue {
    int inside = 0;
    int limit = 256;
    std::list<OneShot<bool>*> waiting;

    void let_in() {
        for (OneShot<bool>* each : waiting) {
            if (inside >= limit) return;
            if (each->is_set()) continue;
            ++inside;  // on behalf of the one who wakes up
            each->set(true);
        }
    }
};

Gate::Gate(boost::asio::io_context& loop) : loop_(loop) {}

Task<Gate::Ticket> Gate::enter(std::string server) {
    std::shared_ptr<Queue>& entry = queues_[server];
    if (!entry) entry = std::make_shared<Queue>();
    const std::shared_ptr<Queue> queue = entry;
    if (queue->inside < queue->limit && queue->waiting.empty()) {
        ++queue->inside;
        co_return Ticket(queue);
    }
    OneShot<bool> turn(loop_);
    struct Place {
        Queue& queue;
        OneShot<bool>& turn;
        std::list<OneShot<bool>*>::iterator at;
        bool taken = false;
        ~Place() {
            queue.waiting.erase(at);
            if (taken || !turn.is_set()) return;
            --queue.inside;  // let in, but cancelled before waking up
            queue.let_in();
        }
    };
    Place place{*queue, turn, queue->waiting.insert(queue->waiting.end(), &turn)};
    co_await turn.wait();
    place.taken = true;
    co_return Ticket(queue);
}

void Gate::narrow(const std::string& server) {
    const auto found = queues_.find(server);
    if (found == queues_.end()) return;
    Queue& queue = *found->second;
    queue.limit = std::max(4, std::min(queue.limit, queue.inside) / 2);
}

Gate::Ticket::~Ticket() {
    if (!queue_) return;
    --queue_->inside;
    queue_->let_in();
}

}  // namespace volley::transports::ssh
