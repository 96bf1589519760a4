// Forwards to libssl, which is loaded when the first connection with TLS is opened.
#include "transports/winrm/http/libssl.hpp"

#include <fmt/format.h>
#include <openssl/ssl.h>

#include <string>

#include "support/dynamic_library.hpp"
#include "transports/winrm/http/http_connection.hpp"

// Every function of it that Boost.Asio's TLS or this component calls: what is missing here does not link. In
// lines of (result, name, parameters, arguments), as openssl/ssl.h declares them.
// clang-format off
#define VOLLEY_LIBSSL(FUNCTION) \
    FUNCTION(uint64_t, SSL_CTX_clear_options, (SSL_CTX* context, uint64_t options), (context, options)) \
    FUNCTION(long, SSL_CTX_ctrl, (SSL_CTX* context, int command, long number, void* argument), (context, command, number, argument)) \
    FUNCTION(void, SSL_CTX_free, (SSL_CTX* context), (context)) \
    FUNCTION(X509_STORE*, SSL_CTX_get_cert_store, (const SSL_CTX* context), (context)) \
    FUNCTION(pem_password_cb*, SSL_CTX_get_default_passwd_cb, (SSL_CTX* context), (context)) \
    FUNCTION(void*, SSL_CTX_get_default_passwd_cb_userdata, (SSL_CTX* context), (context)) \
    FUNCTION(void*, SSL_CTX_get_ex_data, (const SSL_CTX* context, int index), (context, index)) \
    FUNCTION(SSL_verify_cb, SSL_CTX_get_verify_callback, (const SSL_CTX* context), (context)) \
    FUNCTION(int, SSL_CTX_get_verify_mode, (const SSL_CTX* context), (context)) \
    FUNCTION(int, SSL_CTX_load_verify_locations, (SSL_CTX* context, const char* file, const char* folder), (context, file, folder)) \
    FUNCTION(SSL_CTX*, SSL_CTX_new, (const SSL_METHOD* method), (method)) \
    FUNCTION(int, SSL_CTX_set0_tmp_dh_pkey, (SSL_CTX* context, EVP_PKEY* key), (context, key)) \
    FUNCTION(void, SSL_CTX_set_default_passwd_cb, (SSL_CTX* context, pem_password_cb* callback), (context, callback)) \
    FUNCTION(void, SSL_CTX_set_default_passwd_cb_userdata, (SSL_CTX* context, void* data), (context, data)) \
    FUNCTION(int, SSL_CTX_set_default_verify_paths, (SSL_CTX* context), (context)) \
    FUNCTION(int, SSL_CTX_set_ex_data, (SSL_CTX* context, int index, void* data), (context, index, data)) \
    FUNCTION(uint64_t, SSL_CTX_set_options, (SSL_CTX* context, uint64_t options), (context, options)) \
    FUNCTION(void, SSL_CTX_set_post_handshake_auth, (SSL_CTX* context, int on), (context, on)) \
    FUNCTION(void, SSL_CTX_set_verify, (SSL_CTX* context, int mode, SSL_verify_cb callback), (context, mode, callback)) \
    FUNCTION(void, SSL_CTX_set_verify_depth, (SSL_CTX* context, int depth), (context, depth)) \
    FUNCTION(int, SSL_CTX_use_PrivateKey, (SSL_CTX* context, EVP_PKEY* key), (context, key)) \
    FUNCTION(int, SSL_CTX_use_PrivateKey_file, (SSL_CTX* context, const char* file, int type), (context, file, type)) \
    FUNCTION(int, SSL_CTX_use_certificate, (SSL_CTX* context, X509* certificate), (context, certificate)) \
    FUNCTION(int, SSL_CTX_use_certificate_ASN1, (SSL_CTX* context, int size, const unsigned char* bytes), (context, size, bytes)) \
    FUNCTION(int, SSL_CTX_use_certificate_chain_file, (SSL_CTX* context, const char* file), (context, file)) \
    FUNCTION(int, SSL_CTX_use_certificate_file, (SSL_CTX* context, const char* file, int type), (context, file, type)) \
    FUNCTION(int, SSL_accept, (SSL* session), (session)) \
    FUNCTION(int, SSL_connect, (SSL* session), (session)) \
    FUNCTION(long, SSL_ctrl, (SSL* session, int command, long number, void* argument), (session, command, number, argument)) \
    FUNCTION(void, SSL_free, (SSL* session), (session)) \
    FUNCTION(X509*, SSL_get1_peer_certificate, (const SSL* session), (session)) \
    FUNCTION(SSL_CTX*, SSL_get_SSL_CTX, (const SSL* session), (session)) \
    FUNCTION(int, SSL_get_error, (const SSL* session, int result), (session, result)) \
    FUNCTION(void*, SSL_get_ex_data, (const SSL* session, int index), (session, index)) \
    FUNCTION(int, SSL_get_ex_data_X509_STORE_CTX_idx, (), ()) \
    FUNCTION(int, SSL_get_shutdown, (const SSL* session), (session)) \
    FUNCTION(SSL_verify_cb, SSL_get_verify_callback, (const SSL* session), (session)) \
    FUNCTION(int, SSL_get_verify_mode, (const SSL* session), (session)) \
    FUNCTION(long, SSL_get_verify_result, (const SSL* session), (session)) \
    FUNCTION(SSL*, SSL_new, (SSL_CTX* context), (context)) \
    FUNCTION(int, SSL_read, (SSL* session, void* bytes, int size), (session, bytes, size)) \
    FUNCTION(void, SSL_set_bio, (SSL* session, BIO* reads, BIO* writes), (session, reads, writes)) \
    FUNCTION(int, SSL_set_ex_data, (SSL* session, int index, void* data), (session, index, data)) \
    FUNCTION(void, SSL_set_verify, (SSL* session, int mode, SSL_verify_cb callback), (session, mode, callback)) \
    FUNCTION(void, SSL_set_verify_depth, (SSL* session, int depth), (session, depth)) \
    FUNCTION(int, SSL_shutdown, (SSL* session), (session)) \
    FUNCTION(int, SSL_write, (SSL* session, const void* bytes, int size), (session, bytes, size)) \
    FUNCTION(const SSL_METHOD*, TLS_client_method, (), ()) \
    FUNCTION(const SSL_METHOD*, TLS_method, (), ()) \
    FUNCTION(const SSL_METHOD*, TLS_server_method, (), ())
