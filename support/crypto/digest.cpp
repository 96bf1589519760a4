#include "support/crypto/digest.hpp"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <unistd.h>

#include <algorithm>
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

// Made of digests: fetching OpenSSL's own HMAC makes all of its MAC methods known first, which is more than a
// plan on 25 targets takes for its whole record (tests/bench/journal, plan10).
HmacSha256::HmacSha256(std::string_view key) {
    std::array<unsigned char, SHA256_CBLOCK> block{};
    std::string digested = key.size() > block.size() ? sha256(key) : std::string();
    const std::string_view begin = digested.empty() ? key : digested;
    const auto begun = [&block, begin](unsigned char pad) {
        std::ranges::fill(block, pad);
        for (std::size_t i = 0; i < begin.size(); ++i) block[i] ^= static_cast<unsigned char>(begin[i]);
        const std::shared_ptr<EVP_MD_CTX> context(::EVP_MD_CTX_new(), FreeContext());
        if (!context || ::EVP_DigestInit_ex(context.get(), ::EVP_sha256(), nullptr) != 1 ||
            ::EVP_DigestUpdate(context.get(), block.data(), block.size()) != 1)
            throw std::bad_alloc();
        return context;
    };
    inner_ = begun(0x36);
    outer_ = begun(0x5c);
    ::OPENSSL_cleanse(block.data(), block.size());
    ::OPENSSL_cleanse(digested.data(), digested.size());
}

std::string HmacSha256::of(std::string_view bytes) const {
    const Context context(::EVP_MD_CTX_new());
    std::array<unsigned char, EVP_MAX_MD_SIZE> found{};
    unsigned size = 0;
    const auto add = [&](const EVP_MD_CTX* begun, const void* text, std::size_t length) {
        if (!context || ::EVP_MD_CTX_copy_ex(context.get(), begun) != 1 ||
            ::EVP_DigestUpdate(context.get(), text, length) != 1 ||
            ::EVP_DigestFinal_ex(context.get(), found.data(), &size) != 1)
            throw std::bad_alloc();
    };
    add(inner_.get(), bytes.data(), bytes.size());
    add(outer_.get(), found.data(), size);
    return bytes_of_digest(found, size);
}

}  // namespace volley
