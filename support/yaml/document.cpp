#include "support/yaml/document.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/yaml/scalar.hpp"

namespace volley::yaml {

namespace {

constexpr std::uintmax_t largest_document = 64UL * 1024 * 1024;  // some 700,000 targets

/// A pipe may be read (`--inventoryfile <(...)`), a device that never ends may not.
void check_size(const std::filesystem::path& path, std::string_view what) {
    std::error_code unknown;
    const auto status = std::filesystem::status(path, unknown);
    std::string problem;
    if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status))
        problem = "is a device";
    if (std::filesystem::is_regular_file(status) &&
        std::filesystem::file_size(path, unknown) > largest_document && !unknown)
        problem = "is larger than 64 MiB, which is the limit";
    if (problem.empty()) return;
    throw Error("bolt/file-error", "The " + std::string(what) + " " + path.string() + " " + problem,
                Json{{"path", path.string()}});
}

}  // namespace

std::string_view to_string(Kind kind) noexcept {
    switch (kind) {
        case Kind::Absent:
            return "nothing";
        case Kind::Null:
            return "Null";
        case Kind::Boolean:
            return "Boolean";
        case Kind::Integer:
            return "Integer";
        case Kind::Float:
            return "Float";
        case Kind::String:
            return "String";
        case Kind::Sequence:
            return "Array";
        case Kind::Map:
            return "Hash";
    }
    return "nothing";
}

Kind Node::kind() const noexcept { return document_ == nullptr ? Kind::Absent : document_->items_[id_].kind; }

bool Node::is_quoted() const noexcept { return document_ != nullptr && document_->items_[id_].quoted; }

std::string_view Node::text() const noexcept {
    if (document_ == nullptr || is_map() || is_sequence()) return {};
    const Document::Item& item = document_->items_[id_];
    return std::string_view(document_->text_).substr(item.begin, item.count);
}

bool Node::as_bool() const noexcept { return kind() == Kind::Boolean && boolean_value(text()); }

std::size_t Node::size() const noexcept {
    return is_map() || is_sequence() ? document_->items_[id_].count : 0;
}

Node Node::find(std::string_view key) const noexcept {
    for (const Entry& entry : entries()) {
        if (entry.key.text() == key) return entry.value;
    }
    return {};
}

Sequence Node::elements() const noexcept {
    Sequence out;
    if (!is_sequence()) return out;
    out.document_ = document_;
    out.first_ = document_->children_.data() + document_->items_[id_].begin;
    out.count_ = document_->items_[id_].count;
    return out;
}

Entries Node::entries() const noexcept {
    Entries out;
    if (!is_map()) return out;
    out.document_ = document_;
    out.first_ = document_->children_.data() + document_->items_[id_].begin;
    out.count_ = document_->items_[id_].count;
    return out;
}

Json Node::to_json() const {
    if (is_map()) {
        Json out = Json::object();
        auto& object = out.get_ref<Json::object_t&>();
        object.reserve(size());
        for (const Entry& entry : entries()) {
            const Kind kind = entry.key.kind();
            const bool plain = kind == Kind::Boolean || kind == Kind::Integer || kind == Kind::Float;
            object[plain ? scalar_value(kind, entry.key.text()).dump() : std::string(entry.key.text())] =
                entry.value.to_json();
        }
        return out;
    }
    if (is_sequence()) {
        Json out = Json::array();
        for (const Node element : elements()) out.push_back(element.to_json());
        return out;
    }
    return scalar_value(kind(), text());
}

Position Node::position() const noexcept {
    if (document_ == nullptr) return {};
    const Document::Item& item = document_->items_[id_];
    return {item.line, item.column};
}

std::string Node::where() const {
    if (document_ == nullptr) return {};
    const Position at = position();
    const std::string& name = document_->source().name;
    return at.line == 0 ? name : name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

bool Node::is_foreign() const noexcept { return document_ != nullptr && document_->source().foreign; }

std::unique_ptr<const Document> Document::read(const std::filesystem::path& path, std::string_view what) {
    check_size(path, what);
    return parse(read_file(path, what), Source{path.string(), std::string(what)});
}

}  // namespace volley::yaml
