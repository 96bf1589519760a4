#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/shared.hpp"

namespace volley {

class Array;
class Hash;
class Regexp;
class Type;
class Sensitive;

enum class Kind : std::uint8_t {
    Undef,
    Default,
    Boolean,
    Integer,
    Float,
    Timespan,   // nanoseconds
    Timestamp,  // nanoseconds since 1970 UTC
    String,
    Array,
    Hash,
    Regexp,
    Type,
    Sensitive,
    Binary,
    SemVer,
    SemVerRange,
    Uri,
    Iterator,
    Object,
    Callable,
    Opaque,  // what another component puts into the language
};

/// Any Puppet value: a tag and eight bytes. Immutable; copying costs at most one reference count.
/// The as_* functions throw EvalError when the value is of another kind.
class Value {
public:
    Value() = default;  // undef
    template <std::same_as<bool> T>
    Value(T boolean) noexcept : kind_(Kind::Boolean) {
        data_.boolean = boolean;
    }
    template <std::integral T>
    requires(!std::same_as<T, bool>) Value(T integer)
    noexcept : kind_(Kind::Integer) { data_.integer = static_cast<std::int64_t>(integer); }
    Value(double number) noexcept : kind_(Kind::Float) { data_.number = number; }
    Value(std::string text);
    Value(std::string_view text);
    Value(const char* text);
    Value(const void*) = delete;  // keeps a pointer from becoming a bool
    Value(std::vector<Value> items);
    Value(Ref<const Hash> hash);
    Value(Ref<const Regexp> regexp);
    Value(Ref<const Type> type);
    /// For the kinds that have no constructor of their own. `object` must be what as<T>() will ask for.
    Value(Kind kind, Ref<const Shared> object);

    static Value make_default() noexcept;
    static Value timespan(std::int64_t nanoseconds) noexcept;
    static Value timestamp(std::int64_t nanoseconds) noexcept;
    static Value sensitive(Value content);

    Value(const Value& other) noexcept : kind_(other.kind_), data_(other.data_) {
        if (counted()) data_.shared->retain();
    }
    Value(Value&& other) noexcept : kind_(other.kind_), data_(other.data_) { other.kind_ = Kind::Undef; }
    Value& operator=(Value other) noexcept {
        std::swap(kind_, other.kind_);
        std::swap(data_, other.data_);
        return *this;
    }
    ~Value() {
        if (counted()) data_.shared->release();
    }

    Kind kind() const noexcept { return kind_; }
    bool is(Kind kind) const noexcept { return kind_ == kind; }
    bool is_undef() const noexcept { return kind_ == Kind::Undef; }
    bool is_number() const noexcept { return kind_ == Kind::Integer || kind_ == Kind::Float; }
    bool is_string() const noexcept { return kind_ == Kind::String; }
    bool is_array() const noexcept { return kind_ == Kind::Array; }
    bool is_hash() const noexcept { return kind_ == Kind::Hash; }
    /// Puppet's truth: everything but undef and false.
    bool truthy() const noexcept { return kind_ != Kind::Undef && (kind_ != Kind::Boolean || data_.boolean); }

    bool as_boolean() const;
    std::int64_t as_integer() const;  // also the nanoseconds of times
    double as_float() const;          // an Integer is converted
    const std::string& as_string() const;
    const Array& as_array() const;
    const Hash& as_hash() const;
    const Regexp& as_regexp() const;
    Ref<const Type> as_type() const;
    /// The content of a Sensitive. Whoever calls this must not let it reach output.
    const Value& unwrap_sensitive() const;
    /// The shared object of this value; nullptr for the kinds that hold none.
    const Shared* shared() const noexcept { return counted() ? data_.shared : nullptr; }
    template <class T>
    const T& as() const {
        return static_cast<const T&>(*data_.shared);
    }

    /// The same kind and the same content: what makes two hash keys one. 1 is not 1.0, 'a' is not 'A'.
    friend bool operator==(const Value& a, const Value& b);
    std::size_t hash_code() const;

private:
    bool counted() const noexcept { return kind_ >= Kind::String; }
    void expect(Kind kind) const;

    Kind kind_ = Kind::Undef;
    union {
        bool boolean;
        std::int64_t integer;
        double number;
        const Shared* shared;
    } data_{};
};
static_assert(sizeof(Value) == 16, "the evaluator copies values all day");

class Array final : public Shared {
public:
    explicit Array(std::vector<Value> items) : items_(std::move(items)) {}
    std::size_t size() const noexcept { return items_.size(); }
    bool empty() const noexcept { return items_.empty(); }
    const Value& operator[](std::size_t index) const { return items_[index]; }
    auto begin() const noexcept { return items_.begin(); }
    auto end() const noexcept { return items_.end(); }
    const std::vector<Value>& items() const noexcept { return items_; }
    bool equals(const Shared& other) const override;
    std::size_t hash() const override;

private:
    std::vector<Value> items_;
};

/// Keys in the order in which they were first set; look-up in constant time.
class Hash final : public Shared {
public:
    struct Entry {
        Value key;
        Value value;
    };
    std::size_t size() const noexcept { return entries_.size(); }
    bool empty() const noexcept { return entries_.empty(); }
    auto begin() const noexcept { return entries_.begin(); }
    auto end() const noexcept { return entries_.end(); }
    const Entry& at(std::size_t index) const { return entries_[index]; }
    /// nullptr when there is no such key.
    const Value* find(const Value& key) const;
    const Value* find(std::string_view key) const;
    const Value* find(const std::string& key) const { return find(std::string_view(key)); }
    const Value* find(const char* key) const { return find(std::string_view(key)); }
    bool contains(const Value& key) const { return find(key) != nullptr; }
    bool equals(const Shared& other) const override;
    std::size_t hash() const override;

private:
    friend class HashBuilder;
    std::optional<std::size_t> position(const Value& key) const;
    void append(Entry entry);
    void rebuild();
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> slots_;  // open addressing; position + 1; empty while the hash is small
};

class HashBuilder {
public:
    HashBuilder();
    HashBuilder(HashBuilder&&) = default;  // a copy would fill the same hash
    HashBuilder& operator=(HashBuilder&&) = default;
    /// Starts with the entries of `base`.
    explicit HashBuilder(const Hash& base);
    /// A key that is there already keeps its place and gets the new value.
    HashBuilder& set(Value key, Value value);
    bool contains(const Value& key) const { return hash_->contains(key); }
    const Value* find(const Value& key) const { return hash_->find(key); }
    std::size_t size() const noexcept { return hash_->size(); }
    void erase(const Value& key);
    /// The builder is empty afterwards.
    Value build();

private:
    Hash* hash_;  // owned through keep_
    Ref<Hash> keep_;
};

/// "Integer", "Hash", ...: the name of the kind, for messages.
std::string_view kind_name(Kind kind) noexcept;

}  // namespace volley
