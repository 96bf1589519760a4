#pragma once

#include <string>
#include <string_view>

#include "language/serialization/pcore_object.hpp"

namespace volley {

/// How a Pcore stream is packed: JSON text, or MessagePack with its extension types.
enum class PcoreFormat { JsonText, MsgPack };

/// Any value in the compact form that is read as a stream: text and values that repeat are written once,
/// counts come before what is counted. Spec "Pcore serialization". Throws EvalError for what cannot be
/// written.
std::string serialize(const Value& value, PcoreFormat format);

/// The value of such a stream. Throws EvalError for bytes that are none: unknown extensions, wrong
/// references, an end too early.
Value deserialize(std::string_view bytes, PcoreFormat format, const PcoreWorld& world);

}  // namespace volley
