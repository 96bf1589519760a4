#pragma once

#include <string>

#include "language/value.hpp"

namespace volley::lookup {

class Invocation;

/// A value of an eyaml file: texts "ENC[PKCS7,...]" in it decrypted with the key that `options` name
/// (pkcs7_private_key, or pkcs7_private_key_env_var), everything else interpolated. `key` is for messages,
/// which never show what was decrypted. Throws LookupError.
Value decrypted(const Value& value, const std::string& key, const Hash& options, Invocation& invocation);

}  // namespace volley::lookup
