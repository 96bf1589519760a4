#pragma once

#include <string>

#include "language/errors.hpp"
#include "language/types/type.hpp"

namespace volley::lookup {

/// A mistake that Puppet raises as its own error: inside of a lookup it becomes a LookupError, which no call
/// adds anything to; in the call of lookup() itself it is an error of that call. Other EvalErrors without a
/// position pass through lookups as they are (Ruby's ArgumentError). Compatibility.
class DataError : public EvalError {
public:
    explicit DataError(const std::string& message) : EvalError("", message) {}
};

/// Throws DataError "SUBJECT has wrong type, expects ..." unless the value is an instance.
void assert_instance(const std::string& subject, const Type& type, const Value& value);

/// A value in a message, as Ruby interpolates it.
std::string shown(const Value& value);

/// Runs something that looks up a key: what it throws becomes what the lookup around it throws.
template <class Body>
auto as_lookup_error(Body&& body) {
    try {
        return body();
    } catch (const LookupError&) {
        throw;
    } catch (const DataError& error) {
        throw LookupError(error.what());
    } catch (const LanguageError& error) {
        if (!error.location().known() && error.location().file.empty()) throw;
        throw LookupError(error.full_message());
    }
}

}  // namespace volley::lookup
