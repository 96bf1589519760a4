#include "support/crypto/pkcs7.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs7.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <memory>

#include "support/error.hpp"

namespace volley {
namespace {

template <auto release>
struct Pkcs7Release {
    template <class T>
    void operator()(T* object) const {
        release(object);
    }
};
struct StackRelease {
    void operator()(STACK_OF(X509) * stack) const { sk_X509_free(stack); }  // a macro, not the certificates
};
using BioPtr = std::unique_ptr<BIO, Pkcs7Release<BIO_free_all>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, Pkcs7Release<EVP_PKEY_free>>;
using CertificatePtr = std::unique_ptr<X509, Pkcs7Release<X509_free>>;
using EnvelopePtr = std::unique_ptr<PKCS7, Pkcs7Release<PKCS7_free>>;

[[noreturn]] void pkcs7_fail(const std::string& what) {
    const char* reason = ERR_reason_error_string(ERR_peek_last_error());
    ERR_clear_error();
    throw Error("bolt/pkcs7-error", what + (reason ? std::string(": ") + reason : std::string()));
}

BioPtr bio_of(std::string_view bytes) {
    BioPtr bio(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
    if (!bio) pkcs7_fail("out of memory");
    return bio;
}

BioPtr empty_bio() {
    BioPtr bio(BIO_new(BIO_s_mem()));
    if (!bio) pkcs7_fail("out of memory");
    return bio;
}

std::string content_of(BIO& bio) {
    char* data = nullptr;
    const long size = BIO_get_mem_data(&bio, &data);
    return size > 0 ? std::string(data, static_cast<std::size_t>(size)) : std::string();
}

/// Asked for the passphrase of an encrypted key: there is none, and nobody to prompt.
int no_passphrase(char*, int, int, void*) { return -1; }

CertificatePtr self_signed(EVP_PKEY& key) {
    constexpr long century = 100L * 365 * 24 * 60 * 60;
    CertificatePtr certificate(X509_new());
    if (!certificate) pkcs7_fail("out of memory");
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 0);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), century);
    X509_set_pubkey(certificate.get(), &key);
    X509_NAME* const name = X509_get_subject_name(certificate.get());
    const auto* const place = reinterpret_cast<const unsigned char*>("/");
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, place, 1, -1, 0);
    X509_set_issuer_name(certificate.get(), name);
    if (X509_sign(certificate.get(), &key, EVP_sha256()) == 0) pkcs7_fail("Cannot sign the certificate");
    return certificate;
}

}  // namespace

std::string pkcs7_decrypt(std::string_view der, std::string_view private_key) {
    const BioPtr key_text = bio_of(private_key);
    const KeyPtr key(PEM_read_bio_PrivateKey(key_text.get(), nullptr, no_passphrase, nullptr));
    if (!key) pkcs7_fail("The private key cannot be read");
    const BioPtr bytes = bio_of(der);
    const EnvelopePtr envelope(d2i_PKCS7_bio(bytes.get(), nullptr));
    if (!envelope || !PKCS7_type_is_enveloped(envelope.get()))
        pkcs7_fail("The data are not PKCS #7 enveloped data");
    const BioPtr content = empty_bio();
    if (PKCS7_decrypt(envelope.get(), key.get(), nullptr, content.get(), PKCS7_BINARY) != 1)
        pkcs7_fail("The data cannot be decrypted with this key");
    return content_of(*content);
}

std::string pkcs7_encrypt(std::string_view content, std::string_view certificate) {
    const BioPtr certificate_text = bio_of(certificate);
    X509* const read = PEM_read_bio_X509(certificate_text.get(), nullptr, no_passphrase, nullptr);
    if (!read) pkcs7_fail("The public key (a certificate) cannot be read");
    const CertificatePtr owner(read);
    const std::unique_ptr<STACK_OF(X509), StackRelease> recipients(sk_X509_new_null());
    sk_X509_push(recipients.get(), owner.get());
    const BioPtr text = bio_of(content);
    const EnvelopePtr envelope(PKCS7_encrypt(recipients.get(), text.get(), EVP_aes_256_cbc(), PKCS7_BINARY));
    if (!envelope) pkcs7_fail("The data cannot be encrypted");
    const BioPtr der = empty_bio();
    if (i2d_PKCS7_bio(der.get(), envelope.get()) != 1) pkcs7_fail("The data cannot be encrypted");
    return content_of(*der);
}

Pkcs7Keys pkcs7_create_keys(int bits) {
    const KeyPtr key(EVP_RSA_gen(static_cast<unsigned int>(bits)));
    if (!key) pkcs7_fail("Cannot create an RSA key of " + std::to_string(bits) + " bits");
    const CertificatePtr certificate = self_signed(*key);
    const BioPtr key_text = empty_bio();
    const BioPtr certificate_text = empty_bio();
    const bool written = PEM_write_bio_PrivateKey_traditional(key_text.get(), key.get(), nullptr, nullptr, 0,
                                                              nullptr, nullptr) == 1 &&
                         PEM_write_bio_X509(certificate_text.get(), certificate.get()) == 1;
    if (!written) pkcs7_fail("Cannot write the new keys");
    return {content_of(*key_text), content_of(*certificate_text)};
}

}  // namespace volley
