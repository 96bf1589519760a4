#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/transaction/run.hpp"
#include "apply/agent/values/errors.hpp"

namespace volley::agent {

/// Of a source that is neither a file nor a folder nor a link.
struct UnmanagedSource : ApplyError {
    UnmanagedSource(const std::string& url, std::string_view kind)
        : ApplyError("Could not retrieve file metadata for " + url + ": Cannot manage files of type " +
                     std::string(kind)),
          fault("Cannot manage files of type " + std::string(kind)) {}
    std::string fault;  ///< without the source
};

/// What a source turned out to be.
struct SourceFacts {
    std::string url;  ///< "file:///a/b", "puppet:///modules/m/f"
    FileKind kind = FileKind::File;
    std::string checksum;  ///< "{sha256}..."; of a file
    std::string link_target;
    FileStat stat;            ///< of a local source
    std::string local;        ///< the path, for a local source; else empty
    std::string offered_sum;  ///< SHA-256 of what the controller offers
};

/// The source of a file: a list of places of which the first that exists counts.
class FileSource {
public:
    /// Throws ApplyError for what is neither an absolute path nor a URL of a kind that sources can have.
    FileSource(std::vector<std::string> places, Run& run);

    /// What the first place is that exists. `algorithm`: of the checksum. Throws ApplyError when none does.
    const SourceFacts& facts(const std::string& algorithm, bool follow_links);
    void read(const std::function<void(std::string_view)>& take) const;
    /// Of what a recursion found, a link that leads nowhere is one like others; else it does not exist.
    void take_dangling_links() noexcept { takes_dangling_links_ = true; }
    const std::vector<std::string>& urls() const noexcept { return urls_; }
    bool known() const noexcept { return facts_.has_value(); }
    const SourceFacts& facts() const { return *facts_; }

private:
    std::optional<SourceFacts> look(const std::string& url, const std::string& algorithm,
                                    bool follow_links) const;

    Run& run_;
    std::vector<std::string> urls_;
    std::optional<SourceFacts> facts_;
    bool takes_dangling_links_ = false;
};

/// Whether a file's `checksum` says nothing about its content: none, ctime, mtime.
bool is_time_checksum(std::string_view type);
/// "/a b" of "file:///a%20b"; nullopt for what is not on this machine.
std::optional<std::string> local_path(const std::string& url);
/// The same with the path as it stands: as in Puppet, a percent sign in the source of a file is a percent
/// sign.
std::optional<std::string> source_path(const std::string& url);
/// What the controller offers a source as: "modules/m/f" for "puppet:///modules/m/f", the URL itself for http
/// and https; nullopt for what is on this machine.
std::optional<std::string> offered_path(const std::string& url);
/// "{sha256}...", "{mtime}2026-..." of a file. Throws SystemError.
std::string checksum_of(const std::string& path, const std::string& algorithm);

}  // namespace volley::agent
