#include "language/value.hpp"

#include <functional>

#include "language/errors.hpp"
#include "language/text/regexp.hpp"
#include "language/types/type.hpp"
#include "support/text_hash.hpp"

namespace volley {

namespace {

class StringData final : public Shared {
public:
    explicit StringData(std::string bytes) : text(std::move(bytes)) {}
    bool equals(const Shared& other) const override {
        return text == static_cast<const StringData&>(other).text;
    }
    std::size_t hash() const override { return text_hash(text); }
    const std::string text;
};

class SensitiveData final : public Shared {
public:
    explicit SensitiveData(Value value) : content(std::move(value)) {}
    bool equals(const Shared& other) const override {
        return content == static_cast<const SensitiveData&>(other).content;
    }
    std::size_t hash() const override { return content.hash_code() ^ 0x5e45; }
    const Value content;
};

std::size_t mix(std::size_t seed, std::size_t value) noexcept {
    return seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

constexpr std::size_t small_hash = 8;  // below this a scan beats the index

}  // namespace

std::size_t Shared::hash() const { return std::hash<const void*>{}(this); }

void Shared::destroy(const Shared* last) noexcept {
    // Deleting a list releases its items; what becomes unused meanwhile waits in the list of the outermost
    // call instead of recursing. A plain pointer, because statics are destroyed after a thread's objects are.
    thread_local std::vector<const Shared*>* outermost = nullptr;
    if (outermost) {
        outermost->push_back(last);
        return;
    }
    std::vector<const Shared*> waiting;
    outermost = &waiting;
    delete last;
    while (!waiting.empty()) {
        const Shared* next = waiting.back();
        waiting.pop_back();
        delete next;
    }
    outermost = nullptr;
}

Value::Value(std::string text) : Value(Kind::String, Ref<const Shared>(new StringData(std::move(text)))) {}
Value::Value(std::string_view text) : Value(std::string(text)) {}
Value::Value(const char* text) : Value(std::string(text)) {}
Value::Value(std::vector<Value> items) : Value(Kind::Array, make_shared_object<Array>(std::move(items))) {}
Value::Value(Ref<const Hash> hash) : Value(Kind::Hash, hash) {}
Value::Value(Ref<const Regexp> regexp) : Value(Kind::Regexp, regexp) {}
Value::Value(Ref<const Type> type) : Value(Kind::Type, type) {}

Value::Value(Kind kind, Ref<const Shared> object) : kind_(kind) {
    data_.shared = object.get();
    data_.shared->retain();
}

Value Value::make_default() noexcept {
    Value result;
    result.kind_ = Kind::Default;
    return result;
}

Value Value::timespan(std::int64_t nanoseconds) noexcept {
    Value result(nanoseconds);
    result.kind_ = Kind::Timespan;
    return result;
}

Value Value::timestamp(std::int64_t nanoseconds) noexcept {
    Value result(nanoseconds);
    result.kind_ = Kind::Timestamp;
    return result;
}

Value Value::sensitive(Value content) {
    return Value(Kind::Sensitive, make_shared_object<SensitiveData>(std::move(content)));
}

void Value::expect(Kind kind) const {
    if (kind_ == kind) return;
    throw EvalError("WRONG_KIND",
                    "expected " + std::string(kind_name(kind)) + ", got " + std::string(kind_name(kind_)));
}

bool Value::as_boolean() const {
    expect(Kind::Boolean);
    return data_.boolean;
}

std::int64_t Value::as_integer() const {
    if (kind_ != Kind::Timespan && kind_ != Kind::Timestamp) expect(Kind::Integer);
    return data_.integer;
}

double Value::as_float() const {
    if (kind_ == Kind::Integer) return static_cast<double>(data_.integer);
    expect(Kind::Float);
    return data_.number;
}

const std::string& Value::as_string() const {
    expect(Kind::String);
    return static_cast<const StringData*>(data_.shared)->text;
}

const Array& Value::as_array() const {
    expect(Kind::Array);
    return as<Array>();
}

const Hash& Value::as_hash() const {
    expect(Kind::Hash);
    return as<Hash>();
}

const Regexp& Value::as_regexp() const {
    expect(Kind::Regexp);
    return as<Regexp>();
}

Ref<const Type> Value::as_type() const {
    expect(Kind::Type);
    return Ref<const Type>(&as<Type>());
}

const Value& Value::unwrap_sensitive() const {
    expect(Kind::Sensitive);
    return as<SensitiveData>().content;
}

bool operator==(const Value& a, const Value& b) {
    if (a.kind_ != b.kind_) return false;
    switch (a.kind_) {
        case Kind::Undef:
        case Kind::Default:
            return true;
        case Kind::Boolean:
            return a.data_.boolean == b.data_.boolean;
        case Kind::Integer:
        case Kind::Timespan:
        case Kind::Timestamp:
            return a.data_.integer == b.data_.integer;
        case Kind::Float:
            return a.data_.number == b.data_.number;
        default:
            break;
    }
    if (a.data_.shared == b.data_.shared) return true;
    const NestingGuard guard;
    return a.data_.shared->equals(*b.data_.shared);
}

std::size_t Value::hash_code() const {
    switch (kind_) {
        case Kind::Undef:
        case Kind::Default:
            return static_cast<std::size_t>(kind_);
        case Kind::Boolean:
            return data_.boolean ? 0x7273 : 0x6661;
        case Kind::Integer:
        case Kind::Timespan:
        case Kind::Timestamp:
            return std::hash<std::int64_t>{}(data_.integer);
        case Kind::Float:
            return std::hash<double>{}(data_.number);
        default:
            break;
    }
    const NestingGuard guard;
    return data_.shared->hash();
}

bool Array::equals(const Shared& other) const { return items_ == static_cast<const Array&>(other).items_; }

std::size_t Array::hash() const {
    std::size_t result = items_.size();
    for (const Value& item : items_) result = mix(result, item.hash_code());
    return result;
}

std::optional<std::size_t> Hash::position(const Value& key) const {
    if (slots_.empty()) {
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (entries_[i].key == key) return i;
        }
        return std::nullopt;
    }
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = mix(0, key.hash_code()) & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
        if (entries_[slots_[slot] - 1].key == key) return slots_[slot] - 1;
    }
    return std::nullopt;
}

