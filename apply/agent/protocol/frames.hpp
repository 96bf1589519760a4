#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace volley::agent {

/// What goes between Volley and its agent on a target, over the agent's stdin and stdout: the agent's first
/// line, then frames of a type (one byte), a length (four bytes, highest first) and a payload. Texts are JSON
/// in UTF-8.
inline constexpr int protocol_version = 1;
/// The agent writes it first, on a line of its own: whatever a login shell printed before it is skipped.
inline constexpr std::string_view protocol_line = "VOLLEY-AGENT/1\n";

enum class FrameType : std::uint8_t {
    Hello = 1,            ///< agent: {"protocol", "version", "machine", "program": {"file", "stamp"}}
    Settings = 2,         ///< Volley: how to apply, and which files there are
    Catalog = 3,          ///< Volley: a part of the catalog document
    CatalogEnd = 4,       ///< Volley: that was all of it
    Log = 5,              ///< agent: a line of the log
    Resource = 6,         ///< agent: what became of a resource that changed, failed or was skipped
    Want = 7,             ///< agent: a checksum in letters, whose content it needs, or "Archive[/x] URL"
    Content = 8,          ///< Volley: a part of that content
    ContentEnd = 9,       ///< Volley: that was all of it
    ContentMissing = 10,  ///< Volley: there is no such content; why, in words
    Report = 11,          ///< agent: a part of the report
    ReportEnd = 12,       ///< agent: that was all, and the exit code, in letters
    Failure = 13,         ///< agent: why it could not even begin, in words
    Stop = 14,            ///< Volley: end at the next resource
    FactsOrder = 15,      ///< Volley, in place of a catalog: which facts it wants, and files for them;
                          ///< what Settings frames before it held is its beginning. With "catalog_follows"
                          ///< settings and catalog may come after the facts
    Facts = 16,           ///< agent: a part of the facts
    FactsEnd = 17,        ///< agent: that was all of them
    ResourcesOrder = 18,  ///< Volley, in place of settings and catalog: which resources it wants to see
    Resources = 19,       ///< agent: a part of what it found
    ResourcesEnd = 20,    ///< agent: that was all of it
};

/// What came is not what the protocol says; names the limit where it is about one.
class ProtocolError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct Frame {
    FrameType type = FrameType::Hello;
    std::string payload;
};

/// Longer texts go in several frames.
inline constexpr std::size_t most_payload = std::size_t{1} << 20U;
inline constexpr std::size_t most_banner = std::size_t{64} << 10U;

/// The bytes of a frame. Throws ProtocolError when the payload is too long for one.
std::string encode_frame(FrameType type, std::string_view payload);
/// The bytes of a long text: frames of `part` as many as it takes, then an empty or short one of `end`.
std::string encode_parts(FrameType part, FrameType end, std::string_view text,
                         std::string_view end_payload = {});

/// Takes bytes as they come, and has the frames in them.
class FrameReader {
public:
    /// `after_line`: what comes before the protocol's first line is skipped, at most 64 KiB.
    explicit FrameReader(bool after_line) : skipping_(after_line) {}

    void feed(std::string_view bytes);
    /// The next whole frame; nullopt until more bytes come. Throws ProtocolError; after that the reader is of
    /// no use.
    std::optional<Frame> next();
    /// What stood before the first line, for messages about an agent that did not start.
    const std::string& banner() const noexcept { return banner_; }
    bool started() const noexcept { return !skipping_; }
    /// Bytes of a frame that is not whole yet.
    std::size_t waiting() const noexcept { return buffer_.size() - start_; }

private:
    void skip_banner();

    std::string buffer_;
    std::size_t start_ = 0;
    std::string banner_;
    bool skipping_;
};

}  // namespace volley::agent
