#include "language/ruby/native/set_variables.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/ruby/callbacks.hpp"
#include "language/ruby/native/text/conversion.hpp"
#include "language/ruby/worker_encoding.hpp"

namespace volley::ruby {
namespace {

using SetKind = Object::Kind;

bool has_symbols(const Object& object) {
    const NestingGuard guard;
    if (object.is(SetKind::Array)) return std::ranges::any_of(object.array().items, has_symbols);
    if (object.is(SetKind::Hash)) {
        return std::ranges::any_of(object.hash().entries, [](const Hash::Entry& entry) {
            return has_symbols(entry.key) || has_symbols(entry.value);
        });
    }
    return object.is(SetKind::Symbol);
}

/// A list of the manifest in an object that is kept: who changes it later is not known here.
Change kept_change(Change change) { return change == Change::Watched ? Change::Borrowed : change; }

Object copied(const Object& object, Heap& heap) {
    const NestingGuard guard;
    switch (object.kind()) {
        case SetKind::Symbol:
            return heap.symbol(object.name());
        case SetKind::String:
            return heap.string(object.string().text, object.string().change);
        case SetKind::Array: {
            std::vector<Object> items;
            items.reserve(object.array().items.size());
            for (const Object& item : object.array().items) items.push_back(copied(item, heap));
            return heap.array(std::move(items), kept_change(object.array().change));
        }
        case SetKind::Hash: {
            const Object made = heap.hash();
            for (const Hash::Entry& entry : object.hash().entries)
                made.hash().set(copied(entry.key, heap), copied(entry.value, heap));
            made.hash().change = kept_change(object.hash().change);
            return made;
        }
        default:
            return to_object(to_value(object), heap);
    }
}

Json encode_object(const Object& object) {
    const NestingGuard guard;
    if (object.is(SetKind::Symbol)) return Json{{"__ptype", "Symbol"}, {"__pvalue", object.name()}};
    Json list = Json::array();
    if (object.is(SetKind::Array)) {
        for (const Object& item : object.array().items) list.push_back(encode_object(item));
        return list;
    }
    if (!object.is(SetKind::Hash)) return volley::encode_for_worker(to_value(object));
    for (const Hash::Entry& entry : object.hash().entries) {
        list.push_back(encode_object(entry.key));
        list.push_back(encode_object(entry.value));
    }
    return Json{{"__ptype", "Hash"}, {"__pvalue", std::move(list)}};
}

}  // namespace

std::optional<Object> SetVariables::find(const FramePtr& frame, std::string_view name, Heap& heap,
                                         std::size_t time) {
    if (empty()) return std::nullopt;
    for (FramePtr at = frame; at; at = at->parent()) {
        const Place place(at, name);
        if (const auto pending = pending_.find(place); pending != pending_.end())
            return pending->second.time < time ? std::optional(pending->second.object) : std::nullopt;
        if (const auto kept = kept_.find(place); kept != kept_.end())
            return pending_.emplace(place, Pending{copied(kept->second.object, heap), true, 0})
                .first->second.object;
        if (at->find_here(name)) return std::nullopt;
    }
    return std::nullopt;
}

void SetVariables::set(const FramePtr& frame, const std::string& name, const Object& value) {
    const bool number = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    const bool reserved = name == "trusted" || name == "facts" || name == "server_facts";
    const Place place(frame, name);
    if (number || reserved || frame->find_here(name) || pending_.contains(place))
        throw NotNative{"a variable that cannot be set"};
    pending_.emplace(place, Pending{value, false, time_++});
}

void SetVariables::check() const {
    for (const auto& [place, pending] : pending_) static_cast<void>(to_value(pending.object));
}

void SetVariables::commit(CallContext& context) {
    for (const auto& [place, pending] : std::exchange(pending_, {})) {
        const auto& [frame, name] = place;
        const Value now = to_value(pending.object);
        if (!pending.known) {
            frame->set(name, now);
        } else if (const Value* old = frame->find_here(name); old && !(*old == now)) {
            replace_changed(context, Value(*old), now);
        }
        kept_.erase(place);
        if (!has_symbols(pending.object)) continue;
        CommittedObject& kept = kept_[place];
        kept.heap = std::make_unique<Heap>();
        kept.object = copied(pending.object, *kept.heap);
    }
}

Json SetVariables::hand_over(const Frame& frame, std::string_view name) {
    for (auto at = kept_.begin(); at != kept_.end(); ++at) {
        if (at->first.first.get() != &frame || at->first.second != name) continue;
        Json encoded = encode_object(at->second.object);
        kept_.erase(at);
        return encoded;
    }
    return nullptr;
}

}  // namespace volley::ruby
