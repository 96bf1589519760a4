#include "transports/ssh/login/algorithms.hpp"

#include <fmt/format.h>
#include <libssh2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "support/text.hpp"
#include "transports/ssh/session/libssh2_library.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace volley::transports::ssh {
namespace {

constexpr AlgorithmKind all_kinds[] = {AlgorithmKind::Kex, AlgorithmKind::HostKey, AlgorithmKind::Cipher,
                                       AlgorithmKind::Mac};

int to_libssh2(AlgorithmKind kind) {
    switch (kind) {
        case AlgorithmKind::Kex:
            return LIBSSH2_METHOD_KEX;
        case AlgorithmKind::HostKey:
            return LIBSSH2_METHOD_HOSTKEY;
        case AlgorithmKind::Cipher:
            return LIBSSH2_METHOD_CRYPT_CS;
        case AlgorithmKind::Mac:
            return LIBSSH2_METHOD_MAC_CS;
    }
    return -1;
}

bool contains_algorithm(const Algorithms& list, std::string_view name) {
    return std::ranges::find(list, name) != list.end();
}

std::array<Algorithms, 4> ask_library() {
    initialize_library();
    std::array<Algorithms, 4> all;
    LIBSSH2_SESSION* session = libssh2_session_init_ex(nullptr, nullptr, nullptr, nullptr);
    if (session == nullptr) return all;
    for (const AlgorithmKind kind : all_kinds) {
        const char** names = nullptr;
        const int count = libssh2_session_supported_algs(session, to_libssh2(kind), &names);
        for (int i = 0; i < count; ++i) {
            // Host certificates are not understood, although 1.11 lists them.
            if (std::string_view(names[i]).find("-cert-v01@") == std::string_view::npos) {
                all[static_cast<std::size_t>(kind)].emplace_back(names[i]);
            }
        }
        if (count > 0) libssh2_free(session, names);
    }
    libssh2_session_free(session);
    return all;
}

/// SHA-256 in hardware makes it faster than SHA-512; without, it is the other way round.
bool cpu_has_sha() {
#if defined(__x86_64__) || defined(__i386__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & (1U << 29)) != 0;
#elif defined(__ARM_FEATURE_SHA2)
    return true;
#else
    return false;
#endif
}

/// Best first; measured in the lab: with 1.11 chacha20 costs least, GCM more than CTR (per packet set-up).
Algorithms preferred_algorithms(AlgorithmKind kind) {
    switch (kind) {
        case AlgorithmKind::Kex:
            return {"curve25519-sha256",
                    "curve25519-sha256@libssh.org",
                    "ecdh-sha2-nistp256",
                    "ecdh-sha2-nistp384",
                    "ecdh-sha2-nistp521",
                    "diffie-hellman-group-exchange-sha256",
                    "diffie-hellman-group16-sha512",
                    "diffie-hellman-group18-sha512",
                    "diffie-hellman-group14-sha256"};
        case AlgorithmKind::HostKey:
            return {"ssh-ed25519",
                    "ecdsa-sha2-nistp256",
                    "ecdsa-sha2-nistp384",
                    "ecdsa-sha2-nistp521",
                    "rsa-sha2-512",
                    "rsa-sha2-256",
                    "ssh-rsa"};
        case AlgorithmKind::Cipher:
            return {"chacha20-poly1305@openssh.com",
                    "aes128-ctr",
                    "aes256-ctr",
                    "aes192-ctr",
                    "aes128-gcm@openssh.com",
                    "aes256-gcm@openssh.com"};
        case AlgorithmKind::Mac: {
            Algorithms macs{"hmac-sha2-512-etm@openssh.com", "hmac-sha2-512", "hmac-sha2-256-etm@openssh.com",
                            "hmac-sha2-256", "hmac-sha1"};
            if (cpu_has_sha()) std::swap(macs[0], macs[2]), std::swap(macs[1], macs[3]);
            return macs;
        }
    }
    return {};
}

Algorithms known_only(AlgorithmKind kind, const Algorithms& wanted) {
    Algorithms known;
    for (const std::string& name : wanted) {
        if (contains_algorithm(supported_algorithms(kind), name) && !contains_algorithm(known, name))
            known.push_back(name);
    }
    return known;
}

/// Fields of SSH's wire format; an empty view when there are not enough bytes.
class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}
    bool skip(std::size_t n) {
        if (rest_.size() < n) return false;
        rest_.remove_prefix(n);
        return true;
    }
    std::optional<std::uint32_t> number() {
        if (rest_.size() < 4) return std::nullopt;
        std::uint32_t value = 0;
        for (int i = 0; i < 4; ++i)
            value = value << 8 | static_cast<unsigned char>(rest_[static_cast<std::size_t>(i)]);
        rest_.remove_prefix(4);
        return value;
    }
    std::optional<std::string_view> text() {
        const auto length = number();
        if (!length || rest_.size() < *length) return std::nullopt;
        const std::string_view found = rest_.substr(0, *length);
        rest_.remove_prefix(*length);
        return found;
    }

