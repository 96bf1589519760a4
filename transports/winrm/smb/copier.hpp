#pragma once

#include <memory>

#include "transports/connection.hpp"
#include "transports/net/detached_threads.hpp"
#include "transports/winrm/smb/session.hpp"

namespace volley::transports::winrm::smb {

/// Files over SMB (`file-protocol: smb`, WRM-007), with a login of its own for each copy. A file or directory
/// comes into place whole or not at all. `threads` must outlive it. Loop thread only.
std::unique_ptr<FileCopier> make_copier(DetachedThreads& threads, Login login);

}  // namespace volley::transports::winrm::smb
