#include "transports/ssh/keys/keys.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/log.hpp"
#include "support/text.hpp"
#include "tests/transports/ssh/ssh_tools_fixture.hpp"
#include "transports/ssh/keys/wire_encoding.hpp"

namespace volley::transports::ssh {
namespace {

using testing::must_run;
using testing::TempDir;

/// The public blob that ssh-keygen wrote beside the key.
PublicKey published(const std::filesystem::path& key) {
    const auto parsed = parse_public_key(testing::slurp(key.string() + ".pub"));
    REQUIRE(parsed);
    return *parsed;
}

KeyFault fault_of(std::string_view text, const std::optional<Secret>& passphrase = std::nullopt) {
    try {
        parse_private_key(text, "a key", passphrase);
    } catch (const KeyError& error) {
        CHECK(std::string(error.what()).find('\n') == std::string::npos);
        return error.fault();
    }
    FAIL("the key was accepted");
    return KeyFault::Missing;
}

struct KeygenCase {
    std::string_view label, arguments;
};
constexpr KeygenCase key_types[] = {
    {"ed25519", "-t ed25519"},         {"ecdsa p256", "-t ecdsa -b 256"}, {"ecdsa p384", "-t ecdsa -b 384"},
    {"ecdsa p521", "-t ecdsa -b 521"}, {"rsa 2048", "-t rsa -b 2048"},    {"rsa 3072", "-t rsa -b 3072"},
};

/// OpenSSH's own verdict on a signature of ours: the blob put into the envelope of ssh-keygen -Y.
bool openssh_accepts(const TempDir& dir, const PublicKey& key, const PrivateKey& secret,
                     std::string_view algorithm) {
    const std::string message = "a message\n";
    const std::string hash = must_run("printf 'a message\\n' | openssl dgst -sha512 -binary");
    std::string data = "SSHSIG";
    for (const std::string_view field :
         {std::string_view("test"), std::string_view(), std::string_view("sha512"), std::string_view(hash)}) {
        put_string(data, field);
    }
    std::string envelope = "SSHSIG";
    put_u32(envelope, 1);
    for (const std::string_view field : {std::string_view(key.blob), std::string_view("test"),
                                         std::string_view(), std::string_view("sha512")}) {
        put_string(envelope, field);
    }
    put_string(envelope, secret.sign(data, algorithm));
    std::string armored = "-----BEGIN SSH SIGNATURE-----\n";
    const std::string base64 = base64_encode(envelope);
    for (std::size_t at = 0; at < base64.size(); at += 70) armored += base64.substr(at, 70) + "\n";
    armored += "-----END SSH SIGNATURE-----\n";
    const auto signature = dir.write("signature", armored);
    const auto signers = dir.write("signers", "me " + key.type + " " + base64_encode(key.blob) + "\n");
    return testing::run_shell("printf 'a message\\n' | ssh-keygen -Y verify -f '" + signers.string() +
                              "' -I me -n test -s '" + signature.string() + "'")
               .status == 0;
}

TEST_CASE("every key type of ssh-keygen is read in every format, and OpenSSH accepts what it signs",
          "[ssh][keys]") {
    struct Format {
        std::string_view label, arguments;
    };
    static constexpr Format formats[] = {{"OpenSSH format", ""}, {"PEM", "-m PEM"}, {"PKCS#8", "-m PKCS8"}};
    const TempDir dir;
    for (const KeygenCase& type : key_types) {
        for (const Format& format : formats) {
            if (type.label == "ed25519" && !format.arguments.empty())
                continue;  // ssh-keygen has no PEM for it
            for (const std::string passphrase : {"", "correct horse"}) {
                DYNAMIC_SECTION(type.label << ", " << format.label
                                           << (passphrase.empty() ? "" : ", encrypted")) {
                    const auto file = dir / "key";
                    must_run("ssh-keygen -q -a 1 -C 'a comment' -N '" + passphrase + "' -f '" +
                             file.string() + "' " + std::string(type.arguments) + " " +
                             std::string(format.arguments));
                    const std::string text = testing::slurp(file);
                    const PublicKey wanted = published(file);
                    const auto key = parse_private_key(
                        text, "key", passphrase.empty() ? std::nullopt : std::optional(Secret(passphrase)));
                    CHECK(key->public_key().type == wanted.type);
                    CHECK(key->public_key().blob == wanted.blob);
                    if (format.arguments.empty()) CHECK(key->public_key().comment == "a comment");
                    for (const std::string_view algorithm : key->algorithms()) {
                        if (algorithm == "ssh-rsa") continue;  // ssh-keygen refuses SHA-1; see the next test
                        INFO(algorithm);
                        CHECK(openssh_accepts(dir, wanted, *key, algorithm));
                    }
                    if (!passphrase.empty()) {
                        CHECK(fault_of(text) == KeyFault::Encrypted);
                        CHECK(fault_of(text, Secret("wrong")) == KeyFault::WrongPassphrase);
                    }
                }
            }
        }
    }
}

TEST_CASE("every cipher of ssh-keygen -Z opens with the passphrase and with no other", "[ssh][keys]") {
    const TempDir dir;
    for (const std::string cipher :
         {"aes128-ctr", "aes192-ctr", "aes256-ctr", "aes128-cbc", "aes192-cbc", "aes256-cbc", "3des-cbc",
          "aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com"}) {
        DYNAMIC_SECTION(cipher) {
            const auto file = dir / "key";
            must_run("ssh-keygen -q -t ed25519 -a 2 -Z " + cipher + " -N secret -f '" + file.string() + "'");
            const std::string text = testing::slurp(file);
            const auto key = parse_private_key(text, "key", Secret("secret"));
            CHECK(key->public_key().blob == published(file).blob);
            CHECK(openssh_accepts(dir, key->public_key(), *key, "ssh-ed25519"));
            CHECK(fault_of(text, Secret("Secret")) == KeyFault::WrongPassphrase);
            CHECK(fault_of(text) == KeyFault::Encrypted);
            CHECK(peek_public_key(text)->blob == published(file).blob);
        }
    }
}

TEST_CASE("a wrong passphrase is called wrong also when its padding happens to look right", "[ssh][keys]") {
    const TempDir dir;
    const std::string at = "cd '" + dir.path().string() + "' && umask 077 && ";
    must_run(at + "openssl ecparam -genkey -name prime256v1 -noout -out plain");
    must_run(at + "openssl ec -in plain -aes128 -passout pass:secret -out pem");
    must_run(at + "openssl pkcs8 -topk8 -iter 1 -in plain -passout pass:secret -out pkcs8");
    for (const std::string_view format : {"pem", "pkcs8"}) {
        const std::string text = testing::slurp(dir / format);
        CHECK(parse_private_key(text, "key", Secret("secret")));
        // One passphrase in 256 gets past the padding, so that the 3,000 of both miss it once in 120,000
        // runs.
        std::size_t called_wrong = 0;
        for (int i = 0; i < 1500; ++i) {
            const Secret passphrase("wrong " + std::to_string(i));
            if (fault_of(text, passphrase) == KeyFault::WrongPassphrase) ++called_wrong;
        }
        CHECK(called_wrong == 1500);
    }
}

TEST_CASE("a key whose cipher OpenSSL does not have is unsupported, not damaged", "[ssh][keys]") {
    const TempDir dir;
    must_run(
        "cd '" + dir.path().string() +
        "' && umask 077 && openssl ecparam -genkey -name prime256v1 -noout -out plain && openssl pkcs8 -topk8"
        " -provider legacy -provider default -v1 PBE-MD5-DES -in plain -passout pass:secret -out key");
    CHECK(fault_of(testing::slurp(dir / "key"), Secret("secret")) == KeyFault::Unsupported);
}

TEST_CASE("an RSA key signs with SHA-1 for servers that know nothing else", "[ssh][keys]") {
    const TempDir dir;
    const auto file = dir / "key";
    must_run("ssh-keygen -q -t rsa -b 2048 -m PEM -N '' -f '" + file.string() + "'");
    const auto key = parse_private_key(testing::slurp(file), "key");
    REQUIRE(key->algorithms() == std::vector<std::string_view>{"rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"});
    const std::string blob = key->sign("a message", "ssh-rsa");
    CHECK(blob_type(blob) == "ssh-rsa");
    dir.write("signature", signature_body(blob));
    dir.write("message", "a message");
    must_run("cd '" + dir.path().string() +
             "' && openssl rsa -in key -pubout -out key.pem && openssl dgst -sha1 -verify key.pem -signature "
             "signature message");
    CHECK_THROWS_AS(key->sign("a message", "ssh-ed25519"), KeyError);
}

TEST_CASE("keys made by openssl are read as well", "[ssh][keys]") {
    const TempDir dir;
    struct Row {
        std::string_view label, command;
    };
    static constexpr Row rows[] = {
        {"ed25519 in PKCS#8", "openssl genpkey -algorithm ed25519 -out key"},
        {"encrypted ed25519 in PKCS#8",
         "openssl genpkey -algorithm ed25519 -aes-256-cbc -pass pass:secret -out key"},
        {"ecdsa with a compressed point",
         "openssl ecparam -genkey -name secp384r1 -conv_form compressed -noout -out key"},
        {"RSA encrypted with triple DES",
         "openssl genrsa -traditional -des3 -passout pass:secret -out key 2048"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.label) {
            must_run("cd '" + dir.path().string() + "' && umask 077 && " + std::string(row.command));
            const auto key = parse_private_key(testing::slurp(dir / "key"), "key", Secret("secret"));
            CHECK(openssh_accepts(dir, key->public_key(), *key, key->algorithms().front()));
        }
    }
}

TEST_CASE("what is not a usable private key is named for what it is", "[ssh][keys]") {
    const TempDir dir;
    const auto file = dir / "key";
    must_run("ssh-keygen -q -t ed25519 -N '' -f '" + file.string() + "'");
    const std::string text = testing::slurp(file);

    CHECK(fault_of("") == KeyFault::NotAKey);
    CHECK(fault_of("hello\n") == KeyFault::NotAKey);
    CHECK(fault_of(testing::slurp(file.string() + ".pub")) == KeyFault::NotAKey);
    CHECK(fault_of("PuTTY-User-Key-File-3: ssh-ed25519\n") == KeyFault::NotAKey);
    CHECK(fault_of("-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----\n") ==
          KeyFault::Unsupported);
    CHECK(fault_of(text.substr(0, 150)) == KeyFault::Damaged);
    CHECK(fault_of("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: "
                   "ROT-13,00\n\nMIIB\n-----END RSA "
                   "PRIVATE KEY-----\n") == KeyFault::Unsupported);
    CHECK(fault_of("-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n") ==
          KeyFault::Damaged);

    SECTION("each byte of the file changed in turn is an error or the same key") {
        const std::string blob = published(file).blob;
        for (std::size_t at = 40; at + 40 < text.size(); ++at) {
            std::string changed = text;
            changed[at] = changed[at] == 'A' ? 'B' : 'A';
            std::string read;
            try {
                read = parse_private_key(changed, "key")->public_key().blob;
            } catch (const KeyError&) {
                continue;
            }
            CHECK(read == blob);
        }
    }
    SECTION("a key whose public half is another's is refused") {
        must_run("ssh-keygen -q -t ed25519 -N '' -f '" + (dir / "other").string() + "'");
        const auto decode = [](const std::string& armored) {
            return *base64_decode(armored.substr(35, armored.find("-----END") - 35));
        };
        std::string bytes = decode(text);
        const std::string other = decode(testing::slurp(dir / "other"));
        bytes.replace(0, 0x62, other, 0, 0x62);  // the envelope up to the private section
        CHECK(fault_of("-----BEGIN OPENSSH PRIVATE KEY-----\n" + base64_encode(bytes) +
                       "\n-----END OPENSSH PRIVATE KEY-----\n") == KeyFault::Damaged);
    }
}

TEST_CASE("fingerprints are as ssh-keygen prints them", "[ssh][keys]") {
    const TempDir dir;
    const auto file = dir / "key";
    must_run("ssh-keygen -q -t ecdsa -N '' -f '" + file.string() + "'");
    CHECK(must_run("ssh-keygen -lf '" + file.string() + "'")
              .find(" " + fingerprint(published(file).blob) + " ") != std::string::npos);
}

TEST_CASE("a certificate is recognised and leads back to its key", "[ssh][keys]") {
    const TempDir dir;
    const std::string at = "cd '" + dir.path().string() + "' && ";
    must_run(at + "ssh-keygen -q -t ed25519 -N '' -f authority");
    for (const KeygenCase& type : key_types) {
        DYNAMIC_SECTION(type.label) {
            must_run(at + "ssh-keygen -q -N '' -f user " + std::string(type.arguments) +
                     " && ssh-keygen -q -s authority -I id -n root user.pub");
            Runtime runtime;
            KeyStore store(runtime);
            const auto certificate = testing::wait_for(runtime, store.load_certificate(dir / "user"));
            REQUIRE(certificate);
            CHECK(certificate->is_certificate());
            CHECK(certified_key(certificate->blob) == published(dir / "user").blob);
            CHECK_FALSE(published(dir / "user").is_certificate());
            CHECK_FALSE(certified_key(published(dir / "user").blob));
        }
    }
}

TEST_CASE("a key is decrypted once however many ask for it", "[ssh][keys]") {
    const TempDir dir;
    const auto file = dir / "key";
    must_run("ssh-keygen -q -t ed25519 -a 1 -N secret -f '" + file.string() + "'");
    Runtime runtime;
    int asked = 0;
    KeyStore store(runtime, [&asked](std::string name, bool) -> Task<std::optional<Secret>> {
        CHECK(name.find("key") != std::string::npos);
        ++asked;
        co_return Secret("secret");
    });
    std::vector<std::shared_ptr<const PrivateKey>> keys;
    for (int i = 0; i < 5; ++i) {
        boost::asio::co_spawn(runtime.loop(), store.load_file(file),
                              [&keys](std::exception_ptr error, std::shared_ptr<const PrivateKey> key) {
                                  CHECK_FALSE(error);
                                  keys.push_back(std::move(key));
                              });
    }
    runtime.loop().run();
    REQUIRE(keys.size() == 5);
    for (const auto& key : keys) CHECK(key == keys.front());
    CHECK(asked == 1);
}

TEST_CASE("a passphrase is asked for three times at most", "[ssh][keys]") {
    const TempDir dir;
    const auto file = dir / "key";
    must_run("ssh-keygen -q -t ed25519 -a 1 -N secret -f '" + file.string() + "'");
    struct Row {
        std::string_view name;
        std::vector<std::string> typed;
        std::optional<KeyFault> fault;
    };
    const Row rows[] = {
        {"the third is right", {"a", "b", "secret"}, std::nullopt},
        {"three are wrong", {"a", "b", "c"}, KeyFault::WrongPassphrase},
        {"nobody knows it", {"a", ""}, KeyFault::Encrypted},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            Runtime runtime;
            std::vector<bool> again;
            const auto source = [&again, &row](std::string, bool wrong) -> Task<std::optional<Secret>> {
                const std::string& typed = row.typed.at(again.size());
                again.push_back(wrong);
                if (typed.empty()) co_return std::nullopt;
                co_return Secret(typed);
            };
            KeyStore store(runtime, source);
            std::optional<KeyFault> fault;
            try {
                const auto key = testing::wait_for(runtime, store.load_file(file));
                CHECK(key != nullptr);
            } catch (const KeyError& error) {
                fault = error.fault();
            }
            CHECK(fault == row.fault);
            REQUIRE(again.size() == row.typed.size());
            for (std::size_t i = 0; i < again.size(); ++i) CHECK(again[i] == (i > 0));
        }
    }
}

TEST_CASE("SSH-004 an inline key is read, and a failure reaches everybody who asks", "[ssh][keys]") {
    const TempDir dir;
    const auto file = dir / "key";
    must_run("ssh-keygen -q -t ed25519 -a 1 -N '' -f '" + file.string() + "'");
    Runtime runtime;
    KeyStore store(runtime);
    const auto key = testing::wait_for(runtime, store.load_text(Secret(testing::slurp(file))));
    CHECK(key->public_key().blob == published(file).blob);
    CHECK(testing::wait_for(runtime, store.load_public(file))->blob == published(file).blob);
    std::filesystem::remove(file.string() + ".pub");
    KeyStore without_pub(runtime);
    CHECK(testing::wait_for(runtime, without_pub.load_public(file))->blob == key->public_key().blob);
    for (int i = 0; i < 2; ++i) {
        CHECK_THROWS_AS(testing::wait_for(runtime, store.load_file(dir / "none")), KeyError);
        CHECK_THROWS_AS(testing::wait_for(runtime, store.load_text(Secret("nonsense"))), KeyError);
    }
    CHECK_FALSE(testing::wait_for(runtime, store.load_certificate(file)));
}

TEST_CASE("SSH-003 a private-key that is missing only warns", "[ssh][keys]") {
    const TempDir dir;
    std::vector<std::string> warnings;
    log_to([&warnings](const LogRecord& record) { warnings.emplace_back(record.message); }, LogLevel::Warn);
    CHECK_FALSE(warn_unless_key_file(dir / "none"));
    CHECK_FALSE(warn_unless_key_file(dir.path()));
    CHECK(warn_unless_key_file(dir.write("key", "x")));
    log_to({}, LogLevel::Warn);
    REQUIRE(warnings.size() == 2);
    CHECK(warnings[0].find("none' does not exist") != std::string::npos);
    CHECK(warnings[0].find("[ID: invalid_ssh_key]") != std::string::npos);
    CHECK(warnings[1].find("is not a file") != std::string::npos);
}

}  // namespace
}  // namespace volley::transports::ssh