private:
    std::string_view rest_;
};

bool have_common(const Algorithms& ours, const Algorithms& theirs) {
    return std::ranges::any_of(ours,
                               [&](const std::string& name) { return contains_algorithm(theirs, name); });
}

}  // namespace

const Algorithms& supported_algorithms(AlgorithmKind kind) {
    static const std::array<Algorithms, 4> all = ask_library();
    return all[static_cast<std::size_t>(kind)];
}

const Algorithms& default_algorithms(AlgorithmKind kind) {
    static const std::array<Algorithms, 4> all = [] {
        std::array<Algorithms, 4> lists;
        for (const AlgorithmKind each : all_kinds)
            lists[static_cast<std::size_t>(each)] = known_only(each, preferred_algorithms(each));
        return lists;
    }();
    return all[static_cast<std::size_t>(kind)];
}

Algorithms chosen_algorithms(AlgorithmKind kind, const Algorithms& wanted) {
    Algorithms expanded = wanted;
    if (contains_algorithm(wanted, "defaults")) {
        const Algorithms& defaults = default_algorithms(kind);
        expanded.insert(expanded.end(), defaults.begin(), defaults.end());
    }
    return known_only(kind, expanded);
}

Algorithms prefer_known(const Algorithms& offered, const std::vector<std::string>& known_types) {
    const auto fits = [&](const std::string& algorithm) {
        const bool rsa = algorithm.starts_with("rsa-sha2-");
        return contains_algorithm(known_types, rsa ? "ssh-rsa" : std::string_view(algorithm));
    };
    Algorithms ordered = offered;
    std::stable_partition(ordered.begin(), ordered.end(), fits);
    return ordered;
}

ServerOffer parse_server_offer(std::string_view bytes) {
    ServerOffer offer;
    std::size_t at = 0;
    for (std::size_t end; (end = bytes.find('\n', at)) != std::string_view::npos;) {
        const std::string_view line = trim(bytes.substr(at, end - at));
        at = end + 1;
        if (!line.starts_with("SSH-")) continue;  // a server may send other lines first (RFC 4253, 4.2)
        offer.identification = line;
        break;
    }
    if (offer.identification.empty()) return offer;
    Reader reader(bytes.substr(at));
    constexpr std::size_t before_lists = 4 + 1 + 1 + 16;  // packet length, padding length, KEXINIT, cookie
    if (!reader.skip(before_lists)) return offer;
    for (Algorithms* list :
         {&offer.kex, &offer.host_keys, &offer.ciphers, static_cast<Algorithms*>(nullptr), &offer.macs}) {
        const auto names = reader.text();
        if (!names) return offer;
        if (list != nullptr) *list = split(*names, ',');
    }
    offer.complete = true;
    return offer;
}

Disagreement find_disagreement(const ServerOffer& offer, const Algorithms& kex, const Algorithms& host_keys,
                               const Algorithms& ciphers, const Algorithms& macs) {
    Disagreement found;
    if (!offer.complete) return found;
    const struct {
        const char* what;
        const Algorithms &ours, &theirs;
    } rows[] = {{"key exchange method", kex, offer.kex},
                {"host key algorithm", host_keys, offer.host_keys},
                {"cipher", ciphers, offer.ciphers},
                {"message authentication code", macs, offer.macs}};
    for (const auto& row : rows) {
        if (have_common(row.ours, row.theirs)) continue;
        found.why = fmt::format("no common {}: the server offers {}; we offer {}", row.what,
                                join(row.theirs, ","), join(row.ours, ","));
        found.only_rsa_host_key = &row.ours == &host_keys &&
                                  contains_algorithm(offer.host_keys, "rsa-sha2-512") &&
                                  !library_features().rsa_sha2;
        break;
    }
    return found;
}

}  // namespace volley::transports::ssh
