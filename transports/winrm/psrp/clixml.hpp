#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::transports::winrm {

/// A text as the content of <S> or the value of an attribute: characters that XML cannot have become _xHHHH_
/// per UTF-16 unit, and what looks like that is escaped itself (MS-PSRP 2.2.5.3.2). What is not UTF-8 becomes
/// U+FFFD.
std::string clixml_escape(std::string_view utf8);
/// The opposite, after XML's own entities; halves of a surrogate pair that stand alone become U+FFFD.
std::string clixml_unescape(std::string_view text);

/// A value that PowerShell has serialized: an element of CLIXML.
struct ClixmlValue {
    std::string tag;   ///< "S", "I32", "Obj", "Nil" ...
    std::string text;  ///< of a primitive: its text; of an object: what ToString() printed, empty without one
    /// Most derived first; nullptr for a primitive.
    const std::vector<std::string>* types = nullptr;
    /// The primitive that an object wraps, such as the number of an enumeration.
    const ClixmlValue* wrapped = nullptr;
    std::vector<std::pair<std::string, const ClixmlValue*>> members;  ///< adapted and extended properties
    std::vector<const ClixmlValue*> items;  ///< of a list; of a dictionary: key, value, key, value

    /// nullptr when there is no such property.
    const ClixmlValue* member(std::string_view name) const noexcept;
    /// The value of a dictionary's string key; nullptr when there is none.
    const ClixmlValue* entry(std::string_view key) const noexcept;
    /// A number, also that of an enumeration; nullopt for anything else or one beyond 64 bits.
    std::optional<std::int64_t> integer() const noexcept;
    bool is_nil() const noexcept { return tag == "Nil"; }
};

/// One value with everything that it refers to. References may form cycles: follow named members only.
class ClixmlDocument {
public:
    /// Throws ProtocolError for what is not CLIXML, and for more than `deepest` levels
    /// or `most_tags` tags.
    static ClixmlDocument parse(std::string text);

    const ClixmlValue& root() const noexcept { return *root_; }

    static constexpr std::size_t deepest = 100;
    /// What an element costs in memory is many times what it costs to send.
    static constexpr std::size_t most_tags = 2'000'000;

private:
    friend class ClixmlReader;
    std::deque<ClixmlValue> values_;  // addresses stay
    std::deque<std::vector<std::string>> types_;
    const ClixmlValue* root_ = nullptr;
};

/// Writes one object. Elements are appended in the order of the calls; an empty name means no name.
class ClixmlWriter {
public:
    void string(std::string_view name, std::string_view utf8);
    void boolean(std::string_view name, bool value);
    void integer(std::string_view name, std::int32_t value);
    void long_integer(std::string_view name, std::int64_t value);
    void version(std::string_view name, std::string_view dotted);
    void bytes(std::string_view name, std::string_view content);
    void nil(std::string_view name);
    /// An enumeration: its full type name, the name of the value and its number.
    void enumeration(std::string_view name, std::string_view type, std::string_view label,
                     std::int32_t value);

    /// An object with type names, most derived first, and what it contains until end_object().
    void begin_object(std::string_view name, const std::vector<std::string_view>& types = {});
    void end_object() { text_ += "</Obj>"; }
    /// MS (extended properties), Props (adapted ones), LST, DCT or En.
    void begin(std::string_view element);
    void end(std::string_view element);
    void to_string(std::string_view utf8);

    std::string take() { return std::move(text_); }

private:
    void open(std::string_view tag, std::string_view name);
    void refer(std::uint32_t number);
    void primitive(std::string_view tag, std::string_view name, std::string_view content);

    std::string text_;
    std::uint32_t next_object_ = 0;
    std::uint32_t next_types_ = 0;
};

}  // namespace volley::transports::winrm
