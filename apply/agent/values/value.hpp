#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "support/json/json.hpp"

namespace volley::agent {

/// A value of a catalog or of the machine. Symbol is what Puppet's types use for words that they define
/// themselves (absent, file, running); it prints like a text. Object is what the Puppet language has beside
/// these, such as a regular expression, a type or `default`: hardly anything takes it.
class Value {
public:
    enum class Kind : std::uint8_t {
        Undef,
        Boolean,
        Integer,
        Float,
        String,
        Symbol,
        Binary,
        Deferred,
        Object,
        Array,
        Hash
    };
    using Items = std::vector<Value>;
    using Pairs = std::vector<std::pair<Value, Value>>;

    Value() = default;
    Value(const void*) = delete;  // keeps a text from becoming a boolean
    explicit Value(bool boolean) : kind_(Kind::Boolean), data_(boolean) {}
    explicit Value(std::int64_t integer) : kind_(Kind::Integer), data_(integer) {}
    explicit Value(double number) : kind_(Kind::Float), data_(number) {}
    explicit Value(std::string text) : kind_(Kind::String), data_(std::move(text)) {}
    explicit Value(Items items) : kind_(Kind::Array), data_(std::move(items)) {}
    explicit Value(Pairs pairs) : kind_(Kind::Hash), data_(std::move(pairs)) {}
    static Value symbol(std::string word) { return {Kind::Symbol, std::move(word)}; }
    static Value binary(std::string bytes) { return {Kind::Binary, std::move(bytes)}; }
    static Value deferred(std::string function) { return {Kind::Deferred, std::move(function)}; }
    /// `text` is what Ruby's to_s says of it, `inspected` what its inspect says, and `shown` what changes
    /// show.
    static Value object(std::string ruby_class, std::string text, std::string inspected, std::string shown);

    Kind kind() const noexcept { return kind_; }
    bool is(Kind kind) const noexcept { return kind_ == kind; }
    bool is_undef() const noexcept { return kind_ == Kind::Undef; }
    /// A text, a symbol or bytes.
    bool is_text() const noexcept {
        return kind_ == Kind::String || kind_ == Kind::Symbol || kind_ == Kind::Binary;
    }
    bool boolean() const { return std::get<bool>(data_); }
    std::int64_t integer() const { return std::get<std::int64_t>(data_); }
    double number() const { return std::get<double>(data_); }
    const std::string& text() const { return std::get<std::string>(data_); }
    const Items& items() const { return std::get<Items>(data_); }
    const Pairs& pairs() const { return std::get<Pairs>(data_); }
    /// Of an object.
    const std::string& object_class() const { return std::get<Items>(data_)[0].text(); }
    bool is_regexp() const { return is(Kind::Object) && object_class() == "Regexp"; }
    /// What stands between the slashes of a regular expression.
    const std::string& regexp_source() const { return std::get<Items>(data_)[3].text(); }

    /// What Ruby's to_s says: a text as it is, 12, true, nothing for undef.
    std::string to_text() const;
    /// As Puppet shows values in messages: 'text', 12, true, ['a', 'b'], undef.
    std::string shown() const { return shown_at(0); }
    /// As Ruby's inspect shows it: "text".
    std::string inspected() const;

    /// A symbol equals the text of the same letters.
    bool operator==(const Value& other) const;

private:
    std::string shown_at(std::size_t depth) const;
    Value(Kind kind, std::string text) : kind_(kind), data_(std::move(text)) {}

    Kind kind_ = Kind::Undef;
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Items, Pairs> data_;
};

/// A value of the catalog document: rich data ({"__ptype": "Binary", ...}) becomes what it stands for.
/// `sensitive` is set when something in it was Sensitive.
Value value_from_json(const Json& json, bool& sensitive);
/// As reports hold values. Bytes that are not UTF-8 become \xNN.
Json value_to_json(const Value& value);

/// Puppet's quoting of a text: in '', or in "" when it has control characters.
std::string puppet_quoted(std::string_view text);
/// "Integer", "TrueClass": the class that Ruby has for the value.
std::string_view ruby_class(const Value& value);
/// "no implicit conversion of Integer into String", as Ruby says where it needs a text.
std::string not_a_text(const Value& value);
/// "undefined method `strip' for 5:Integer", as Ruby says where it calls a method that the value does not
/// have.
std::string no_method(const Value& value, std::string_view method);
/// What Ruby writes into a text: all of a list, and bytes in base64.
std::string interpolated(const Value& value);

inline const Value& absent() {
    static const Value value = Value::symbol("absent");
    return value;
}

}  // namespace volley::agent
