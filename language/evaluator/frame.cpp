#include "language/evaluator/frame.hpp"

#include <algorithm>

#include "language/errors.hpp"

namespace volley {

Frame::Frame(FramePtr parent, std::string description)
    : parent_(std::move(parent)), description_(std::move(description)) {}

std::size_t Frame::place_of(std::string_view name) const {
    return index_.find(name, variables_.size(), [this](std::size_t i) { return variables_[i].name; });
}

const Value* Frame::find_here(std::string_view name) const {
    const std::size_t place = place_of(name);
    if (place < variables_.size()) return &variables_[place].value;
    if (!forbidden_.empty() && std::find(forbidden_.begin(), forbidden_.end(), name) != forbidden_.end())
        throw UnevaluatedParameter{std::string(name)};
    return nullptr;
}

const Value* Frame::find(std::string_view name) const {
    for (const Frame* frame = this; frame; frame = frame->parent_.get()) {
        if (const Value* value = frame->find_here(name)) return value;
    }
    return nullptr;
}

void Frame::bind(std::string_view lasting_name, Value value) {
    if (read_only_) {
        throw EvalError(
            "", "Attempt to assign variable " + std::string(lasting_name) + " when evaluating parameters");
    }
    const std::size_t place = place_of(lasting_name);
    if (place < variables_.size()) {
        variables_[place].value = std::move(value);
        return;
    }
    variables_.push_back({lasting_name, std::move(value)});
}

void Frame::set(std::string_view name, Value value) {
    const bool known = place_of(name) < variables_.size();
    bind(known ? name : std::string_view(own_names_.emplace_front(name)), std::move(value));
}

std::vector<std::pair<std::string, Value>> Frame::variables() const {
    std::vector<std::pair<std::string, Value>> result;
    for (const Variable& variable : variables_) result.emplace_back(variable.name, variable.value);
    return result;
}

bool Frame::replace(const Value& old, const Value& now) {
    const Shared* const object = old.shared();
    bool found = false;
    for (Variable& variable : variables_) {
        if (!object || variable.value.shared() != object) continue;
        if (variable.value.shared() != now.shared()) variable.value = now;
        found = true;
    }
    return found;
}

Value Frame::match_group(std::size_t index) const {
    const Frame* frame = this;
    while (frame && !frame->match) frame = frame->hides_matches_ ? nullptr : frame->parent_.get();
    if (!frame) return {};
    const MatchData& data = *frame->match;
    if (index >= data.match.groups.size() || data.match.groups[index].begin < 0) return {};
    return data.match.group(data.subject, index);
}

const Frame& Frame::root() const {
    const Frame* frame = this;
    while (frame->description_.empty() && frame->parent_) frame = frame->parent_.get();
    return *frame;
}

}  // namespace volley
