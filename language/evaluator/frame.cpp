#include "language/evaluator/frame.hpp"

#include <algorithm>

#include "language/errors.hpp"

namespace volley {
namespace {

constexpr std::size_t many = 16;  // beyond this an index beats a scan

}  // namespace

Frame::Frame(FramePtr parent, std::string description)
    : parent_(std::move(parent)), description_(std::move(description)) {}

const Value* Frame::find_here(std::string_view name) const {
    if (!index_.empty()) {
        const auto found = index_.find(name);
        if (found != index_.end()) return &variables_[found->second].second;
    } else {
        for (const auto& [known, value] : variables_) {
            if (known == name) return &value;
        }
    }
    if (std::find(forbidden_.begin(), forbidden_.end(), name) != forbidden_.end())
        throw UnevaluatedParameter{std::string(name)};
    return nullptr;
}

const Value* Frame::find(std::string_view name) const {
    for (const Frame* frame = this; frame; frame = frame->parent_.get()) {
        if (const Value* value = frame->find_here(name)) return value;
    }
    return nullptr;
}

void Frame::set(std::string_view name, Value value) {
    if (read_only_) {
        throw EvalError("",
                        "Attempt to assign variable " + std::string(name) + " when evaluating parameters");
    }
    for (auto& [known, old] : variables_) {
        if (known == name) {
            old = std::move(value);
            return;
        }
    }
    const bool moved = variables_.size() == variables_.capacity();
    variables_.emplace_back(std::string(name), std::move(value));
    if (variables_.size() <= many) return;
    // Growing moves the strings that the index looks at.
    if (moved || index_.empty()) {
        index_.clear();
        for (std::size_t i = 0; i < variables_.size(); ++i) index_.emplace(variables_[i].first, i);
    } else {
        index_.emplace(variables_.back().first, variables_.size() - 1);
    }
}

Value Frame::match_group(std::size_t index) const {
    const Frame* frame = this;
    while (frame && !frame->match) frame = frame->parent_.get();
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
