#include "transports/ssh/session/libssh2_library.hpp"

#include <dlfcn.h>

#include <mutex>

#include "transports/errors.hpp"

namespace volley::transports::ssh {

void initialize_library() {
    static std::once_flag once;
    std::call_once(once, [] {
        if (libssh2_init(0) != 0) throw connect_error("libssh2 could not be initialised");
    });
}

const LibraryFeatures& library_features() {
    static const LibraryFeatures features = [] {
        LibraryFeatures found;
        const char* version = libssh2_version(0);
        found.version = version == nullptr ? "" : version;
        const bool modern = libssh2_version(0x010b00) != nullptr;
        found.rsa_sha2 = modern;
        found.certificates = modern;
        return found;
    }();
    return features;
}

void set_stream_callbacks(LIBSSH2_SESSION* session, ReceiveCallback receive, SendCallback send) {
#if LIBSSH2_VERSION_NUM >= 0x010b01
    libssh2_session_callback_set2(session, LIBSSH2_CALLBACK_RECV,
                                  reinterpret_cast<libssh2_cb_generic*>(receive));
    libssh2_session_callback_set2(session, LIBSSH2_CALLBACK_SEND,
                                  reinterpret_cast<libssh2_cb_generic*>(send));
#else
    libssh2_session_callback_set(session, LIBSSH2_CALLBACK_RECV, reinterpret_cast<void*>(receive));
    libssh2_session_callback_set(session, LIBSSH2_CALLBACK_SEND, reinterpret_cast<void*>(send));
#endif
}

void send_term(LIBSSH2_CHANNEL* channel) {
    // New in 1.11, so it is looked up in the library that is loaded rather than linked.
    using Signal = int (*)(LIBSSH2_CHANNEL*, const char*, size_t);
    static const auto signal = reinterpret_cast<Signal>(dlsym(RTLD_DEFAULT, "libssh2_channel_signal_ex"));
    if (signal != nullptr) signal(channel, "TERM", 4);
}

}  // namespace volley::transports::ssh
