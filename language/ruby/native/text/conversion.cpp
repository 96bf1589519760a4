#include "language/ruby/native/text/conversion.hpp"

#include "language/errors.hpp"
#include "support/text.hpp"

namespace volley::ruby {
namespace {

using ValueKind = volley::Kind;

constexpr int most_nesting = 200;

/// Numbers, texts and what is only held; nullopt for lists and hashes.
std::optional<Object> scalar_object(const Value& value, Heap& heap, Change change) {
    switch (value.kind()) {
        case ValueKind::Undef:
            return Object();
        case ValueKind::Default:
            return heap.symbol("default");
        case ValueKind::Boolean:
            return Object(value.as_boolean());
        case ValueKind::Integer:
            return Object(value.as_integer());
        case ValueKind::Float:
            return Object(value.as_float());
        case ValueKind::String:
            if (!is_utf8(value.as_string())) throw NotNative{"text that is not UTF-8"};
            return heap.string(value.as_string(), change);
        case ValueKind::Regexp:
            return heap.pattern(Regexp::compile(value.as_regexp().source(), value.as_regexp().options()));
        case ValueKind::Array:
        case ValueKind::Hash:
            return std::nullopt;
        case ValueKind::Sensitive:
        case ValueKind::Type:
        case ValueKind::SemVer:
        case ValueKind::SemVerRange:
        case ValueKind::Timespan:
        case ValueKind::Timestamp:
        case ValueKind::Uri:
            return heap.foreign(value);
        default:
            throw NotNative{"a value of the kind " + std::string(kind_name(value.kind()))};
    }
}

Object fresh_object(const Value& value, Heap& heap, Change change, int nesting) {
    if (nesting > most_nesting) throw NotNative{"a value that is nested so deeply"};
    if (const auto scalar = scalar_object(value, heap, change)) return *scalar;
    if (value.is_array()) {
        std::vector<Object> items;
        items.reserve(value.as_array().size());
        for (const Value& item : value.as_array())
            items.push_back(fresh_object(item, heap, change, nesting + 1));
        return heap.array(std::move(items), change);
    }
    const Object made = heap.hash();
    for (const auto& entry : value.as_hash())
        made.hash().set(fresh_object(entry.key, heap, change, nesting + 1),
                        fresh_object(entry.value, heap, change, nesting + 1));
    made.hash().change = change;
    return made;
}

Value value_of(const Object& object, int nesting) {
    if (nesting > most_nesting) throw NotNative{"a result that is nested so deeply"};
    if (const auto scalar = scalar_value(object)) return *scalar;
    switch (object.kind()) {
        case Object::Kind::Symbol:
            if (object.name() == "undef") return {};
            if (object.name() == "default") return Value::make_default();
            return object.name();
        case Object::Kind::String:
            if (!is_utf8(object.string().text)) throw NotNative{"text that is not UTF-8"};
            return object.string().text;
        case Object::Kind::Array: {
            std::vector<Value> items;
            items.reserve(object.array().items.size());
            for (const Object& item : object.array().items) items.push_back(value_of(item, nesting + 1));
            return items;
        }
        case Object::Kind::Hash: {
            HashBuilder hash;
            for (const Hash::Entry& entry : object.hash().entries)
                hash.set(value_of(entry.key, nesting + 1), value_of(entry.value, nesting + 1));
            return hash.build();
        }
        case Object::Kind::Pattern:
            return Regexp::compile(object.pattern().source(), object.pattern().options());
        case Object::Kind::Foreign:
            return object.foreign();
        default:
            throw NotNative{"a result that is not data: " + std::string(class_name(object))};
    }
}

}  // namespace

Object to_object(const Value& value, Heap& heap, Change change) {
    return fresh_object(value, heap, change, 0);
}

Value to_value(const Object& object) { return value_of(object, 0); }

std::optional<Value> scalar_value(const Object& object) {
    switch (object.kind()) {
        case Object::Kind::Nil:
            return Value();
        case Object::Kind::False:
        case Object::Kind::True:
            return Value(object.truthy());
        case Object::Kind::Integer:
            return Value(object.integer());
        case Object::Kind::Float:
            return Value(object.number());
        default:
            return std::nullopt;
    }
}

Object BorrowedObjects::object(const Value& value, Heap& heap) {
    if (const auto scalar = scalar_object(value, heap, Change::Borrowed)) return *scalar;
    return converted(value);
}

Object BorrowedObjects::converted(const Value& value) {
    const NestingGuard guard(most_nesting);
    // Symbols and modules belong to their run.
    if (value.is(ValueKind::Default)) throw NotNative{"default inside of a list"};
    if (const auto scalar = scalar_object(value, *heap_, Change::Borrowed)) return *scalar;
    if (const auto known = known_.find(value.shared()); known != known_.end()) return known->second;
    Object made;
    if (value.is_array()) {
        std::vector<Object> items;
        items.reserve(value.as_array().size());
        for (const Value& item : value.as_array()) items.push_back(converted(item));
        made = heap_->array(std::move(items), Change::Watched);
    } else {
        made = heap_->hash();
        for (const auto& entry : value.as_hash())
            made.hash().set(converted(entry.key), converted(entry.value));
        made.hash().change = Change::Watched;
    }
    known_.emplace(value.shared(), made);
    kept_.push_back(value);
    return made;
}

void BorrowedObjects::shrink() {
    if (kept_.size() > most_kept) clear();
}

void BorrowedObjects::clear() {
    known_.clear();
    kept_.clear();
    heap_ = std::make_unique<Heap>();
}

}  // namespace volley::ruby
