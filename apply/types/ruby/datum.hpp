#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/ruby/ruby.hpp"

namespace volley::ruby_source {

struct Scope;

/// A Ruby value, to the extent it is known without running the program.
struct Datum {
    enum class Kind : std::uint8_t {
        Unknown,
        Nil,
        True,
        False,
        Integer,
        Text,
        Symbol,
        Pattern,
        Array,
        Hash,
        Module,
        Closure
    };
    Kind kind = Kind::Unknown;
    unsigned options = 0;  // of a pattern: Regexp::Option
    std::int64_t number = 0;
    std::string text = {};              // of a Text, Symbol, Pattern, Module ("A::B")
    std::vector<Datum> items = {};      // of an Array; of a Hash: key, value, key, value
    const Node* code = nullptr;         // of a Closure
    std::shared_ptr<Scope> scope = {};  // of a Closure

    static Datum of(Kind kind) {
        Datum made;
        made.kind = kind;
        return made;
    }
    static Datum boolean(bool value) { return of(value ? Kind::True : Kind::False); }
    static Datum integer(std::int64_t value);
    static Datum string(std::string value, Kind kind = Kind::Text);
    static Datum array(std::vector<Datum> items);

    bool unknown() const noexcept { return kind == Kind::Unknown; }
    bool is_text() const noexcept { return kind == Kind::Text || kind == Kind::Symbol; }
    bool is_array() const noexcept { return kind == Kind::Array; }
    bool is_hash() const noexcept { return kind == Kind::Hash; }
    /// nullopt when it is not known.
    std::optional<bool> truth() const;
    /// As in "#{}"; nullopt when it is not known.
    std::optional<std::string> to_text() const;
    /// The value of a key, a symbol or a text, of a Hash; nullptr when there is none.
    const Datum* at(std::string_view key) const;
};

/// nullopt when one of them is not known.
std::optional<bool> equal(const Datum& left, const Datum& right);

/// The methods of texts, arrays and hashes that need no block. Unknown for what is not known.
Datum call_builtin(const Datum& receiver, std::string_view name, const std::vector<Datum>& arguments);

/// Methods of File, Regexp and other modules of Ruby; nullopt when it is none of those.
std::optional<Datum> call_module_builtin(std::string_view module, std::string_view name,
                                         const std::vector<Datum>& arguments);

}  // namespace volley::ruby_source
