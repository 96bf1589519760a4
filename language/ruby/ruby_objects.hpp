#pragma once

#include <cstdint>
#include <unordered_map>

#include "language/callable.hpp"
#include "language/value.hpp"

namespace volley {

/// The objects that Ruby code has been given and may pass back, by number. They are forgotten when no Ruby
/// code of the environment runs any more.
class RubyObjects {
public:
    std::uint64_t keep(const Value& object);
    /// nullptr when nobody has that number.
    const Value* find(std::uint64_t number) const;

    /// Ruby code runs as long as one lives.
    class Use {
    public:
        explicit Use(RubyObjects& objects) : objects_(objects) { ++objects_.users_; }
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

    private:
        RubyObjects& objects_;
    };

private:
    std::unordered_map<std::uint64_t, Value> by_number_;
    std::unordered_map<const Shared*, std::uint64_t> numbers_;
    int users_ = 0;
};

/// An object of Ruby code that the language has no name for: a Time, an HTTP client. The worker has it, the
/// language sees its class and text.
class RubyValue final : public ObjectBase {
public:
    RubyValue(std::string class_name, std::string text, std::uint64_t number)
        : class_(std::move(class_name)), text_(std::move(text)), number_(number) {}
    TypePtr type() const override;
    std::optional<Value> attribute(std::string_view) const override { return std::nullopt; }
    std::string text() const override { return text_; }
    bool equals(const Shared& other) const override;
    std::size_t hash() const override { return std::hash<std::uint64_t>()(number_); }
    std::uint64_t number() const noexcept { return number_; }

private:
    std::string class_;
    std::string text_;
    std::uint64_t number_;
};

}  // namespace volley
