#include "support/yaml/builder.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "support/error.hpp"
#include "support/yaml/events.hpp"
#include "support/yaml/scalar.hpp"

namespace volley::yaml {
namespace {

constexpr std::size_t maximum_depth = 200;
constexpr std::size_t keys_compared_pairwise = 16;

void add_json(Builder& builder, const Json& data) {
    if (data.is_object()) {
        builder.open(Kind::Map, {});
        for (const auto& [key, value] : data.items()) {
            builder.scalar(Kind::String, true, key, {});
            add_json(builder, value);
        }
        builder.close();
    } else if (data.is_array()) {
        builder.open(Kind::Sequence, {});
        for (const Json& value : data) add_json(builder, value);
        builder.close();
    } else if (data.is_string()) {
        builder.scalar(Kind::String, true, data.get_ref<const std::string&>(), {});
    } else {
        const Kind kind = data.is_boolean()          ? Kind::Boolean
                          : data.is_number_integer() ? Kind::Integer
                          : data.is_number()         ? Kind::Float
                                                     : Kind::Null;
        builder.scalar(kind, false, kind == Kind::Null ? std::string() : data.dump(), {});
    }
}

}  // namespace

Builder::Builder(Source source) : document_(new Document(std::move(source))) {}

std::uint32_t Builder::add(Kind kind, Position at) {
    constexpr std::uint32_t widest = std::numeric_limits<std::uint16_t>::max();
    const auto id = static_cast<std::uint32_t>(document_->items_.size());
    Document::Item item;
    item.kind = kind;
    item.line = at.line;
    item.column = static_cast<std::uint16_t>(std::min(at.column, widest));
    document_->items_.push_back(item);
    pending_.push_back(id);
    return id;
}

void Builder::scalar(Kind kind, bool quoted, std::string_view text, Position at) {
    Document::Item& item = document_->items_[add(kind, at)];
    item.quoted = quoted;
    item.begin = static_cast<std::uint32_t>(document_->text_.size());
    item.count = static_cast<std::uint32_t>(text.size());
    document_->text_ += text;
}

void Builder::open(Kind kind, Position at) {
    if (frames_.size() >= maximum_depth) {
        fail("it is nested deeper than " + std::to_string(maximum_depth) + " levels", at);
    }
    const std::uint32_t id = add(kind, at);
    frames_.push_back(Frame{id, pending_.size()});
}

void Builder::close() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    const bool map = document_->items_[frame.item].kind == Kind::Map;
    if (map) {
        merge_literal_maps(frame.first_child);
        drop_repeated_keys(frame.first_child);
    }
    Document::Item& item = document_->items_[frame.item];
    const auto first = pending_.begin() + static_cast<std::ptrdiff_t>(frame.first_child);
    item.begin = static_cast<std::uint32_t>(document_->children_.size());
    item.count = static_cast<std::uint32_t>(pending_.end() - first) / (map ? 2 : 1);
    document_->children_.insert(document_->children_.end(), first, pending_.end());
    pending_.erase(first, pending_.end());
}

std::string_view Builder::text_of(std::uint32_t id) const {
    const Document::Item& item = document_->items_[id];
    const bool container = item.kind == Kind::Map || item.kind == Kind::Sequence;
    return container ? std::string_view() : std::string_view(document_->text_).substr(item.begin, item.count);
}

/// The merge key "<<" of YAML 1.1. Without aliases only a literal map can follow it.
void Builder::merge_literal_maps(std::size_t first) {
    for (std::size_t i = first; i + 1 < pending_.size(); i += 2) {
        const Document::Item& key = document_->items_[pending_[i]];
        const Document::Item value = document_->items_[pending_[i + 1]];
        if (key.quoted || value.kind != Kind::Map || text_of(pending_[i]) != "<<") continue;
        const auto at = pending_.begin() + static_cast<std::ptrdiff_t>(i);
        const auto merged = document_->children_.begin() + value.begin;
        pending_.insert(pending_.erase(at, at + 2), merged,
                        merged + 2 * static_cast<std::ptrdiff_t>(value.count));
        i += 2 * std::size_t{value.count};
        i -= 2;
    }
}

void Builder::note_repeated_key(std::uint32_t first, std::uint32_t last) {
    constexpr std::size_t most = 100;  // of a hostile file nobody reads more
    if (document_->repeated_keys_.size() >= most) return;
    const Document::Item& before = document_->items_[first];
    const Document::Item& after = document_->items_[last];
    document_->repeated_keys_.push_back(
        {std::string(text_of(last)), {before.line, before.column}, {after.line, after.column}});
}

/// Compatibility: the last value of a repeated key counts, in the place of the first.
void Builder::drop_repeated_keys(std::size_t first) {
    const std::size_t entries = (pending_.size() - first) / 2;
    std::unordered_map<std::string_view, std::size_t> seen;
    std::size_t kept = first;
    for (std::size_t i = first; i + 1 < pending_.size(); i += 2) {
        const std::string_view key = text_of(pending_[i]);
        std::size_t earlier = kept;
        if (entries <= keys_compared_pairwise) {
            for (earlier = first; earlier < kept && text_of(pending_[earlier]) != key; earlier += 2) {
            }
        } else {
            earlier = seen.emplace(key, kept).first->second;
        }
        if (earlier != kept && key != "<<") note_repeated_key(pending_[earlier], pending_[i]);
        pending_[earlier] = pending_[i];
        pending_[earlier + 1] = pending_[i + 1];
        if (earlier == kept) kept += 2;
    }
    pending_.resize(kept);
}

void fail(const Source& source, std::string_view problem, Position at) {
    std::string place = source.name;
    if (at.line > 0) place += ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    throw Error(source.error_kind,
                "Could not parse the " + source.what + " " + place + ": " + std::string(problem),
                Json{{"path", source.name}, {"file", source.name}, {"line", at.line}, {"column", at.column}});
}

void Builder::fail(std::string_view problem, Position at) const {
    yaml::fail(document_->source(), problem, at);
}

std::unique_ptr<const Document> Builder::finish() {
    if (pending_.empty()) add(Kind::Null, {});
    document_->root_ = pending_.front();
    document_->items_.shrink_to_fit();
    document_->children_.shrink_to_fit();
    document_->text_.shrink_to_fit();
    return std::move(document_);
}

std::unique_ptr<const Document> Document::from_json(const Json& data, std::string name, bool foreign) {
    Source source{std::move(name), "data"};
    source.foreign = foreign;
    Builder builder(std::move(source));
    add_json(builder, data);
    return builder.finish();
}

}  // namespace volley::yaml
