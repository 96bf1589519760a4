#pragma once

#include <string_view>

#include "support/error.hpp"

namespace volley::transports {

/// What can go wrong between here and a target. It becomes that target's result and stops nobody else.
class TransportError : public Error {
public:
    using Error::Error;
};

/// The session was lost before it took the command, which has therefore not begun: it may be run on a new
/// session. Thrown by Connection::execute; the pool then connects again, once. kind and issue code of
/// connect_error.
class NotStarted final : public TransportError {
public:
    explicit NotStarted(std::string_view msg);
};

/// The target cannot be reached or a command cannot be run (ERR-051). Issue codes: CONNECT_ERROR, AUTH_ERROR,
/// HOST_KEY_ERROR, EXEC_ERROR.
TransportError connect_error(std::string_view msg, std::string_view issue_code = "CONNECT_ERROR");
/// A target that has a name and neither a uri nor a host; the name is never taken for one (INV-054).
TransportError no_host_error(std::string_view safe_name);
/// run-as failed (ERR-052). Issue codes: NO_PASSWORD, BAD_PASSWORD, SUDO_DENIED.
TransportError escalate_error(std::string_view msg, std::string_view issue_code);
/// A file could not be copied or a directory made (ERR-053). Issue codes: WRITE_ERROR, COPY_ERROR,
/// DOWNLOAD_ERROR, TMPDIR_ERROR, MKDIR_ERROR, CHMOD_ERROR, ... Compatibility: the kind has underscores, as
/// Bolt's.
TransportError file_error(std::string_view msg, std::string_view issue_code);

}  // namespace volley::transports
