#pragma once

#include <nats/nats.h>

namespace volley::transports::choria {

// The functions of libnats that the bus calls. They are looked up in the library when the first target wants
// them: linked, every start of the program would pay for it, and most runs use no Choria.
#define VOLLEY_LIBNATS(FUNCTION)                    \
    FUNCTION(natsOptions_Create)                    \
    FUNCTION(natsOptions_Destroy)                   \
    FUNCTION(natsOptions_SetServers)                \
    FUNCTION(natsOptions_SetTimeout)                \
    FUNCTION(natsOptions_SetSecure)                 \
    FUNCTION(natsOptions_SetName)                   \
    FUNCTION(natsOptions_SetUserInfo)               \
    FUNCTION(natsOptions_SetMaxReconnect)           \
    FUNCTION(natsOptions_SetReconnectWait)          \
    FUNCTION(natsOptions_LoadCATrustedCertificates) \
    FUNCTION(natsOptions_LoadCertificatesChain)     \
    FUNCTION(natsConnection_Connect)                \
    FUNCTION(natsConnection_Destroy)                \
    FUNCTION(natsConnection_IsClosed)               \
    FUNCTION(natsConnection_GetMaxPayload)          \
    FUNCTION(natsConnection_PublishRequest)         \
    FUNCTION(natsConnection_Subscribe)              \
    FUNCTION(natsSubscription_Destroy)              \
    FUNCTION(natsSubscription_SetOnCompleteCB)      \
    FUNCTION(natsMsg_GetData)                       \
    FUNCTION(natsMsg_GetDataLength)                 \
    FUNCTION(natsMsg_GetSubject)                    \
    FUNCTION(natsMsg_IsNoResponders)                \
    FUNCTION(natsMsg_Destroy)                       \
    FUNCTION(natsStatus_GetText)                    \
    FUNCTION(nats_GetLastError)

/// libnats as a table of its functions, each named as in nats.h.
struct Libnats {
// A name in parentheses would not be a member.  NOLINTNEXTLINE(bugprone-macro-parentheses)
#define VOLLEY_MEMBER(name) decltype(&::name) name = nullptr;
    VOLLEY_LIBNATS(VOLLEY_MEMBER)
#undef VOLLEY_MEMBER
};

/// The library, loaded once. Throws TransportError bolt/choria-config-failed when it is not there. Any
/// thread.
const Libnats& libnats();

}  // namespace volley::transports::choria
