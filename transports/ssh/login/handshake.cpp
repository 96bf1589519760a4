#include "transports/ssh/login/handshake.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/text.hpp"
#include "support/unicode/printable.hpp"
#include "transports/ssh/log_step.hpp"
#include "transports/ssh/session/libssh2_library.hpp"
#include "transports/ssh/ssh_errors.hpp"

namespace volley::transports::ssh {
namespace {

void prefer(Session& session, int method, const Algorithms& names) {
    libssh2_session_method_pref(session.raw(), method, join(names, ",").c_str());
}

/// libssh2 before 1.11 can prove RSA keys only with SHA-1, which servers no longer offer. When RSA is all
/// that known_hosts has, another type would look like a changed key.
bool only_rsa_is_known(const std::vector<std::string>& known) {
    return !library_features().rsa_sha2 && !known.empty() &&
           std::ranges::all_of(known, [](const std::string& type) { return type == "ssh-rsa"; });
}

Algorithms host_key_algorithms_for(const Settings& settings, const std::vector<std::string>& known) {
    if (settings.host_keys_chosen) return settings.host_keys;
    if (only_rsa_is_known(known)) return {"ssh-rsa"};
    return prefer_known(settings.host_keys, known);
}

/// OpenSSH closes connections above MaxStartups with one of these lines, or with nothing.
bool may_be_busy(std::string_view sent) {
    return trim(sent).empty() || sent.starts_with("Exceeded MaxStartups") ||
           sent.starts_with("Not allowed at this time");
}

[[noreturn]] void report_handshake(Session& session, const Settings& settings, const Algorithms& host_keys,
                                   int rc) {
    const ServerOffer offer = parse_server_offer(session.early_bytes());
    if (session.flooded()) {
        std::string sent =
            offer.identification.empty() ? printable(trim(session.early_bytes().substr(0, 80))) : "";
        if (!sent.empty()) sent = fmt::format(" (it sent: {})", sent);
        throw failed_to_connect(settings.label, session.reason() + sent);
    }
    if (!session.alive() && offer.identification.empty() && may_be_busy(session.early_bytes())) {
        std::string sent(trim(session.early_bytes().substr(0, 80)));
        if (!sent.empty()) sent = fmt::format(" (it sent: {})", printable(sent));
        throw Refused(failed_to_connect(
            settings.label, fmt::format("{} before it sent its SSH version{}", session.reason(), sent)));
    }
    if (offer.identification.empty()) {
        std::string sent = printable(trim(session.early_bytes().substr(0, 80)));
        if (!sent.empty()) sent = fmt::format(" (it sent: {})", sent);
        throw failed_to_connect(settings.label, fmt::format("the service on port {} is not an SSH server{}",
                                                            settings.port, sent));
    }
    if (!session.alive())
        throw failed_to_connect(settings.label, fmt::format("{} during the key exchange", session.reason()));
    const Disagreement found =
        find_disagreement(offer, settings.kex, host_keys, settings.ciphers, settings.macs);
    if (found.only_rsa_host_key) {
        throw Unsupported(
            failed_to_connect(settings.label,
                              fmt::format("the server can only be verified by an RSA host key, which "
                                          "needs libssh2 1.11 (this is {})",
                                          library_features().version)),
            "its host key is RSA");
    }
    // The user's own lists are binding: the ssh program must not get around them.
    if (!found.why.empty() && settings.algorithms_chosen) throw failed_to_connect(settings.label, found.why);
    if (!found.why.empty()) throw Unsupported(failed_to_connect(settings.label, found.why), found.why);
    throw failed_to_connect(settings.label,
                            fmt::format("the key exchange failed: {} ({})", session.last_error(), rc));
}

TransportError host_key_error(const Settings& settings, const std::string& why) {
    return connect_error(fmt::format("Host key verification failed for {}: {}", settings.label, why),
                         "HOST_KEY_ERROR");
}

std::string first_file(const Settings& settings) {
    return settings.known_hosts.empty() ? "any known_hosts file" : settings.known_hosts.front().string();
}

void refuse_unless_new(const Settings& settings, const HostKeyCheck& found, const std::string& problem,
                       const std::string& key) {
    const std::string name = known_hosts_name(settings.known_as, settings.known_port);
    switch (found.verdict) {
        case HostVerdict::Match:
            return;
        case HostVerdict::Revoked:
            throw host_key_error(
                settings, fmt::format("its {} is marked as revoked in {}:{}", key, found.file, found.line));
        case HostVerdict::Changed:
            throw host_key_error(
                settings,
                fmt::format(
                    "its {} does not match {}:{}; either somebody intercepts the connection, or the host "
                    "has a new key: then remove the old one with \"ssh-keygen -f {} -R '{}'\"",
                    key, found.file, found.line, found.file, name));
        case HostVerdict::Unknown:
            // The file may have another key for it, so that nothing is accepted either.
            if (!problem.empty()) throw host_key_error(settings, problem);
            if (settings.host_key_policy == HostKeyPolicy::AcceptNew) return;
            throw host_key_error(
                settings, fmt::format("its {} is not in {}; compare the fingerprint, then add the key with "
                                      "\"ssh-keyscan -p {} {} >> {}\", or set host-key-check to false",
                                      key, first_file(settings), settings.port, settings.address,
                                      first_file(settings)));
    }
}

std::string agreed(Session& session, int method) {
    const char* name = libssh2_session_methods(session.raw(), method);
    return printable(name == nullptr ? "none" : name);
}

void log_agreement(Session& session, const Settings& settings, bool checks) {
    if (!log_enabled(LogLevel::Debug)) return;
    const char* identification = libssh2_session_banner_get(session.raw());
    log_step(LogLevel::Debug, settings.label, "the server is {}; key exchange {}, cipher {}, MAC {}",
             printable(identification == nullptr ? "" : identification), agreed(session, LIBSSH2_METHOD_KEX),
             agreed(session, LIBSSH2_METHOD_CRYPT_CS), agreed(session, LIBSSH2_METHOD_MAC_CS));
    const ServerOffer offer = parse_server_offer(session.early_bytes());
    log_step(LogLevel::Trace, settings.label,
             "the server offers key exchange {}; host keys {}; ciphers {}; MACs {}",
             printable(join(offer.kex, ",")), printable(join(offer.host_keys, ",")),
             printable(join(offer.ciphers, ",")), printable(join(offer.macs, ",")));
    log_step(LogLevel::Debug, settings.label, "its host key is {} {}{}", session.facts().host_key_type,
             session.facts().host_key_fingerprint, checks ? "" : ", which is not checked");
}

std::string host_key_blob(Session& session) {
    std::size_t length = 0;
    int type = 0;
    const char* bytes = libssh2_session_hostkey(session.raw(), &length, &type);
    return std::string(bytes == nullptr ? "" : bytes, length);
}

Task<void> check_host_key(std::shared_ptr<Session> session, const Settings& settings, const KnownHosts& known,
                          KnownHostsStore& store) {
    const std::string blob = host_key_blob(*session);
    const HostKeyCheck found = known.check(settings.known_as, settings.known_port, blob);
    if (found.verdict == HostVerdict::Match) {
        log_step(LogLevel::Debug, settings.label, "its host key is the one in {}:{}", found.file, found.line);
    }
    refuse_unless_new(settings, found, known.problem(),
                      fmt::format("{} key {}", blob_type(blob), fingerprint(blob)));
    if (found.verdict == HostVerdict::Unknown && !settings.known_hosts.empty()) {
        log_step(LogLevel::Debug, settings.label, "its host key is new and is added to {}",
                 first_file(settings));
        co_await store.remember(settings.known_hosts.front(), settings.known_as, settings.known_port, blob,
                                settings.hash_known_hosts);
    }
}

}  // namespace

Task<void> perform_handshake(std::shared_ptr<Session> session, const Settings& settings,
                             KnownHostsStore& store) {
    const bool checks = settings.host_key_policy != HostKeyPolicy::Ignore;
    std::vector<std::filesystem::path> files;
    if (checks) files = settings.known_hosts;
    const KnownHosts known = co_await store.open(std::move(files));
    const std::vector<std::string> known_types = known.key_types(settings.known_as, settings.known_port);
    if (checks && known_types.empty() && known.has_authority(settings.known_as, settings.known_port)) {
        throw Unsupported(host_key_error(settings,
                                         "known_hosts has only a certificate authority for it, and libssh2 "
                                         "does not support host certificates"),
                          "its host key is a certificate");
    }
    const Algorithms host_keys = host_key_algorithms_for(settings, known_types);
    prefer(*session, LIBSSH2_METHOD_KEX, settings.kex);
    prefer(*session, LIBSSH2_METHOD_HOSTKEY, host_keys);
    prefer(*session, LIBSSH2_METHOD_CRYPT_CS, settings.ciphers);
    prefer(*session, LIBSSH2_METHOD_CRYPT_SC, settings.ciphers);
    prefer(*session, LIBSSH2_METHOD_MAC_CS, settings.macs);
    prefer(*session, LIBSSH2_METHOD_MAC_SC, settings.macs);
    Session* const raw = session.get();
    const int rc =
        co_await session->drive([raw] { return libssh2_session_handshake(raw->raw(), raw->descriptor()); });
    if (rc != 0) report_handshake(*session, settings, host_keys, rc);
    const std::string key = host_key_blob(*session);
    ConnectionFacts& facts = session->facts();
    facts.host_key_type = printable(blob_type(key));
    facts.host_key_fingerprint = fingerprint(key);
    facts.host_key_checked = checks;
    log_agreement(*session, settings, checks);
    session->handshake_done();
    if (checks) co_await check_host_key(session, settings, known, store);
}

}  // namespace volley::transports::ssh
