#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>

/// The part of Samba's client library that copies files, with the C interface that libsmbclient.so.0 has. It
/// is loaded when the first file goes over SMB: it brings forty other libraries, and few runs use it. One
/// thread at a time may be in it: Debian's exports no function that would prepare it for more.
namespace volley::transports::winrm::smb {

using Context = struct ContextOfLibrary;
using Handle = struct HandleOfLibrary;  // an open file or directory

struct Entry {
    unsigned type = 0;
    unsigned size = 0;
    unsigned comment_length = 0;
    char* comment = nullptr;
    unsigned name_length = 0;
    char name[1] = {};  // and what follows
};
inline constexpr unsigned is_directory = 7, is_file = 8;

/// Asked for a login: server, share, then buffers for workgroup, user and password with their sizes.
using Authenticate = void (*)(Context*, const char*, const char*, char*, int, char*, int, char*, int);
using Open = Handle* (*)(Context*, const char* url, int flags, mode_t);
using Read = ssize_t (*)(Context*, Handle*, void*, std::size_t);
using Write = ssize_t (*)(Context*, Handle*, const void*, std::size_t);
using Close = int (*)(Context*, Handle*);
using Stat = int (*)(Context*, const char* url, struct stat*);
using OpenDirectory = Handle* (*)(Context*, const char* url);
using ReadDirectory = Entry* (*)(Context*, Handle*);
using MakeDirectory = int (*)(Context*, const char* url, mode_t);
using Remove = int (*)(Context*, const char* url);
using Rename = int (*)(Context*, const char* url, Context*, const char* to_url);

/// The library's functions, without their prefix "smbc_".
struct Library {
    Context* (*new_context)();
    Context* (*init_context)(Context*);
    int (*free_context)(Context*, int shut_down);
    void (*setFunctionAuthDataWithContext)(Context*, Authenticate);
    void (*setOptionUserData)(Context*, void*);
    void* (*getOptionUserData)(Context*);
    void (*setOptionNoAutoAnonymousLogin)(Context*, int);
    void (*setOptionUseKerberos)(Context*, int);
    int (*setOptionProtocols)(Context*, const char* lowest, const char* highest);
    void (*setPort)(Context*, std::uint16_t);
    void (*setTimeout)(Context*, int milliseconds);
    void (*setDebug)(Context*, int);
    Open (*getFunctionOpen)(Context*);
    Read (*getFunctionRead)(Context*);
    Write (*getFunctionWrite)(Context*);
    Close (*getFunctionClose)(Context*);
    Stat (*getFunctionStat)(Context*);
    OpenDirectory (*getFunctionOpendir)(Context*);
    ReadDirectory (*getFunctionReaddir)(Context*);
    Close (*getFunctionClosedir)(Context*);
    MakeDirectory (*getFunctionMkdir)(Context*);
    Remove (*getFunctionUnlink)(Context*);
    Remove (*getFunctionRmdir)(Context*);
    Rename (*getFunctionRename)(Context*);
};

/// Any thread. Throws TransportError CONNECT_ERROR where the library is not installed.
const Library& library();

}  // namespace volley::transports::winrm::smb
