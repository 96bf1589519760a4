#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "language/value.hpp"

namespace volley {

/// What a value of kind Uri holds: RFC 3986, with the habits of Ruby's URI class that programs can see.
class Uri final : public Shared {
public:
    struct Parts {
        std::optional<std::string> scheme;
        std::optional<std::string> userinfo;
        std::optional<std::string> host;
        std::optional<std::int64_t> port;
        std::optional<std::string> path;  // none when there is an opaque part
        std::optional<std::string> query;
        std::optional<std::string> fragment;
        std::optional<std::string> opaque;
    };
    explicit Uri(Parts from);

    /// Throws EvalError for text that is not a URI.
    static Value parse(std::string_view text);
    /// Throws EvalError, in Ruby's words, for parts that do not go together.
    static Value build(Parts parts);
    /// `reference` seen from `base`. Throws EvalError when both are relative.
    static Value join(const Uri& base, const Uri& reference);

    const Parts parts;
    std::string text() const;
    /// scheme, userinfo, host, port, path, query, fragment or opaque; nullopt for other names, undef for what
    /// is missing. The port of a known scheme has a default.
    std::optional<Value> member(std::string_view name) const;
    /// The members that a URI type would be made of.
    Value as_type_parameters() const;
    bool equals(const Shared& other) const override;
    std::size_t hash() const override;

private:
    std::string normalized() const;
};

}  // namespace volley
