#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/unique_fd.hpp"
#include "transports/connection.hpp"

namespace volley::transports {

/// One file or directory of the controller and its place below a directory on the target.
struct PayloadEntry {
    std::filesystem::path local;
    std::string remote;  ///< relative, '/' separated; never leaves the directory
    std::uintmax_t size = 0;
    unsigned mode = 0644;  ///< permission bits
    bool is_directory = false;
    std::optional<std::string>
        text;  ///< the content, when it is not a file of the controller; `local` is unused
};

/// A private file (0600) with this content.
PayloadEntry payload_text(std::string text, std::string remote);

/// `local` as it is now, symbolic links followed. Throws TransportError `issue_code` when it cannot be read
/// or is neither a file nor a directory.
PayloadEntry payload_entry(const std::filesystem::path& local, std::string remote,
                           std::string_view issue_code);
/// `directory` itself (remote ".") and everything below, links followed, sorted; parents come first. Throws
/// as above and when a link leads back to a directory above it.
std::vector<PayloadEntry> payload_tree(const std::filesystem::path& directory, std::string_view issue_code);
/// Throws TransportError when `remote` is absolute, empty or has "..".
void check_inside(const std::string& remote);

/// Texts and files one after the other. A file is opened when its turn comes and is read in chunks; read()
/// throws TransportError WRITE_ERROR when it no longer has the size that was announced.
class SequenceInput final : public Input {
public:
    void add_text(std::string text);
    void add_file(std::filesystem::path path, std::uintmax_t size);
    void add(const PayloadEntry& entry);  ///< nothing for a directory
    std::uintmax_t size() const noexcept { return total_; }

    std::size_t read(std::span<char> buffer) override;
    bool finished() const noexcept override { return at_ == parts_.size(); }

private:
    struct Part {
        std::string text;
        std::filesystem::path path;  // empty: text
        std::uintmax_t size = 0;
    };
    std::size_t read_part(const Part& part, std::span<char> buffer);
    std::vector<Part> parts_;
    std::size_t at_ = 0;
    std::uintmax_t done_ = 0;  // of the current part
    std::uintmax_t total_ = 0;
    UniqueFd file_;
};

/// The entries as a tar stream (GNU format, which every tar reads), made as it is read.
std::unique_ptr<Input> make_tar_input(std::vector<PayloadEntry> entries);

}  // namespace volley::transports
