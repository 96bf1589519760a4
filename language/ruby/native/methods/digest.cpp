#include <algorithm>

#include "language/functions/digest_text.hpp"
#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/characters.hpp"
#include "support/text.hpp"

/// Digest and Base64.
namespace volley::ruby::methods {
namespace {

Object digest_of(const Call& call, std::string_view algorithm) {
    const std::string& bytes = to_string(call.arguments[0]);
    call.machine.step(1 + bytes.size() / 64);
    return text(call, digest_text(algorithm, bytes));
}

Object digest_md5(const Call& call) { return digest_of(call, "MD5"); }
Object digest_sha1(const Call& call) { return digest_of(call, "SHA1"); }
Object digest_sha256(const Call& call) { return digest_of(call, "SHA256"); }
Object digest_sha384(const Call& call) { return digest_of(call, "SHA384"); }
Object digest_sha512(const Call& call) { return digest_of(call, "SHA512"); }

constexpr Method md5_class[] = {{"hexdigest", 1, 1, digest_md5}};
constexpr Method sha1_class[] = {{"hexdigest", 1, 1, digest_sha1}};
constexpr Method sha256_class[] = {{"hexdigest", 1, 1, digest_sha256}};
constexpr Method sha384_class[] = {{"hexdigest", 1, 1, digest_sha384}};
constexpr Method sha512_class[] = {{"hexdigest", 1, 1, digest_sha512}};

Object base64_strict(const Call& call) { return text(call, base64_encode(to_string(call.arguments[0]))); }

/// In lines of 60 characters.
Object base64_lines(const Call& call) {
    const std::string all = base64_encode(to_string(call.arguments[0]));
    std::string out;
    for (std::size_t at = 0; at < all.size(); at += 60) out += all.substr(at, 60) + '\n';
    return text(call, std::move(out));
}

/// Ruby's answer is binary, which shows beyond ASCII.
Object base64_read(const Call& call) {
    const std::string& encoded = to_string(call.arguments[0]);
    const bool odd =
        encoded.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\n") !=
        std::string::npos;
    const auto decoded = odd ? std::nullopt : base64_decode(encoded);
    if (!decoded || !is_ascii(*decoded)) not_native("Base64 of bytes or with mistakes");
    std::string again = base64_encode(*decoded);
    std::string given = encoded;
    std::erase(given, '\n');
    if (again != given) not_native("Base64 that is not written as usual");
    return text(call, *decoded);
}

Object base64_strict_read(const Call& call) {
    if (to_string(call.arguments[0]).find('\n') != std::string::npos) raise_argument("invalid base64");
    return base64_read(call);
}

Object base64_urlsafe(const Call& call) {
    if (call.arguments.size() > 1) not_native("urlsafe_encode64 with options");
    std::string out = base64_encode(to_string(call.arguments[0]));
    std::replace(out.begin(), out.end(), '+', '-');
    std::replace(out.begin(), out.end(), '/', '_');
    return text(call, std::move(out));
}

constexpr Method base64_module[] = {{"decode64", 1, 1, base64_read},
                                    {"encode64", 1, 1, base64_lines},
                                    {"strict_decode64", 1, 1, base64_strict_read},
                                    {"strict_encode64", 1, 1, base64_strict},
                                    {"urlsafe_encode64", 1, 2, base64_urlsafe}};

constexpr ModuleTable digest_tables[] = {{"Base64", base64_module},        {"Digest::MD5", md5_class},
                                         {"Digest::SHA1", sha1_class},     {"Digest::SHA256", sha256_class},
                                         {"Digest::SHA384", sha384_class}, {"Digest::SHA512", sha512_class}};

}  // namespace

std::span<const ModuleTable> digest_modules() { return digest_tables; }

}  // namespace volley::ruby::methods
