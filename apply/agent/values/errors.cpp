#include "apply/agent/values/errors.hpp"

#include <cstring>

namespace volley::agent {

std::string error_words(int error) { return std::strerror(error); }  // the program never sets a locale

SystemError::SystemError(int error, const std::string& subject)
    : std::runtime_error(error_words(error) + " - " + subject), error_(error) {}

}  // namespace volley::agent
