#include "transports/ssh/known_hosts/known_hosts.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "support/error.hpp"
#include "support/text.hpp"
#include "tests/growth.hpp"
#include "tests/transports/ssh/ssh_tools_fixture.hpp"
#include "transports/ssh/keys/wire_encoding.hpp"
#include "transports/ssh/known_hosts/hashed_names.hpp"

namespace volley::transports::ssh {
namespace {

using testing::must_run;
using testing::TempDir;

/// A blob that looks like a key; nobody checks the numbers in it.
std::string blob(std::string_view type, std::string_view content) {
    std::string bytes;
    put_string(bytes, type);
    put_string(bytes, content);
    return bytes;
}

const std::string key_a = blob("ssh-ed25519", "aaaa");
const std::string key_b = blob("ssh-ed25519", "bbbb");
const std::string key_r = blob("ssh-rsa", "rrrr");

std::string line(std::string_view names, const std::string& key) {
    return std::string(names) + " " + std::string(WireReader(key).string()) + " " + base64_encode(key) + "\n";
}

KnownHosts hosts(const std::string& text) {
    return KnownHosts({std::make_shared<KnownHostsFile>("known_hosts", text)});
}

HostVerdict verdict(const std::string& text, std::string_view host, int port, const std::string& key) {
    return hosts(text).check(host, port, key).verdict;
}

TEST_CASE("the lines of known_hosts decide as in OpenSSH", "[ssh][known_hosts]") {
    struct Row {
        std::string_view label;
        std::string text;
        std::string_view host;
        int port;
        std::string key;
        HostVerdict want;
    };
    const auto hashed = [](std::string_view name) { return hash_name(name); };
    const Row rows[] = {
        {"plain name", line("web1", key_a), "web1", 22, key_a, HostVerdict::Match},
        {"names do not regard case", line("Web1", key_a), "wEB1", 22, key_a, HostVerdict::Match},
        {"another host", line("web1", key_a), "web2", 22, key_a, HostVerdict::Unknown},
        {"another key", line("web1", key_a), "web1", 22, key_b, HostVerdict::Changed},
        {"a key of another type", line("web1", key_a), "web1", 22, key_r, HostVerdict::Changed},
        {"comma list", line("web1,10.0.0.1", key_a), "10.0.0.1", 22, key_a, HostVerdict::Match},
        {"with port", line("[web1]:2222", key_a), "web1", 2222, key_a, HostVerdict::Match},
        {"with another port", line("[web1]:2222", key_a), "web1", 22, key_a, HostVerdict::Unknown},
        {"IPv6 with port", line("[::1]:2222", key_a), "::1", 2222, key_a, HostVerdict::Match},
        {"bare name helps another port", line("web1", key_a), "web1", 2222, key_a, HostVerdict::Match},
        {"bare name accuses no other port", line("web1", key_a), "web1", 2222, key_b, HostVerdict::Unknown},
        {"wildcard star", line("*.example.com", key_a), "a.b.example.com", 22, key_a, HostVerdict::Match},
        {"wildcard question mark", line("web?", key_a), "web12", 22, key_a, HostVerdict::Unknown},
        {"negation", line("*.example.com,!bad.example.com", key_a), "bad.example.com", 22, key_a,
         HostVerdict::Unknown},
        {"hashed", line(hashed("web1"), key_a), "WEB1", 22, key_a, HostVerdict::Match},
        {"hashed with port", line(hashed("[web1]:2222"), key_a), "web1", 2222, key_b, HostVerdict::Changed},
        {"a later match wins", line("web1", key_b) + line("web1", key_a), "web1", 22, key_a,
         HostVerdict::Match},
        {"revoked", "@revoked " + line("*", key_a), "web1", 22, key_a, HostVerdict::Revoked},
        {"revoked after a match", line("web1", key_a) + "@revoked " + line("web1", key_a), "web1", 22, key_a,
         HostVerdict::Revoked},
        {"another key revoked", "@revoked " + line("*", key_b) + line("web1", key_a), "web1", 22, key_a,
         HostVerdict::Match},
        {"revoked for the bare name", "@revoked " + line("web1", key_a), "web1", 2222, key_a,
         HostVerdict::Revoked},
        {"an authority is not a host key", "@cert-authority " + line("web1", key_a), "web1", 22, key_a,
         HostVerdict::Unknown},
        {"no final newline, carriage return", std::string(trim(line("web1", key_a))) + "\r", "web1", 22,
         key_a, HostVerdict::Match},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.label) { CHECK(verdict(row.text, row.host, row.port, row.key) == row.want); }
    }
}

TEST_CASE("a malformed line never ends the read", "[ssh][known_hosts]") {
    const std::string bad[] = {"web1",
                               "web1 ssh-ed25519",
                               "web1 ssh-ed25519 !!!!",
                               "web1 ssh-rsa " + base64_encode(key_a),
                               "@nonsense web1 ssh-ed25519 " + base64_encode(key_a),
                               "@revoked",
                               "|1|short|hash ssh-ed25519 " + base64_encode(key_a),
                               "web1 1024 35 1234567890",
                               std::string("\0\xFF\x01", 3),
                               ",,, , ,"};
    for (const std::string& each : bad) {
        INFO(each);
        const KnownHosts known = hosts("# comment\n\n" + each + "\n" + line("web1", key_a));
        const HostKeyCheck check = known.check("web1", 22, key_a);
        CHECK(check.verdict == HostVerdict::Match);
        CHECK(check.line == 4);
        CHECK(check.file == "known_hosts");
        CHECK(known.check("web1", 22, key_b).verdict == HostVerdict::Changed);
    }
}

TEST_CASE("a refusal names file and line of what it is about", "[ssh][known_hosts]") {
    const KnownHosts known(
        {std::make_shared<KnownHostsFile>("user", "# mine\n" + line("web1", key_a)),
         std::make_shared<KnownHostsFile>("system", "\n\n@revoked " + line("web*", key_r))});
    const HostKeyCheck changed = known.check("web1", 22, key_b);
    CHECK(changed.verdict == HostVerdict::Changed);
    CHECK(changed.file == "user");
    CHECK(changed.line == 2);
    CHECK(changed.known_type == "ssh-ed25519");
    const HostKeyCheck revoked = known.check("web1", 22, key_r);
    CHECK(revoked.verdict == HostVerdict::Revoked);
    CHECK(revoked.file == "system");
    CHECK(revoked.line == 3);
}

TEST_CASE("the server is asked for the key types that known_hosts holds", "[ssh][known_hosts]") {
    const KnownHosts known =
        hosts(line("web1", key_r) + line("web1", key_a) + line("web1,web2", key_b) + "@revoked " +
              line("web3", key_a) + "@cert-authority " + line("*.lab", key_a));
    CHECK(known.key_types("web1", 22) == std::vector<std::string>{"ssh-rsa", "ssh-ed25519"});
    CHECK(known.key_types("web2", 2222) == std::vector<std::string>{"ssh-ed25519"});
    CHECK(known.key_types("web3", 22).empty());
    CHECK(known.has_authority("a.lab", 22));
    CHECK_FALSE(known.has_authority("web1", 22));
}

TEST_CASE("ssh-keygen -H and -F agree with our lookups", "[ssh][known_hosts]") {
    const TempDir dir;
    must_run("ssh-keygen -q -t ed25519 -N '' -f '" + (dir / "key").string() + "'");
    const std::string pub = testing::slurp(dir / "key.pub");
    const std::string key = pub.substr(0, pub.rfind(' '));
    const std::string real = *base64_decode(key.substr(key.find(' ') + 1));
    const auto file = dir.write(
        "known_hosts", "web1 " + key + "\n[web2]:2222,10.0.0.2 " + key + "\n*.lab,!x.lab " + key + "\n");
    for (const bool hash : {false, true}) {
        if (hash) must_run("ssh-keygen -H -f '" + file.string() + "'");
        const KnownHostsFile ours(file.string(), testing::slurp(file));
        for (const std::string name : {"web1", "web2", "[web2]:2222", "10.0.0.2", "a.lab", "x.lab", "lab"}) {
            INFO(name << (hash ? " hashed" : " plain"));
            const auto theirs = testing::run_shell("ssh-keygen -F '" + name + "' -f '" + file.string() + "'");
            CHECK(ours.find(name).empty() == (theirs.status != 0));
        }
    }
    SECTION("and ssh-keygen finds a line that we hashed") {
        const auto made = dir.write("made", known_hosts_line("Web9", 2200, real, true) + "\n");
        CHECK(testing::run_shell("ssh-keygen -F '[web9]:2200' -f '" + made.string() + "'").status == 0);
        CHECK(testing::run_shell("ssh-keygen -F 'web9' -f '" + made.string() + "'").status != 0);
    }
}

TEST_CASE("appending ends an unfinished line, keeps others' work and is private", "[ssh][known_hosts]") {
    const TempDir dir;
    SECTION("a missing folder and file are made") {
        const auto file = dir.path() / ".ssh" / "known_hosts";
        append_known_host(file, "one");
        append_known_host(file, "two");
        CHECK(testing::slurp(file) == "one\ntwo\n");
        struct stat status {};
        REQUIRE(::stat(file.c_str(), &status) == 0);
        CHECK((status.st_mode & 07777U) == 0600U);
        REQUIRE(::stat(file.parent_path().c_str(), &status) == 0);
        CHECK((status.st_mode & 07777U) == 0700U);
    }
    SECTION("no newline at the end") {
        const auto file = dir.write("known_hosts", "old");
        append_known_host(file, "new");
        CHECK(testing::slurp(file) == "old\nnew\n");
    }
    SECTION("four writers at once") {
        const auto file = dir.write("known_hosts", "old");
        std::vector<std::thread> writers;
        for (int writer = 0; writer < 4; ++writer) {
            writers.emplace_back([&file] {
                for (int i = 0; i < 50; ++i) append_known_host(file, "0123456789");
            });
        }
        for (std::thread& writer : writers) writer.join();
        std::string want = "old\n";
        for (int i = 0; i < 200; ++i) want += "0123456789\n";
        CHECK(testing::slurp(file) == want);
    }
    SECTION("what cannot be written is an error") {
        dir.write("plain", "");
        CHECK_THROWS_AS(append_known_host(dir.path() / "plain" / "known_hosts", "x"), Error);
    }
}

TEST_CASE("SSH-005 an accepted key is remembered in the run and in the file, once", "[ssh][known_hosts]") {
    const TempDir dir;
    const auto file = dir.write("known_hosts", line("web1", key_a));
    Runtime runtime;
    KnownHostsStore store(runtime);
    const KnownHosts known =
        testing::wait_for(runtime, store.open({file, dir / "missing", "none", "/dev/null"}));
    CHECK(known.check("web2", 22, key_b).verdict == HostVerdict::Unknown);
    for (int i = 0; i < 2; ++i) {
        testing::wait_for(runtime, store.remember(file, "Web2", 22, key_b, false));
        testing::wait_for(runtime, store.remember(file, "web3", 2222, key_b, true));
        testing::wait_for(runtime, store.remember("/dev/null", "web4", 22, key_b, false));
    }
    CHECK(known.check("web2", 22, key_b).verdict == HostVerdict::Match);
    CHECK(known.check("web3", 2222, key_b).verdict == HostVerdict::Match);
    CHECK(known.check("web4", 22, key_b).verdict == HostVerdict::Match);
    const std::string text = testing::slurp(file);
    CHECK(split(text, '\n').size() == 4);  // three lines
    CHECK(text.find("web2 ssh-ed25519 ") != std::string::npos);
    CHECK(text.find("web3") == std::string::npos);
    CHECK(testing::run_shell("ssh-keygen -F '[web3]:2222' -f '" + file.string() + "'").status == 0);
}

TEST_CASE("a key that cannot be recorded is still accepted for the run", "[ssh][known_hosts]") {
    const TempDir dir;
    dir.write("plain", "");
    Runtime runtime;
    KnownHostsStore store(runtime);
    const auto file = dir.path() / "plain" / "known_hosts";
    testing::wait_for(runtime, store.remember(file, "web1", 22, key_a, false));
    const KnownHosts known = testing::wait_for(runtime, store.open({file}));
    CHECK(known.check("web1", 22, key_a).verdict == HostVerdict::Match);
}

TEST_CASE("thousands of lines are read once and found at once", "[ssh][known_hosts]") {
    bool all = true;
    const auto find_all = [&](std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += line("host" + std::to_string(i), key_a);
        const KnownHosts known = hosts(text);
        for (std::size_t i = 0; i < count; ++i) {
            all = all && known.check("host" + std::to_string(i), 22, key_a).verdict == HostVerdict::Match;
        }
    };
    CHECK(volley::testing::growth_for_eight_times(4000, find_all) < 24);
    CHECK(all);
}

}  // namespace
}  // namespace volley::transports::ssh
