#include "language/functions/digest_text.hpp"

#include "language/errors.hpp"
#include "language/text/ruby_text.hpp"
#include "support/crypto/digest.hpp"

namespace volley {

std::string digest_text(std::string_view algorithm, std::string_view bytes) {
    auto text = digest_hex(algorithm, bytes);
    if (!text) throw EvalError("", "The digest algorithm " + std::string(algorithm) + " is not available");
    return *std::move(text);
}

std::string digest_of_argument(std::string_view algorithm, const Value& argument) {
    if (!argument.is_string())
        throw EvalError("", "no implicit conversion of " + ruby_class(argument) + " into String");
    return digest_text(algorithm, argument.as_string());
}

}  // namespace volley