void Hash::rebuild() {
    slots_.clear();
    if (entries_.size() <= small_hash) return;
    std::size_t capacity = 32;
    while (capacity < entries_.size() * 2) capacity *= 2;
    slots_.assign(capacity, 0);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        std::size_t slot = mix(0, entries_[i].key.hash_code()) & (capacity - 1);
        while (slots_[slot] != 0) slot = (slot + 1) & (capacity - 1);
        slots_[slot] = static_cast<std::uint32_t>(i + 1);
    }
}

void Hash::append(Entry entry) {
    entries_.push_back(std::move(entry));
    if (entries_.size() <= small_hash) return;
    if (slots_.size() < entries_.size() * 2) return rebuild();
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = mix(0, entries_.back().key.hash_code()) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(entries_.size());
}

const Value* Hash::find(const Value& key) const {
    const auto found = position(key);
    return found ? &entries_[*found].value : nullptr;
}

const Value* Hash::find(std::string_view key) const { return find(Value(key)); }

bool Hash::equals(const Shared& other) const {
    const Hash& that = static_cast<const Hash&>(other);
    if (size() != that.size()) return false;
    for (const Entry& entry : entries_) {
        const Value* value = that.find(entry.key);
        if (!value || !(*value == entry.value)) return false;
    }
    return true;
}

std::size_t Hash::hash() const {
    std::size_t result = entries_.size();  // order does not matter, so the parts are added
    for (const Entry& entry : entries_) result += mix(entry.key.hash_code(), entry.value.hash_code());
    return result;
}

HashBuilder::HashBuilder() : hash_(new Hash), keep_(hash_) {}

HashBuilder::HashBuilder(const Hash& base) : HashBuilder() {
    hash_->entries_ = base.entries_;
    hash_->slots_ = base.slots_;
}

HashBuilder& HashBuilder::set(Value key, Value value) {
    if (const auto found = hash_->position(key)) {
        hash_->entries_[*found].value = std::move(value);
    } else {
        hash_->append({std::move(key), std::move(value)});
    }
    return *this;
}

void HashBuilder::erase(const Value& key) {
    const auto found = hash_->position(key);
    if (!found) return;
    hash_->entries_.erase(hash_->entries_.begin() + static_cast<std::ptrdiff_t>(*found));
    hash_->rebuild();
}

Value HashBuilder::build() {
    Value result(Ref<const Hash>{keep_});
    *this = HashBuilder();
    return result;
}

std::string_view kind_name(Kind kind) noexcept {
    static constexpr std::string_view names[] = {
        "Undef",  "Default",     "Boolean", "Integer",  "Float",  "Timespan",  "Timestamp",
        "String", "Array",       "Hash",    "Regexp",   "Type",   "Sensitive", "Binary",
        "SemVer", "SemVerRange", "URI",     "Iterator", "Object", "Callable",  "Runtime"};
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace volley
