#include "support/crypto/digest.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/text/hex_digit.hpp"
#include "support/unique_fd.hpp"

namespace volley {
namespace {

std::string bytes_of_digest(const std::array<unsigned char, EVP_MAX_MD_SIZE>& bytes, unsigned size) {
    return {reinterpret_cast<const char*>(bytes.data()), size};
}

struct FreeContext {
    void operator()(EVP_MD_CTX* context) const noexcept { ::EVP_MD_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_MD_CTX, FreeContext>;

/// nullptr where OpenSSL does not have it.
Context begun_digest(const std::string& algorithm) {
    const EVP_MD* method = ::EVP_get_digestbyname(algorithm.c_str());
    Context context(::EVP_MD_CTX_new());
    if (!context) throw std::bad_alloc();
    if (!method || ::EVP_DigestInit_ex(context.get(), method, nullptr) != 1) return nullptr;
    return context;
}

}  // namespace

std::string hex_text(std::string_view bytes) {
    std::string out;
    out.reserve(2 * bytes.size());
    for (const char byte : bytes) append_hex_byte(out, static_cast<unsigned char>(byte));
    return out;
}

std::optional<std::string> digest(std::string_view algorithm, std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> found{};
    unsigned size = 0;
    const EVP_MD* method = ::EVP_get_digestbyname(std::string(algorithm).c_str());
    if (!method || ::EVP_Digest(bytes.data(), bytes.size(), found.data(), &size, method, nullptr) != 1)
        return std::nullopt;
    return bytes_of_digest(found, size);
}

std::optional<std::string> digest_hex(std::string_view algorithm, std::string_view bytes) {
    const auto found = digest(algorithm, bytes);
    return found ? std::optional(hex_text(*found)) : std::nullopt;
}

std::vector<std::string> file_digests(const std::filesystem::path& path, std::string_view what,
                                      const std::vector<std::string>& algorithms) {
    const auto fail = [&] {
        throw Error(
            "bolt/file-error",
            "Cannot read the " + std::string(what) + " " + path.string() + ": " + std::strerror(errno),
            Json{{"path", path.string()}});
    };
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) fail();
    std::vector<Context> contexts;
    for (const std::string& algorithm : algorithms) contexts.push_back(begun_digest(algorithm));
    std::array<char, 65536> buffer;
    while (true) {
        const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail();
        if (n == 0) break;
        for (const Context& context : contexts) {
            if (context && ::EVP_DigestUpdate(context.get(), buffer.data(), static_cast<std::size_t>(n)) != 1)
                throw std::bad_alloc();
        }
    }
    std::vector<std::string> found;
    for (const Context& context : contexts) {
        std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
        unsigned size = 0;
        if (context && ::EVP_DigestFinal_ex(context.get(), bytes.data(), &size) != 1) throw std::bad_alloc();
        found.push_back(hex_text(bytes_of_digest(bytes, size)));
    }
    return found;
}

std::string sha256(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> found{};
    unsigned size = 0;
    // It is part of every OpenSSL, whatever the policy: only memory can be missing.
    if (::EVP_Digest(bytes.data(), bytes.size(), found.data(), &size, ::EVP_sha256(), nullptr) != 1)
        throw std::bad_alloc();
    return bytes_of_digest(found, size);
}

std::string sha256_hex(std::string_view bytes) { return hex_text(sha256(bytes)); }

std::string hmac_sha256(std::string_view key, std::string_view bytes) { return HmacSha256(key).of(bytes); }

HmacSha256::HmacSha256(std::string_view key) {
    const std::unique_ptr<EVP_MAC, decltype(&::EVP_MAC_free)> method(
        ::EVP_MAC_fetch(nullptr, "HMAC", nullptr), &::EVP_MAC_free);
    if (!method) throw std::bad_alloc();
    const std::shared_ptr<EVP_MAC_CTX> context(::EVP_MAC_CTX_new(method.get()), &::EVP_MAC_CTX_free);
    char digest_name[] = "SHA256";
    const std::array<OSSL_PARAM, 2> parameters{::OSSL_PARAM_construct_utf8_string("digest", digest_name, 0),
                                               ::OSSL_PARAM_construct_end()};
    if (!context || ::EVP_MAC_init(context.get(), reinterpret_cast<const unsigned char*>(key.data()),
                                   key.size(), parameters.data()) != 1)
        throw std::bad_alloc();
    begun_ = context;
}

std::string HmacSha256::of(std::string_view bytes) const {
    const std::unique_ptr<EVP_MAC_CTX, decltype(&::EVP_MAC_CTX_free)> context(::EVP_MAC_CTX_dup(begun_.get()),
                                                                              &::EVP_MAC_CTX_free);
    std::array<unsigned char, EVP_MAX_MD_SIZE> found{};
    std::size_t size = 0;
    if (!context ||
        ::EVP_MAC_update(context.get(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()) !=
            1 ||
        ::EVP_MAC_final(context.get(), found.data(), &size, found.size()) != 1)
        throw std::bad_alloc();
    return {reinterpret_cast<const char*>(found.data()), size};
}

}  // namespace volley
