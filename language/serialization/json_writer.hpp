#pragma once

#include <string>
#include <string_view>

#include "language/value.hpp"
#include "support/json/json.hpp"

namespace volley {

/// The one walk from a value to JSON. What JSON knows is written the same everywhere; each form (plain data
/// for people, rich data, Pcore, messages to the Ruby worker) says what becomes of the rest.
class JsonWriter {
public:
    virtual ~JsonWriter() = default;
    /// Throws EvalError for what is nested too deeply, and for what the form does not have.
    Json write(const Value& value);

protected:
    /// Infinity or NaN.
    virtual Json odd_float(double number) = 0;
    /// A string that is not UTF-8.
    virtual Json bytes(const std::string& text) = 0;
    /// An array, a hash or a Sensitive.
    virtual Json container(const Value& value) = 0;
    /// Every other kind, Default too.
    virtual Json rich(const Value& value) = 0;
    /// A value inside of a container, at its index or key.
    virtual Json element(const Value& key, const Value& value);

    Json list(const Array& array);
};

/// Forms in which an object with "__ptype" stands for what is not data.
class RichJsonWriter : public JsonWriter {
protected:
    static Json tagged(std::string_view type, Json content);

    Json bytes(const std::string& text) override;
    Json container(const Value& value) override;
    Json rich(const Value& value) final;
    /// What has no form in common. Default has.
    virtual Json object(const Value& value) = 0;
    /// Whether a key can be one of a JSON object: text that is UTF-8 and not "__ptype".
    virtual bool is_plain_key(const Value& key) const;

private:
    Json hash(const Hash& hash);
};

}  // namespace volley