// clang-format on

namespace volley::transports::winrm {
namespace {

struct LibsslFunctions {
#define VOLLEY_POINTER(result, name, parameters, arguments) result(*name##_) parameters = nullptr;
    VOLLEY_LIBSSL(VOLLEY_POINTER)
#undef VOLLEY_POINTER
};
constinit LibsslFunctions libssl;

/// Empty, or why it cannot be used.
std::string load() {
    DynamicLibrary library("libssl.so.3");
#define VOLLEY_RESOLVE(result, name, parameters, arguments) library.find(libssl.name##_, #name);
    VOLLEY_LIBSSL(VOLLEY_RESOLVE)
#undef VOLLEY_RESOLVE
    return library.fault();
}

}  // namespace

void load_libssl() {
    static const std::string fault = load();
    if (!fault.empty())
        throw HttpError(
            fmt::format("TLS needs libssl.so.3 (OpenSSL 3), which could not be loaded: {}", fault), true);
}

}  // namespace volley::transports::winrm

extern "C" {
#define VOLLEY_FORWARD(result, name, parameters, arguments) \
    result name parameters { return volley::transports::winrm::libssl.name##_ arguments; }
VOLLEY_LIBSSL(VOLLEY_FORWARD)
#undef VOLLEY_FORWARD
}
