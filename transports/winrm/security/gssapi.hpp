#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// The part of GSS-API that a login needs, as RFC 2744 declares it for C, from the system's Kerberos library.
/// That is loaded when the first target wants it: it costs a start 2 ms, and few runs use it.
namespace volley::transports::winrm::gss {

struct Buffer {
    std::size_t length = 0;
    void* value = nullptr;
};
struct Oid {
    std::uint32_t length = 0;
    const void* elements = nullptr;
};
struct OidSet {
    std::size_t count = 0;
    const Oid* elements = nullptr;
};
struct ChannelBindings {
    std::uint32_t initiator_type = 0;
    Buffer initiator;
    std::uint32_t acceptor_type = 0;
    Buffer acceptor;
    Buffer application_data;
};
struct IovBuffer {
    std::uint32_t type = 0;
    Buffer buffer;
};
using Name = struct NameOfLibrary*;
using Credential = struct CredentialOfLibrary*;
using Context = struct ContextOfLibrary*;
using Status = std::uint32_t;

inline constexpr Status continue_needed = 1;
inline constexpr Status no_credentials = 7U << 16U;
/// An error of calling, or of the routine; the bits below say more about a success.
constexpr bool failed(Status status) noexcept { return (status & 0xFFFF0000U) != 0; }

inline constexpr std::uint32_t mutual = 2, replay = 4, sequence = 8, confidential = 16, integrity = 32;
inline constexpr std::uint32_t iov_data = 1, iov_header = 2, iov_padding = 9, iov_allocate = 0x10000;
inline constexpr int initiates = 1;

inline constexpr Oid kerberos{9, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x02"};
inline constexpr Oid spnego{6, "\x2b\x06\x01\x05\x05\x02"};
inline constexpr Oid name_of_user{10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x01"};
inline constexpr Oid name_of_service{10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"};
inline constexpr Oid name_of_principal{10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x02\x01"};

/// The library's functions, without their prefix "gss_".
struct Library {
    Status (*import_name)(Status*, const Buffer*, const Oid*, Name*);
    Status (*release_name)(Status*, Name*);
    Status (*acquire_cred)(Status*, Name, std::uint32_t, const OidSet*, int, Credential*, OidSet**,
                           std::uint32_t*);
    Status (*acquire_cred_with_password)(Status*, Name, const Buffer*, std::uint32_t, const OidSet*, int,
                                         Credential*, OidSet**, std::uint32_t*);
    Status (*release_cred)(Status*, Credential*);
    Status (*init_sec_context)(Status*, Credential, Context*, Name, const Oid*, std::uint32_t, std::uint32_t,
                               const ChannelBindings*, const Buffer*, const Oid**, Buffer*, std::uint32_t*,
                               std::uint32_t*);
    Status (*delete_sec_context)(Status*, Context*, Buffer*);
    Status (*wrap_iov)(Status*, Context, int, std::uint32_t, int*, IovBuffer*, int);
    Status (*release_iov_buffer)(Status*, IovBuffer*, int);
    Status (*unwrap)(Status*, Context, const Buffer*, Buffer*, int*, std::uint32_t*);
    Status (*release_buffer)(Status*, Buffer*);
    Status (*display_status)(Status*, Status, int, const Oid*, std::uint32_t*, Buffer*);
};

/// Any thread. Throws LoginError (security_context.hpp) where the library is not installed.
const Library& library();

/// What went wrong in one line, with what to do where that is known. `of`: the mechanism.
std::string failure_text(Status major, Status minor, const Oid& of);
/// Whether the KDC does not know the service that was asked for: another name of it may do.
bool is_unknown_service(Status minor) noexcept;

}  // namespace volley::transports::winrm::gss
