#pragma once

#include <libssh2.h>

#include <string>
#include <string_view>
#include <vector>

namespace volley::transports::ssh {

/// What the libssh2 that is loaded can do; decided at run time, because a program built with 1.10 may
/// meet 1.11.
struct LibraryFeatures {
    std::string version;        ///< "1.10.0"
    bool rsa_sha2 = false;      ///< rsa-sha2-256 and -512 for host keys, and chosen by itself for users' keys
    bool certificates = false;  ///< user certificates
};

/// libssh2_init, once. Any thread.
void initialize_library();
const LibraryFeatures& library_features();

using ReceiveCallback = ssize_t (*)(libssh2_socket_t, void*, size_t, int, void**);
using SendCallback = ssize_t (*)(libssh2_socket_t, const void*, size_t, int, void**);
void set_stream_callbacks(LIBSSH2_SESSION* session, ReceiveCallback receive, SendCallback send);

/// Asks the process on a channel to end (SIGTERM). Does nothing when this libssh2 cannot (before 1.11); the
/// server may refuse (OpenSSH for root).
void send_term(LIBSSH2_CHANNEL* channel);

}  // namespace volley::transports::ssh
