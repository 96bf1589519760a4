#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transports/runtime.hpp"
#include "transports/task.hpp"

namespace volley::transports::ssh {

enum class HostVerdict : std::uint8_t {
    Match,    ///< a line names this host with this key
    Unknown,  ///< no line names this host
    Changed,  ///< lines name this host, all with other keys: perhaps somebody in between
    Revoked,  ///< an @revoked line for this host holds this key
};

/// What known_hosts has about one key of one host.
struct HostKeyCheck {
    HostVerdict verdict = HostVerdict::Unknown;
    std::string file;        ///< of the line that decided; empty for Unknown
    unsigned line = 0;       ///< counted from 1; 0 for Unknown
    std::string known_type;  ///< key type on that line, e.g. "ssh-ed25519"
};

/// One known_hosts file, read and indexed. A plain name is found in constant time; patterns and hashed names
/// are tried one by one, and the answer is remembered per name.
/// The text never throws: a malformed line is skipped and logged at debug with file:line.
/// One thread at a time (lookups fill a cache).
class KnownHostsFile {
public:
    /// Parses `text`; `name` is for messages.
    KnownHostsFile(std::string name, std::string_view text);
    ~KnownHostsFile();
    KnownHostsFile(KnownHostsFile&&) noexcept;
    KnownHostsFile& operator=(KnownHostsFile&&) noexcept;

    enum class Marker : std::uint8_t { None, Authority, Revoked };
    struct Entry {
        Marker marker = Marker::None;
        unsigned line = 0;
        std::string type;
        std::string blob;  ///< the key in SSH wire form
    };
    /// The lines for `name`, as it is written in the file ("host", "[host]:2222"), in file order. The
    /// pointers stay valid until the next add().
    std::vector<const Entry*> find(std::string_view name) const;
    /// One more line, as appended to the file.
    void add(std::string_view line);
    const std::string& name() const noexcept;
    std::size_t size() const noexcept;
    /// Why the file, which is there, could not be read; empty when it could.
    const std::string& problem() const noexcept { return problem_; }
    void set_problem(std::string problem) { problem_ = std::move(problem); }

private:
    std::string problem_;
    struct Index;
    std::unique_ptr<Index> index_;
};

/// The files that count for one target, in order of precedence. Cheap to copy; loop thread only.
class KnownHosts {
public:
    KnownHosts() = default;  // knows nobody
    explicit KnownHosts(std::vector<std::shared_ptr<KnownHostsFile>> files) : files_(std::move(files)) {}

    /// `host` as the user calls it, or its HostKeyAlias (then with port 22: OpenSSH adds no port to an
    /// alias); `key_blob` in SSH wire form. OpenSSH's rules: a matching line anywhere wins over another key,
    /// a revoked one over everything; for another port than 22 `[host]:port` counts, and a bare `host` line
    /// only when it holds this very key.
    HostKeyCheck check(std::string_view host, int port, std::string_view key_blob) const;
    /// The key types on the host's lines, each once, in file order; empty when there is none. Ask the server
    /// for one of these, else a known host looks changed because it offers another type first. "ssh-rsa" here
    /// stands for the key: rsa-sha2-512 and rsa-sha2-256 are signatures with the same key.
    std::vector<std::string> key_types(std::string_view host, int port) const;
    /// True when an @cert-authority line covers the host: only a client that understands host certificates
    /// (OpenSSH, not libssh2) can verify it if key_types() is empty.
    bool has_authority(std::string_view host, int port) const;
    /// Why one of the files could not be read: then an unknown host is perhaps not unknown. Empty when all
    /// could.
    std::string problem() const;

private:
    std::vector<const KnownHostsFile::Entry*> lines(std::string_view host, int port) const;
    std::vector<std::shared_ptr<KnownHostsFile>> files_;
};

/// The name under which known_hosts keeps a host: "host", or "[host]:port" when port is not 22; lower case.
std::string known_hosts_name(std::string_view host, int port);

/// The line for a host's key, without line end. `hashed`: HashKnownHosts, with a fresh salt.
std::string known_hosts_line(std::string_view host, int port, std::string_view key_blob, bool hashed);

/// Adds one line to a known_hosts file. Makes the folder (0700) and the file (0600) when they are missing,
/// and ends an unfinished last line first. One write under a lock, so that parallel runs do not mix lines.
/// Blocks on the disk; any thread. Throws Error bolt/file-error.
void append_known_host(const std::filesystem::path& file, std::string_view line);

/// Reads each known_hosts file once per run. Loop thread only.
class KnownHostsStore {
public:
    explicit KnownHostsStore(Runtime& runtime);
    ~KnownHostsStore();
    KnownHostsStore(const KnownHostsStore&) = delete;
    KnownHostsStore& operator=(const KnownHostsStore&) = delete;

    /// The files, read on a worker thread the first time; two callers share one read. A missing file is an
    /// empty one, and so are "none" and /dev/null; one that is there but cannot be read has a problem(). Does
    /// not throw for them.
    Task<KnownHosts> open(std::vector<std::filesystem::path> files);
    /// Records a key that was accepted (accept-new, StrictHostKeyChecking no): in the index at once, so that
    /// the next session of this run sees it, and in the file through append_known_host on a worker. A line
    /// that is already known is not written again. A failed write is a warning (id ssh_known_hosts), never an
    /// error.
    Task<void> remember(std::filesystem::path file, std::string host, int port, std::string key_blob,
                        bool hashed);

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace volley::transports::ssh
