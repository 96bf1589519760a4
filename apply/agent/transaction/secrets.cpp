#include "apply/agent/transaction/secrets.hpp"

#include <algorithm>
#include <cstring>

#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::size_t shortest = sizeof(std::uint32_t);
constexpr std::size_t longest = 4096;

std::uint32_t begin_of(const char* text) {
    std::uint32_t begin = 0;
    std::memcpy(&begin, text, sizeof begin);
    return begin;
}

}  // namespace

Secrets::Secrets(const Catalog& catalog) {
    for (const auto& resource : catalog.resources()) {
        for (const std::string& name : resource->sensitive) {
            if (const Value* value = resource->find(name)) add(*value);
        }
    }
}

void Secrets::add(const Value& value) {
    if (value.is(Value::Kind::Array)) {
        for (const Value& item : value.items()) add(item);
    } else if (value.is(Value::Kind::Hash)) {
        for (const auto& [key, item] : value.pairs()) add(item);
    } else if (!value.is(Value::Kind::Boolean) && !value.is_undef()) {
        add(trim(value.to_text()));
        if (!value.is_text()) return;
        // Messages quote values: what has to be escaped then looks different.
        const std::string quoted = value.inspected();
        add(std::string_view(quoted).substr(1, quoted.size() - 2));
    }
}

void Secrets::add(std::string_view text) {
    if (text.size() < shortest || text.size() > longest) return;
    std::vector<std::string>& same = by_begin_[begin_of(text.data())];
    if (std::find(same.begin(), same.end(), text) != same.end()) return;
    const auto shorter = std::find_if(same.begin(), same.end(),
                                      [&](const std::string& one) { return one.size() < text.size(); });
    same.emplace(shorter, text);
}

std::string Secrets::redacted(std::string text) const {
    if (by_begin_.empty() || text.size() < shortest) return text;
    std::string shown;
    std::size_t copied = 0;
    for (std::size_t at = 0; at + shortest <= text.size();) {
        const auto found = by_begin_.find(begin_of(text.data() + at));
        const std::string* secret = nullptr;
        if (found != by_begin_.end()) {
            for (const std::string& one : found->second) {
                if (secret == nullptr && text.compare(at, one.size(), one) == 0) secret = &one;
            }
        }
        if (secret == nullptr) {
            ++at;
            continue;
        }
        shown.append(text, copied, at - copied).append("[redacted]");
        copied = at += secret->size();
    }
    return copied == 0 ? text : shown.append(text, copied);
}

}  // namespace volley::agent
